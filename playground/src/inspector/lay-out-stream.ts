import type { Mark } from '../wire/wire-snapshot.ts'
import { distinct } from './distinct.ts'
import type { TimeAxis } from './time-axis.ts'

/** A mark that is by itself and can be pointed at. Its words are left out where other marks would be in them. */
export interface PlacedMark {
  readonly x: number
  readonly kind: Mark['kind']
  readonly label?: string | undefined
}

/** The lane of one stream. */
export interface StreamLane {
  /** As short as an eye can compare it. */
  readonly name: string
  /** What it carries, in words. */
  readonly carries: string
  /** Places of text, one a pixel. */
  readonly deltas: readonly number[]
  /** Places of earlier packets. */
  readonly replays: readonly number[]
  readonly signs: readonly PlacedMark[]
  /** With words that keep between the edges. */
  readonly replayed: readonly {
    readonly from: number
    readonly to: number
    readonly label: string
    readonly labelX: number
  }[]
  readonly gaps: readonly { readonly from: number; readonly to: number; readonly label: string }[]
}

/** Fewer in a row are no replay, just packets that came twice. */
const FEWEST_REPLAYED = 3
const NARROWEST_GAP = 12
/** Space for “1000 replayed”, in pixels. */
const LABEL_WIDTH = 76
const LONGEST_NAME = 12
/** From a mark to its words, and about as much for each letter. */
const TO_WORDS = 10
const LETTER_WIDTH = 6

export function layOutStream(streamId: string, marks: readonly Mark[], axis: TimeAxis): StreamLane {
  const deltas = new Set<number>()
  const replays = new Set<number>()
  const signs: PlacedMark[] = []
  const gaps: StreamLane['gaps'][number][] = []
  const runs: { first: number; last: number; count: number }[] = []
  let again: (typeof runs)[number] | undefined
  let before: number | undefined

  for (const { kind, at, replay, label } of marks) {
    const x = axis.x(at)
    if (replay === true) {
      replays.add(Math.round(x))
      if (again === undefined) runs.push((again = { first: at, last: at, count: 0 }))
      again.last = at
      again.count += 1
      continue
    }
    again = undefined
    if (kind === 'gap') {
      const from = Math.min(before ?? x, x - NARROWEST_GAP)
      gaps.push({ from, to: x, label: `gap ${label ?? ''}`.trim() })
    } else if (kind === 'delta' || kind === 'other') deltas.add(Math.round(x))
    else signs.push({ x, kind, label: kind === 'warning' || kind === 'error' ? label : undefined })
    before = x
  }
  return {
    name: shortName(streamId),
    carries: wordsFor(marks),
    deltas: [...deltas],
    replays: [...replays].filter((x) => !deltas.has(x)),
    signs: distinct(signs, ({ kind, x }) => `${kind} ${x}`).map((sign) =>
      withRoom(sign, [...deltas, ...replays, ...signs.map((other) => other.x)]),
    ),
    gaps: distinct(gaps, ({ from }) => from),
    replayed: distinct(
      runs
        .filter(({ count }) => count >= FEWEST_REPLAYED)
        .map(({ first, last, count }) => ({
          from: axis.x(first),
          to: axis.x(last),
          label: `${count} replayed`,
          labelX: Math.min(axis.x(first), axis.right - LABEL_WIDTH),
        })),
      ({ from }) => from,
    ),
  }
}

function withRoom(mark: PlacedMark, places: readonly number[]): PlacedMark {
  const { x, label } = mark
  if (label === undefined) return mark
  const end = x + TO_WORDS + label.length * LETTER_WIDTH
  return places.some((place) => place > x && place < end) ? { ...mark, label: undefined } : mark
}

function shortName(streamId: string): string {
  return streamId.length <= LONGEST_NAME ? streamId : `${streamId.slice(0, 4)}…${streamId.slice(-4)}`
}

function wordsFor(marks: readonly Mark[]): string {
  const text = marks.some(({ kind }) => kind === 'delta')
  const events = marks.some(({ kind }) => kind === 'event')
  return [text && 'text', events && 'events'].filter((word) => word !== false).join(', ')
}
