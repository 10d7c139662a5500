// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { UserNotice } from '../../src/components/user-notice.tsx'

describe('a notice of the agent', () => {
  it('is a note and no alarm', () => {
    render(<UserNotice message="That file is over 10 MB." />)
    expect(screen.getByRole('note').textContent).toBe('That file is over 10 MB.')
    expect(screen.queryByRole('alert')).toBeNull()
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('has its facts folded, and a way to try again only where that may help', () => {
    const retry = vi.fn()
    const { container, rerender } = render(
      <UserNotice message="Slow." code={0} domain="llm" details={{ after: 1 }} onRetry={retry} />,
    )
    expect(container.querySelector('details')?.textContent).toBe('Details0 · llm{\n  "after": 1\n}')
    expect(screen.queryByRole('button')).toBeNull()
    rerender(<UserNotice message="Slow." retryable onRetry={retry} />)
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(retry).toHaveBeenCalledOnce()
  })
})
