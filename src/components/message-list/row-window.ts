import type { Range } from '@tanstack/react-virtual'
import { observeElementRect, Virtualizer } from '@tanstack/react-virtual'
import { flushSync } from 'react-dom'
import { focusedElement, selectionEnds, windowOf } from '../../base/node-page.ts'
import { indexes } from './indexes.ts'

/** Rows beyond the view that are mounted too: what a fling shows before the next frame, and where the Tab key goes next. */
const OVERSCAN = 4
/** The newest rows are always mounted: the answer under way, and what it answers. */
const NEWEST = 8
/** Estimated height of a row that is not measured yet, in CSS pixels. A wrong estimate shows only in the scrollbar. */
const ESTIMATE = 160
/** Rows that come into view by the coming of others, at once; what is still to come has time until the next task. */
const MOST_NESTED = 20
/** A selection keeps at most so many rows mounted, so that all of it can be copied. */
const MOST_SELECTED = 200

export interface RowWindowOptions {
  /** The element that scrolls. */
  readonly view: HTMLElement
  /** Other rows are to be mounted. */
  readonly onChange: () => void
}

type Rows = readonly { readonly id: string }[]

/** Says which rows of a long log are mounted (on paper all of them), and how much space the others take. It scrolls nothing. */
export interface RowWindow {
  /** The indexes to mount, ascending; asked in every render. The first time it is all from `first` on, to be measured. */
  rows(messages: Rows, first: number): readonly number[]
  /** The space of the rows from index `from` up to, not including, `to`, in CSS pixels. */
  space(from: number, to: number): number
  /** The `ref` of every row, which carries its index as `data-index`. */
  readonly measure: (row: HTMLElement | null) => void
  /** The view is at the row of `seen`, its upper edge at `edge` of the page; without such a row, `offset` below the start of the log. */
  moveTo(seen: Node | null | undefined, edge: number, offset: number): void
  /** To be called in the layout effect of every render. */
  committed(): void
  dispose(): void
}

export function createRowWindow({ view, onChange }: RowWindowOptions): RowWindow {
  let messages: Rows = []
  let asked: readonly number[] = []
  /** Mounted rows: those requested in the last committed render. */
  let shown: readonly number[] = []
  let kept: readonly number[] | undefined
  let measured = false
  /** True while React renders and commits: `onChange` is not called then, because the rows are read afterwards. */
  let quiet = true
  let nested = 0
  let printing = false
  let report: (offset: number, moving: boolean) => void = () => {}

  /** The row a node is in, as an index. */
  function indexOf(node: Node | null | undefined): number {
    if (node) for (const [key, row] of virtualizer.elementsCache) if (row.contains(node)) return find(key)
    return -1
  }

  function find(key: unknown): number {
    return messages.findIndex(({ id }) => id === key)
  }

  /** Each once, in order, and none that is not there. */
  function existing(rows: readonly number[]): number[] {
    return [...new Set(rows)].filter((index) => index in messages).toSorted((a, b) => a - b)
  }

  function rangeExtractor({ startIndex, endIndex, count }: Range): number[] {
    if (printing) return [...indexes(0, count)]
    const [first = -1, last = -1] = selectionEnds(view)
      .map(indexOf)
      .toSorted((a, b) => a - b)
    const focused = indexOf(focusedElement(view))
    return existing([
      ...indexes(startIndex - OVERSCAN, endIndex + OVERSCAN + 1),
      ...indexes(count - NEWEST, count),
      // The Tab key continues from a focused row although the view is elsewhere.
      ...(focused < 0 ? [] : [focused - 1, focused, focused + 1]),
      ...(first < 0 || last - first > MOST_SELECTED ? [first, last] : indexes(first, last + 1)),
    ])
  }

  /** The rows to mount now; of a list that is hidden, those that are. */
  function current(): readonly number[] {
    const rows = virtualizer.getVirtualIndexes()
    if (virtualizer.range) kept = undefined
    else
      kept ??= existing([
        ...[...virtualizer.elementsCache.keys()].map(find),
        ...indexes(messages.length - NEWEST, messages.length),
      ])
    return kept ?? rows
  }

  const virtualizer = new Virtualizer<HTMLElement, HTMLElement>(options())

  function options() {
    return {
      count: messages.length,
      getItemKey: (index: number) => messages[index]?.id ?? index,
      estimateSize: () => ESTIMATE,
      getScrollElement: () => view,
      observeElementRect,
      observeElementOffset: (_: unknown, changed: typeof report) => {
        report = changed
      },
      scrollToFn: () => {},
      // Its identity makes the virtualizer ask again.
      rangeExtractor: (range: Range) => rangeExtractor(range),
      onChange: check,
    }
  }

  /** Restores `quiet` afterwards: a render may be discarded, and a ref attached again, without a commit. */
  function quietly(act: () => void): void {
    const before = quiet
    quiet = true
    act()
    quiet = before
  }

  function check(): void {
    if (quiet || current() === shown) return
    // React renders updates of layout effects synchronously and throws after too many nested ones, so their number is
    // limited.
    if (nested === 0) queueMicrotask(() => (nested = 0))
    nested += 1
    if (nested < MOST_NESTED) onChange()
    else setTimeout(check)
  }

  /** Rows that come or go above the view move it, so that those in view stay mounted. */
  function update(next: Rows): void {
    const before = virtualizer.measurementsCache[virtualizer.range?.startIndex ?? 0]
    messages = next
    kept = undefined
    virtualizer.setOptions(options())
    virtualizer.getVirtualIndexes()
    const after = before && virtualizer.measurementsCache[find(before.key)]
    if (after && after.start !== before.start)
      report((virtualizer.scrollOffset ?? 0) + after.start - before.start, false)
  }

  function print({ type }: Event): void {
    printing = type === 'beforeprint'
    virtualizer.setOptions(options())
    flushSync(onChange)
  }

  const page = windowOf(view)
  page?.addEventListener('beforeprint', print)
  page?.addEventListener('afterprint', print)
  const forget = virtualizer._didMount()

  return {
    rows(next, first) {
      quietly(() => {
        if (next !== messages) update(next)
      })
      asked = measured ? current() : indexes(first, next.length)
      return asked
    },
    space(from, to) {
      const { [from]: first, [to - 1]: last } = virtualizer.measurementsCache
      return first && last ? last.end - first.start : 0
    },
    measure(row) {
      quietly(() => virtualizer.measureElement(row))
    },
    moveTo(seen, edge, offset) {
      // Measured from a row that stays mounted, so the offset does not depend on the rows the window mounts, and it
      // converges.
      const item = virtualizer.measurementsCache[indexOf(seen)]
      const row = item && virtualizer.elementsCache.get(item.key)
      report(item && row ? item.start + edge - row.getBoundingClientRect().top : offset, false)
    },
    committed() {
      virtualizer._willUpdate()
      quiet = false
      measured = true
      shown = asked
      check()
    },
    dispose() {
      forget()
      page?.removeEventListener('beforeprint', print)
      page?.removeEventListener('afterprint', print)
    },
  }
}
