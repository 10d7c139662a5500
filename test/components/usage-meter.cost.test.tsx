// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { CostMeter } from '../../src/components/usage-meter.tsx'

afterEach(cleanup)

it.each([
  [{ cost: 1.5 }, '$1.50'],
  [{ cost: 0.0042 }, '$0.0042'],
  [{ cost: 2, currency: 'EUR' }, '€2.00'],
  // What an agent says need not be a currency.
  [{ cost: 2, currency: '<credits>' }, '2 <credits'],
])('writes %j as %s', (usage, words) => {
  const { container } = render(<CostMeter usage={usage} />)
  expect(container.textContent).toContain(words)
})

it('says that a limit is passed, and shows nothing where no cost is known', () => {
  const { container, rerender } = render(<CostMeter usage={{ cost: 6 }} limit={5} />)
  expect(container.textContent).toContain('$6.00 of $5.00Over the limit')
  expect(screen.getByRole('meter', { name: 'Cost' }).getAttribute('max')).toBe('5')
  rerender(<CostMeter usage={{ totalTokens: 5 }} />)
  expect(container.innerHTML).toBe('')
})
