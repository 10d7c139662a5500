// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { GapMark } from '../../src/components/gap-mark.tsx'

describe('a mark of missing packets', () => {
  it('opens to their numbers', () => {
    const click = vi.fn()
    render(<GapMark after={3} before={7} onClick={click} />)
    const mark = screen.getByRole('button', { name: 'Part of the response is missing', expanded: false })
    fireEvent.click(mark)
    expect(mark.textContent).toBe('Part of the response is missing, packets 4–6')
    expect(mark.hasAttribute('data-open')).toBe(true)
    expect(click).toHaveBeenCalledOnce()
  })
})
