// @vitest-environment jsdom
import { act, fireEvent, render, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { ReadingPositionContext } from '../../src/components/internals/reading-position-context.ts'
import type { RootProps } from '../../src/components/internals/part.ts'
import { ThoughtTrace } from '../../src/components/thought-trace.tsx'
import { pass } from './show.tsx'

const thoughts = [{ id: '1', text: 'Two gauges have no width.' }]

function fold(): HTMLDetailsElement {
  const details = document.querySelector('details')
  if (!details) throw new Error('No thought is shown.')
  return details
}

/** What the browser does when a summary is used; jsdom fires no toggle event by itself. */
function toggle(open: boolean): void {
  fireEvent.click(screen.getByText(/Think|Thought for|Thought$/))
  act(() => {
    fold().open = open
    fold().dispatchEvent(new Event('toggle'))
  })
}

const label = (): string | null | undefined => fold().querySelector('summary')?.textContent
const hasWindow = (): boolean => fold().querySelector('[data-window]') !== null

describe('a thought', () => {
  it('is open while it runs and folds when it is done', () => {
    const { rerender } = render(<ThoughtTrace live thoughts={thoughts} />)
    expect(fold().open).toBe(true)
    expect(fold().dataset['state']).toBe('live')
    expect(hasWindow()).toBe(true)
    rerender(<ThoughtTrace thoughts={thoughts} durationMs={4100} />)
    expect(fold().open).toBe(false)
    expect(fold().dataset['state']).toBe('done')
    expect(label()).toBe('Thought for 4 s')
  })

  it('that ends keeps the time it was seen to take', () => {
    vi.useFakeTimers()
    try {
      const { rerender } = render(<ThoughtTrace live thoughts={thoughts} />)
      pass(7000)
      expect(label()).toBe('Thinking7 s')
      rerender(<ThoughtTrace thoughts={thoughts} />)
      pass(9000)
      expect(label()).toBe('Thought for 7 s')
    } finally {
      vi.useRealTimers()
    }
  })

  it('that begins later counts from there', () => {
    vi.useFakeTimers()
    try {
      const { rerender } = render(<ThoughtTrace thoughts={thoughts} />)
      pass(60_000)
      rerender(<ThoughtTrace live thoughts={thoughts} />)
      pass(2000)
      expect(label()).toBe('Thinking2 s')
    } finally {
      vi.useRealTimers()
    }
  })

  it('without a known time is only said to be one', () => {
    render(<ThoughtTrace thoughts={thoughts} />)
    expect(label()).toBe('Thought process')
  })

  it('announces nothing', () => {
    render(<ThoughtTrace live thoughts={thoughts} />)
    expect(document.querySelector('[aria-live], [role="status"], [role="log"], [role="alert"]')).toBeNull()
    expect(screen.getByText('0 s').getAttribute('aria-hidden')).toBe('true')
  })

  it('that broke off says so', () => {
    const { rerender } = render(<ThoughtTrace live thoughts={thoughts} />)
    rerender(<ThoughtTrace failed thoughts={thoughts} />)
    expect(label()).toBe('Thinking was interrupted')
    expect(fold().dataset['state']).toBe('failed')
  })

  it('that the agent hides is one row', () => {
    const { container } = render(<ThoughtTrace id="t" thoughts={[{ id: '1', text: '', redacted: true }]} />)
    expect(container.textContent).toBe('Reasoning is hidden')
    expect(container.querySelector('details')).toBeNull()
    expect(container.querySelector<HTMLElement>('#t')?.dataset['state']).toBe('redacted')
  })

  it('hidden among others is in its place', () => {
    render(<ThoughtTrace thoughts={[...thoughts, { id: '2', text: '', redacted: true }]} />)
    expect(fold().querySelector('.cs-fold-body')?.textContent).toBe('Two gauges have no width.Reasoning is hidden')
  })

  it('without words is nothing once it has ended', () => {
    expect(render(<ThoughtTrace thoughts={[{ id: '1', text: '' }]} />).container.innerHTML).toBe('')
  })

  it('renders only when it has changed, however often the answer around it does', () => {
    const root = vi.fn((props: RootProps) => <details {...props} />)
    const { rerender } = render(<ThoughtTrace thoughts={[...thoughts]} render={root} />)
    rerender(<ThoughtTrace thoughts={[...thoughts]} render={root} />)
    expect(root).toHaveBeenCalledTimes(1)
  })
})

describe('a reader who touched a thought', () => {
  it('finds it as they left it when it is done', () => {
    const { rerender } = render(<ThoughtTrace live thoughts={thoughts} />)
    toggle(false)
    toggle(true)
    rerender(<ThoughtTrace thoughts={thoughts} />)
    expect(fold().open).toBe(true)
  })

  it('finds it closed when it continues', () => {
    const { rerender } = render(<ThoughtTrace live thoughts={thoughts} />)
    toggle(false)
    rerender(<ThoughtTrace thoughts={thoughts} />)
    rerender(<ThoughtTrace live thoughts={thoughts} />)
    expect(fold().open).toBe(false)
  })

  it('keeps the window they read in, and has all of it when they open it again', () => {
    const { rerender } = render(<ThoughtTrace live thoughts={thoughts} />)
    toggle(false)
    toggle(true)
    rerender(<ThoughtTrace thoughts={thoughts} />)
    expect(hasWindow()).toBe(true)
    toggle(false)
    toggle(true)
    expect(hasWindow()).toBe(false)
  })

  it('sees it move slowly, and only then', () => {
    render(<ThoughtTrace live thoughts={thoughts} />)
    expect(fold().hasAttribute('data-auto')).toBe(true)
    toggle(false)
    expect(fold().hasAttribute('data-auto')).toBe(false)
  })
})

describe('a reader who scrolled up', () => {
  it('sees no thought fold', () => {
    const view = (live: boolean) => (
      <ReadingPositionContext.Provider value={{ atEnd: () => false }}>
        <ThoughtTrace live={live} thoughts={thoughts} />
      </ReadingPositionContext.Provider>
    )
    const { rerender } = render(view(true))
    rerender(view(false))
    expect(fold().open).toBe(true)
    expect(hasWindow()).toBe(true)
  })
})
