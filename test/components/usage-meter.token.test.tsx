// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { TokenMeter } from '../../src/components/usage-meter.tsx'

afterEach(cleanup)

it('adds up input and output tokens, with a bar if there is a limit', () => {
  const usage = { inputTokens: 1200, outputTokens: 300 }
  const { container, rerender } = render(<TokenMeter usage={usage} />)
  expect(container.textContent).toContain('Tokens1,500 tokens1,200 in300 out')
  expect(screen.queryByRole('meter')).toBeNull()
  rerender(<TokenMeter usage={usage} limit={4000} />)
  expect(screen.getByRole('meter', { name: 'Tokens' }).getAttribute('value')).toBe('1500')
  expect(container.textContent).toContain('1,500 of 4,000')
  rerender(<TokenMeter usage={usage} limit={1000} />)
  expect(screen.getByRole('meter').getAttribute('value')).toBe('1000')
  expect(container.textContent).toContain('Over the limit')
})

it('shows a total that the agent gives, and nothing where it gives none', () => {
  const { container, rerender } = render(<TokenMeter usage={{ totalTokens: 1 }} />)
  expect(container.textContent).toContain('1 token')
  rerender(<TokenMeter usage={{ cost: 1 }} />)
  expect(container.innerHTML).toBe('')
})
