// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { ThreadList } from '../../src/components/thread-list.tsx'
import type { Thread } from '../../src/state/thread.ts'
import './show.tsx'

const threads = (count: number): readonly Thread[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `thread-${at}`,
    title: `Reach ${at} of the river`,
    status: 'idle',
    unread: false,
    createdAt: at,
    updatedAt: at,
  }))

const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('.cs-thread-open')]

describe('a list of 10,000 conversations', () => {
  it('mounts some dozen rows, each with its place in the whole', () => {
    render(<ThreadList threads={threads(10_000)} onSelect={() => {}} />)
    expect(rows().length).toBeGreaterThan(20)
    expect(rows().length).toBeLessThan(80)
    expect(rows()[2]?.closest('li')?.getAttribute('aria-posinset')).toBe('3')
    expect(rows()[2]?.closest('li')?.getAttribute('aria-setsize')).toBe('10000')
  })

  it('leads to its last row with End, on with arrows, and back with Home', () => {
    render(<ThreadList threads={threads(10_000)} onSelect={() => {}} />)
    const [first] = rows()
    first?.focus()
    fireEvent.keyDown(first!, { key: 'End' })
    expect(document.activeElement).toBe(rows().at(-1))
    expect(rows().at(-1)?.dataset['thread']).toBe('thread-9999')
    fireEvent.keyDown(document.activeElement!, { key: 'ArrowUp' })
    expect((document.activeElement as HTMLElement).dataset['thread']).toBe('thread-9998')
    fireEvent.keyDown(document.activeElement!, { key: 'Home' })
    expect(document.activeElement).toBe(rows()[0])
    expect(rows().length).toBeLessThan(80)
  })

  it('finds a conversation that is not mounted', () => {
    render(<ThreadList threads={threads(10_000)} onSelect={() => {}} />)
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'reach 8765' } })
    expect(rows().map(({ dataset }) => dataset['thread'])).toEqual(['thread-8765'])
  })

  it('says that no conversation matches', () => {
    render(<ThreadList threads={threads(100)} onSelect={() => {}} />)
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'no such reach' } })
    expect(rows()).toHaveLength(0)
    expect(screen.getByText('No matching conversations')).toBeTruthy()
  })
})

describe('a list of 100 conversations', () => {
  it('mounts all of them, and counts none', () => {
    render(<ThreadList threads={threads(100)} onSelect={() => {}} />)
    expect(rows()).toHaveLength(100)
    expect(document.querySelector('[aria-posinset], li[role=presentation]')).toBeNull()
  })
})
