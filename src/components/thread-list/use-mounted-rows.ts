import type { RefObject } from 'react'
import { useEffect, useLayoutEffect, useState } from 'react'
import { createSizeObserver, isElement, rootsOf, windowOf } from '../../base/dom/node-page.ts'

/** Up to so many rows are all mounted. */
const ALL_UP_TO = 100
/** Rows beyond the view that are mounted too: what is shown before the next frame while the list scrolls, and what arrow keys go to. */
const OVERSCAN = 12
/** Rows that are mounted before the height of one is known. */
const UNMEASURED = 40

/** What of a list is in view: indexes of rows, and the height of one in CSS pixels; 0 until it is measured. */
interface View {
  readonly first: number
  readonly last: number
  readonly rowHeight: number
}

export interface MountedRows {
  /** Indexes of the rows to mount, ascending. */
  readonly indexes: readonly number[]
  /** Height of a row in CSS pixels, for the space of those that are not mounted. */
  readonly rowHeight: number
}

const START: View = { first: 0, last: UNMEASURED, rowHeight: 0 }

const useBrowserLayoutEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect

/**
 * Windowing: says which rows of a long list are mounted, those around the view, whether the list scrolls, a box around it
 * or the page. All rows are as high as the first.
 * @param kept index of a row that stays mounted wherever the view is, such as the one with the focus
 */
export function useMountedRows(list: RefObject<HTMLElement | null>, count: number, kept: number): MountedRows {
  const [view, setView] = useState(START)
  const isLong = count > ALL_UP_TO
  useBrowserLayoutEffect(() => {
    const element = list.current
    if (!isLong || element === null) return undefined
    const clips = clipsOf(element)
    const look = (): void => setView((before) => viewOf(element, clips, before))
    look()
    // Absent in tests without a browser.
    const size = createSizeObserver(element, look)
    for (const clip of clips) size?.observe(clip)
    const listening = new AbortController()
    const { signal } = listening
    // In the capture phase a root is notified of every box that scrolls in it, and not of those in a shadow root below.
    for (const root of rootsOf(element)) root.addEventListener('scroll', look, { passive: true, capture: true, signal })
    windowOf(element)?.addEventListener('resize', look, { signal })
    return () => {
      size?.disconnect()
      listening.abort()
    }
  }, [list, isLong])

  if (!isLong) return { indexes: Array.from({ length: count }, (_, index) => index), rowHeight: 0 }
  const first = Math.max(0, Math.min(view.first, count - UNMEASURED) - OVERSCAN)
  const last = Math.min(count, view.last + OVERSCAN)
  const indexes = Array.from({ length: last - first }, (_, at) => first + at)
  if (kept >= 0 && kept < first) indexes.unshift(kept)
  if (kept >= last) indexes.push(kept)
  return { indexes, rowHeight: view.rowHeight }
}

/** The list, and the boxes around it that show only a part of what is in them. */
function clipsOf(list: HTMLElement): readonly HTMLElement[] {
  const view = windowOf(list)
  const boxes = rootsOf(list).flatMap((root, at, roots) => {
    const before = roots[at - 1]
    const from =
      before === undefined ? list.parentElement : 'host' in before && isElement(before.host) ? before.host : null
    const boxes: HTMLElement[] = []
    for (let box = from; box !== null && box !== list.ownerDocument.body; box = box.parentElement)
      boxes.push(box as HTMLElement)
    return boxes
  })
  return [list, ...boxes.filter((box) => view?.getComputedStyle(box).overflowY !== 'visible')]
}

function viewOf(list: HTMLElement, clips: readonly HTMLElement[], before: View): View {
  const rowHeight = list.querySelector<HTMLElement>('.cs-thread')?.offsetHeight ?? 0
  if (rowHeight === 0) return before
  let top = 0
  let bottom = windowOf(list)?.innerHeight ?? 0
  for (const clip of clips) {
    const box = clip.getBoundingClientRect()
    top = Math.max(top, box.top)
    bottom = Math.min(bottom, box.bottom)
  }
  const start = list.getBoundingClientRect().top - list.scrollTop
  const first = Math.max(0, Math.floor((top - start) / rowHeight))
  const last = Math.max(first, Math.ceil((bottom - start) / rowHeight))
  // The same object while the same rows are in view: nothing renders for a scroll by a few pixels.
  return before.first === first && before.last === last && before.rowHeight === rowHeight
    ? before
    : { first, last, rowHeight }
}
