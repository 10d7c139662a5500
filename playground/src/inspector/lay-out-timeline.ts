import type { Mark, WireRun } from '../wire/wire-snapshot.ts'
import { BYTES_EVERY_MS } from '../wire/wire-snapshot.ts'
import type { Caption } from './captions.ts'
import { captionsWithRoom } from './captions.ts'
import type { ConnectionLane } from './lay-out-connections.ts'
import { layOutConnections } from './lay-out-connections.ts'
import type { StreamLane } from './lay-out-stream.ts'
import { layOutStream } from './lay-out-stream.ts'
import type { TimeAxis } from './time-axis.ts'
import { timeAxis } from './time-axis.ts'

export interface TimelineRoom {
  /** Pixels. */
  readonly width: number
  /** Milliseconds since the run began. */
  readonly now: number
  /** The run is not over. */
  readonly live: boolean
}

/** A lane and where it is: `y` is its middle, `labelY` the baseline of its name. */
export interface Laid<Lane> {
  readonly lane: Lane
  readonly y: number
  readonly labelY: number
}

/** A run as a picture: everything in pixels. */
export interface Timeline {
  readonly axis: TimeAxis
  readonly height: number
  /** Names have ended their lanes, for want of space next to them. */
  readonly narrow: boolean
  readonly connection: Laid<ConnectionLane & { readonly captions: readonly Caption[] }>
  readonly streams: readonly Laid<StreamLane & { readonly streamId: string | undefined }>[]
  readonly bytes: Laid<{
    readonly bars: readonly { readonly x: number; readonly width: number; readonly height: number }[]
  }>
}

const NARROW = 520
const MOST_LANES = 6
const BAR_HEIGHT = 20
const NAME_WIDTH = 96
const EDGE = 12

/** Heights of rows, with names beside the lanes and above them. */
const WIDE_ROWS = { connection: 46, stream: 48, replayed: 0, bytes: 52, label: -2 }
const NARROW_ROWS = { connection: 66, stream: 46, replayed: 14, bytes: 56, label: -18 }

export function layOutTimeline(run: WireRun, { width, now, live }: TimelineRoom): Timeline {
  const narrow = width < NARROW
  const rows = narrow ? NARROW_ROWS : WIDE_ROWS
  const end = live ? now : lastMoment(run)
  const axis = timeAxis(end, narrow ? EDGE : NAME_WIDTH, width - EDGE)
  const connection = layOutConnections(run, axis, end, live)

  let y = rows.connection
  const labelOf = (middle: number): number => (narrow ? middle + rows.label : middle + 1)
  const streams = byStream(run.marks).map(([streamId, marks]) => {
    const lane = layOutStream(streamId ?? 'more streams', marks, axis)
    y += rows.stream
    const laid = { lane: { ...lane, streamId }, y, labelY: labelOf(y) }
    if (lane.replayed.length > 0) y += rows.replayed
    return laid
  })
  y += rows.bytes
  return {
    axis,
    narrow,
    height: y + EDGE,
    connection: {
      lane: { ...connection, captions: captionsWithRoom(connection.captions, axis.left, axis.right) },
      y: rows.connection,
      labelY: narrow ? 34 : rows.connection + 1,
    },
    streams,
    bytes: { lane: { bars: barsOf(run.bytes, axis) }, y, labelY: narrow ? y - BAR_HEIGHT - 10 : y - 14 },
  }
}

function lastMoment({ marks, attempts }: WireRun): number {
  return Math.max(0, marks.at(-1)?.at ?? 0, ...attempts.map(({ at, endedAt = at }) => endedAt))
}

/** Marks of each stream in order of appearance; from the seventh stream on they share a lane. */
function byStream(marks: readonly Mark[]): [streamId: string | undefined, marks: Mark[]][] {
  const streams = new Map<string, Mark[]>()
  for (const mark of marks) {
    if (mark.kind === 'drop') continue
    const id = mark.streamId ?? 'answer'
    const own = streams.get(id)
    if (own === undefined) streams.set(id, [mark])
    else own.push(mark)
  }
  const all = [...streams]
  if (all.length <= MOST_LANES) return all
  const rest = all.slice(MOST_LANES - 1).flatMap(([, own]) => own)
  return [...all.slice(0, MOST_LANES - 1), [undefined, rest.toSorted((a, b) => a.at - b.at)]]
}

/** Bars of at least two pixels: a long run joins several steps in one. By the root of what came, or a replay would flatten all else. */
function barsOf(bytes: readonly number[], axis: TimeAxis): { x: number; width: number; height: number }[] {
  const perStep = axis.x(BYTES_EVERY_MS) - axis.x(0)
  const join = Math.max(1, Math.ceil(3 / Math.max(0.01, perStep)))
  const sums: number[] = []
  for (const [step, count] of bytes.entries()) {
    const at = Math.floor(step / join)
    sums[at] = (sums[at] ?? 0) + count
  }
  const most = Math.max(1, ...sums)
  const width = Math.max(2, Math.min(8, perStep * join - 1))
  return sums.flatMap((count, index) =>
    count > 0
      ? [
          {
            x: axis.x(index * join * BYTES_EVERY_MS),
            width,
            height: Math.max(2, Math.round(Math.sqrt(count / most) * BAR_HEIGHT * 10) / 10),
          },
        ]
      : [],
  )
}
