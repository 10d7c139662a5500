import { flushSync } from 'react-dom'
import { createSizeObserver, windowOf } from '../../base/node-page.ts'
import type { ReadingPosition } from '../internals/reading-position-context.ts'
import type { RowWindow } from './row-window.ts'

/** How near to the end still counts as the live edge, in CSS pixels. */
const LIVE_EDGE = 48

/** A scroll has ended when nothing has moved for so long, in milliseconds: more than a fling's last, slow pixels take. */
const REST_MS = 150

/** How long a scroll may last that the wheel, a key or a press has begun, in milliseconds. */
const INPUT_MS = 1_000

/** What is on the page after a commit of the list. */
export interface Shown {
  /** The id of the first message. */
  readonly firstId: string | undefined
  /** The id of the first mounted one. */
  readonly firstRow: string | undefined
  /** Another value than before: the user has begun a run themselves, wherever they were reading. */
  readonly begun: unknown
  /** Knows which rows are in view, when some are left out. */
  readonly rowWindow: RowWindow | undefined
  /** Called when the reader comes to the start. */
  readonly onReachStart: (() => void) | undefined
}

/** Where a reader is in a log that grows at its end, and sometimes above them. Everything that scrolls it goes through here. */
export interface ReadingPositionTracker extends ReadingPosition {
  /** Begins to watch the element that scrolls, the column that grows in it, and the log at the end of that; gives the way to stop. */
  attach(view: HTMLElement): () => void
  /** Goes to the end and follows it. */
  toEnd(): void
  /** Scrolls to the start, whose distance is not known until the rows above are measured. */
  toStart(): void
  /** To be called in the layout effect of every render: nothing moves for the reader, or the end stays in view. */
  commit(shown: Shown): void
  /** The element that scrolls, while attached. */
  readonly view: HTMLElement | undefined
  /** What is on the page, after the first commit. */
  readonly shown: Shown | undefined
  /** The ids that have been at the start. */
  readonly starts: ReadonlySet<string>
}

