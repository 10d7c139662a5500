// @vitest-environment jsdom
import { act, cleanup, render } from '@testing-library/react'
import { StrictMode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Markdown } from '../../../src/markdown/view/markdown.tsx'

const FIRST = '# Rivers\n\nThey *meander*.\n\n'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

describe('Markdown whose text grows without live', () => {
  it('holds back half a mark while it grows, and shows it as it is half a second after the last words', () => {
    const { container, rerender } = render(<Markdown text={FIRST} />, { wrapper: StrictMode })
    const heading = container.querySelector('h1')
    rerender(<Markdown text={`${FIRST}And **bend`} />)
    expect(container.textContent).not.toContain('**')
    act(() => void vi.advanceTimersByTime(499))
    rerender(<Markdown text={`${FIRST}And **bend aga`} />)
    act(() => void vi.advanceTimersByTime(499))
    expect(container.textContent).not.toContain('**')
    act(() => void vi.advanceTimersByTime(1))
    expect(container.textContent).toContain('And **bend aga')
    expect(container.querySelector('h1')).toBe(heading)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('sets no timer for text that does not grow', () => {
    const { rerender } = render(<Markdown text={FIRST} />)
    rerender(<Markdown text={FIRST} className="other" />)
    rerender(<Markdown text={`${FIRST}More`} live />)
    expect(vi.getTimerCount()).toBe(0)
  })
})
