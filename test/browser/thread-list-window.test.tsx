import { cleanup, render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import '../../src/styles.css'
import { ThreadList } from '../../src/components/thread-list.tsx'
import type { Thread } from '../../src/state/thread.ts'
import { painted } from './transcript.tsx'

afterEach(cleanup)

const COUNT = 10_000
const threads: readonly Thread[] = Array.from({ length: COUNT }, (_, at) => ({
  id: `thread-${at}`,
  title:
    at % 3 === 0 ? `Reach ${at}` : `Reach ${at} of a river whose name is much longer than any row of this list is wide`,
  status: at % 5 === 0 ? 'failed' : 'idle',
  unread: at % 7 === 0,
  createdAt: at,
  updatedAt: at,
}))

async function show(): Promise<HTMLElement> {
  render(
    <div style={{ inlineSize: 320, blockSize: 500, display: 'grid' }}>
      <ThreadList threads={threads} onSelect={() => {}} />
    </div>,
  )
  await painted(2)
  return document.querySelector<HTMLElement>('.cs-threads-list')!
}

/** Pixels of the view that no row covers. */
function blank(list: HTMLElement): number {
  const view = list.getBoundingClientRect()
  return [...list.querySelectorAll('li[role=presentation]')].reduce((sum, space) => {
    const box = space.getBoundingClientRect()
    return sum + Math.max(0, Math.min(view.bottom, box.bottom) - Math.max(view.top, box.top))
  }, 0)
}

const mounted = (list: HTMLElement): number => list.querySelectorAll('.cs-thread').length

describe('a list of 10,000 conversations that scrolls', () => {
  it('is as high as all of its rows, and mounts those around the view wherever that is', async () => {
    const list = await show()
    const height = list.querySelector<HTMLElement>('.cs-thread')!.offsetHeight
    expect(Math.abs(list.scrollHeight - COUNT * height)).toBeLessThan(100)
    for (const at of [0.3, 0.7, 1, 0]) {
      list.scrollTop = at * (list.scrollHeight - list.clientHeight)
      await painted(2)
      expect(blank(list)).toBe(0)
      expect(mounted(list)).toBeLessThan(80)
    }
  })

  it('has rows of one height', async () => {
    const list = await show()
    const heights = new Set([...list.querySelectorAll<HTMLElement>('.cs-thread')].map((row) => row.offsetHeight))
    expect(heights.size).toBe(1)
  })

  it('keeps the focus while its row scrolls out of view', async () => {
    const list = await show()
    const row = list.querySelectorAll<HTMLElement>('.cs-thread-open')[1]!
    row.focus()
    list.scrollTop = list.scrollHeight
    await painted(2)
    expect(document.activeElement).toBe(row)
    expect(mounted(list)).toBeLessThan(80)
  })
})

describe('a list of 10,000 conversations that is as high as its rows', () => {
  const around = {
    'in a box that scrolls': (list: ReactNode) => (
      <aside style={{ inlineSize: 320, blockSize: 500, overflow: 'auto' }}>{list}</aside>
    ),
    'on a page that scrolls': (list: ReactNode) => <div style={{ inlineSize: 320 }}>{list}</div>,
  }
  const scrollerOf = (list: HTMLElement): Element => list.closest('aside') ?? document.scrollingElement!

  it.each(Object.entries(around))('mounts the rows around the view, %s', async (_, wrap) => {
    const { container } = render(
      wrap(
        <>
          <h2 style={{ blockSize: 300 }}>Earlier conversations</h2>
          <ThreadList threads={threads} onSelect={() => {}} />
        </>,
      ),
    )
    await painted(2)
    const list = container.querySelector<HTMLElement>('.cs-threads-list')!
    const scroller = scrollerOf(list)
    const height = list.querySelector<HTMLElement>('.cs-thread')!.offsetHeight
    expect(Math.abs(list.offsetHeight - COUNT * height)).toBeLessThan(100)
    for (const at of [0.3, 0.7, 1, 0]) {
      scroller.scrollTop = at * (scroller.scrollHeight - scroller.clientHeight)
      await painted(2)
      expect(mounted(list)).toBeLessThan(80)
      expect(mounted(list)).toBeGreaterThan(10)
      const first = document.elementFromPoint(100, Math.min(480, innerHeight - 40))
      expect(first?.closest('.cs-thread'), `at ${at}`).not.toBeNull()
    }
    scroller.scrollTop = 0
  })
})