/** Needs no layout before `attach`, so it can be made on a server. */
export function createReadingPosition(onAway: (away: boolean) => void): ReadingPositionTracker {
  let view: HTMLElement | undefined
  let page: Window | null = null
  let column: HTMLElement
  let log: Element
  let following = true
  let away = false
  /** A touch is in progress: setting the scroll position now would interfere with it. */
  let touched = false
  /** Scroll position that was last written or read here. Any other position comes from the reader. */
  let top = 0
  /** Position of the end at the last scroll: growth since then does not count as scrolling away. */
  let end = 0
  /** What is before the reader's eyes, from the outermost element to the innermost. */
  let marks: readonly Mark[] = []
  let shown: Shown | undefined
  const starts = new Set<string>()
  /** By how much the column is drawn up instead of scrolled: a scroll written while the view moves would end the movement. */
  let held = 0
  /** Set while the view moves, or may continue moving in a moment. */
  let resting: ReturnType<typeof setTimeout> | undefined
  /** When something was done in the view that may scroll it, as events tell the time. */
  let input = -INPUT_MS
  let frame = 0
  let reached = false
  let sizes: ResizeObserver | undefined
  /** Changes with the rows that are mounted. */
  let rows = ''

  function write(to: number): void {
    if (!view) return
    view.scrollTop = to
    top = view.scrollTop
  }

  function draw(up: number): void {
    held = up
    column.style.setProperty('margin-block-start', `${-up}px`)
  }

  function settle(): void {
    if (!view || held === 0) return
    const to = view.scrollTop + held
    draw(0)
    write(to)
  }

  function follow(value: boolean): void {
    following = value
    if (value) leave(false)
  }

  function leave(value: boolean): void {
    if (value !== away) onAway((away = value))
  }

  function mark(): void {
    if (view) marks = findMarks(log, view.getBoundingClientRect().top, view.clientHeight)
  }

  function hold(): void {
    if (!view) return
    const edge = view.getBoundingClientRect().top
    const known = marks.findLast(({ element }) => element.isConnected)
    if (!known) return mark()
    const moving = touched || resting !== undefined
    // The view may have scrolled already while its scroll event is still pending: that distance is the reader's own
    // scrolling.
    const own = moving ? view.scrollTop - top : 0
    const by = known.element.getBoundingClientRect().top - edge - known.top + own
    if (Math.abs(by) < 0.5) return
    if (moving) draw(held + by)
    else write(view.scrollTop + by)
  }

  function pin(): void {
    if (!view || touched) return
    settle()
    write(view.scrollHeight)
    end = view.scrollHeight - view.clientHeight
  }

  function report(): void {
    if (!view) return
    const edge = view.getBoundingClientRect().top
    const gone = edge - log.getBoundingClientRect().top
    shown?.rowWindow?.moveTo(following ? log.lastElementChild?.lastElementChild : marks.at(-1)?.element, edge, gone)
    const near = log.childElementCount > 0 && gone <= view.clientHeight
    if (near && !reached) shown?.onReachStart?.()
    reached = near
  }

  /** Watches each row too: what grows above while as much goes below leaves the column as high as it was. */
  function watch(): void {
    if (!view || !sizes) return
    const now = [shown?.firstRow, log.childElementCount, log.lastElementChild?.childElementCount].join(' ')
    if (now === rows) return
    rows = now
    sizes.disconnect()
    for (const element of [view, column, ...log.querySelectorAll('.cs-row')]) sizes.observe(element)
  }

  function keep(): void {
    // A hidden view has no scroll position to restore.
    if (!view?.clientHeight) return
    if (following) pin()
    else hold()
    report()
  }

  function stir(): void {
    calm()
    // A busy page receives scroll events late, so two frames must follow the timeout before the scroll counts as ended.
    resting = setTimeout(() => nextFrame(() => nextFrame(rest)), REST_MS)
  }

  function nextFrame(act: () => void): void {
    frame = page?.requestAnimationFrame(act) ?? 0
  }

  function calm(): void {
    clearTimeout(resting)
    page?.cancelAnimationFrame(frame)
    resting = undefined
  }

  function rest(): void {
    calm()
    if (touched) return
    settle()
    if (away) return
    follow(true)
    keep()
  }

  function onScroll({ timeStamp }: Event): void {
    if (!view) return
    const now = view.scrollTop
    const by = now - top
    if (Math.abs(by) < 1) return
    top = now
    // Readers use the wheel, a key or the pointer, continue, or go far. A browser that lays out content while that is shorter for a moment moves
    // the view as well, and no event tells that.
    const isReader =
      away || touched || resting !== undefined || timeStamp - input < INPUT_MS || -by >= view.clientHeight / 2
    stir()
    const last = view.scrollHeight - view.clientHeight
    // An upward movement that ends exactly at the end means that the content became shorter.
    if (last - now <= (by > 0 ? LIVE_EDGE : 1)) {
      follow(true)
      end = last
    } else {
      if (by < 0) follow(false)
      // Otherwise the end is followed again after a moment, as it is after a small movement.
      if (!following && isReader) leave((away ? last : end) - now > LIVE_EDGE)
    }
    mark()
    report()
  }

  function onTouch({ touches }: TouchEvent): void {
    touched = touches.length > 0
    if (!touched) stir()
  }

  return {
    attach(scrolling) {
      // The list puts them there.
      column = scrolling.firstElementChild as HTMLElement
      log = column.lastElementChild as HTMLElement
      view = scrolling
      page = windowOf(scrolling)
      const stop = new AbortController()
      const options = { passive: true, signal: stop.signal }
      // Rows that come into view by a scroll are there before the next paint.
      scrolling.addEventListener(
        'scroll',
        (event) => scrolling.scrollTop !== top && flushSync(() => onScroll(event)),
        options,
      )
      for (const type of ['wheel', 'keydown', 'pointerdown'] as const)
        scrolling.addEventListener(type, ({ timeStamp }) => (input = timeStamp), options)
      for (const type of ['touchstart', 'touchend', 'touchcancel'] as const)
        scrolling.addEventListener(type, onTouch, options)
      sizes = createSizeObserver(scrolling, keep)
      watch()
      keep()
      return () => {
        view = undefined
        rows = ''
        stop.abort()
        sizes?.disconnect()
        calm()
      }
    },
    toEnd() {
      follow(true)
      keep()
    },
    toStart() {
      follow(false)
      leave(true)
      marks = []
      draw(0)
      write(0)
      keep()
    },
    commit(next) {
      const last = shown
      shown = next
      if (next.firstId !== undefined) starts.add(next.firstId)
      if (next.firstId !== last?.firstId) reached = false
      next.rowWindow?.committed()
      watch()
      if (last && next.begun !== last.begun) follow(true)
      keep()
    },
    atEnd: () => !away,
    get view() {
      return view
    },
    get shown() {
      return shown
    },
    starts,
  }
}

/** A thing on the page, and how far below the upper edge of the view it begins. */
interface Mark {
  readonly element: Element
  readonly top: number
}

function firstInView(parent: Element, edge: number): Mark | undefined {
  for (const element of parent.children) {
    const { top, bottom, height } = element.getBoundingClientRect()
    if (height > 0 && bottom > edge && element.className !== 'cs-spacer') return { element, top: top - edge }
  }
  return undefined
}

/**
 * What the reader has before their eyes at `edge`, from the whole message down to the first thing that begins in view:
 * when the innermost element is removed, the element around it still marks the position.
 */
function findMarks(log: Element, edge: number, depth: number): readonly Mark[] {
  const marks: Mark[] = []
  let mark = firstInView(log, edge)
  while (mark && mark.top < depth) {
    marks.push(mark)
    if (mark.top >= 0) break
    mark = firstInView(mark.element, edge)
  }
  return marks
}
