import type { KeyboardEvent, PointerEvent, ReactNode } from 'react'
import { useMemo } from 'react'
import { useChatSelector } from 'capstan/react'
import { useBench } from '../bench.ts'
import { useStore, useStoreSlowly } from '../store.ts'
import { useNow } from '../use-now.ts'
import type { Mark } from '../wire/wire-snapshot.ts'
import type { Timeline as Picture } from './lay-out-timeline.ts'
import { layOutTimeline } from './lay-out-timeline.ts'
import { BytesLane, Grid, ConnectionLane, StreamLane } from './timeline-lanes.tsx'
import { useWidth } from './use-width.ts'

const EVERY_MS = 100
const ENDED: ReadonlySet<string> = new Set(['idle', 'closed', 'failed', 'stopped'])
/** How far from a mark a pointer may be, in pixels. */
const REACH = 14

/**
 * The newest run over time: the connection with its attempts, drops and waits, a lane for each stream, the bytes. A packet is
 * selected by a press, or by the arrow keys.
 */
export function Timeline(): ReactNode {
  const bench = useBench()
  const { run } = useStoreSlowly(bench.wire, EVERY_MS)
  const selected = useStore(bench.selected)
  const live = useChatSelector(({ connection }) => !ENDED.has(connection.phase))
  const now = useNow(live, EVERY_MS) - run.startedAt
  const [view, width] = useWidth<HTMLDivElement>()
  const picture = useMemo(
    () => (width > 0 ? layOutTimeline(run, { width, now, live }) : undefined),
    [run, width, now, live],
  )

  if (run.requestId === undefined) {
    return (
      <div ref={view} className="pg-timeline">
        <p className="pg-nothing">No requests yet.</p>
      </div>
    )
  }
  const mark = selected === undefined ? undefined : run.marks.find(({ row }) => row === selected)

  const point = (event: PointerEvent<SVGSVGElement>): void => {
    if (picture === undefined) return
    const box = event.currentTarget.getBoundingClientRect()
    const nearest = nearestMark(run.marks, picture, event.clientX - box.left, event.clientY - box.top)
    if (nearest?.row !== undefined) bench.selected.set(nearest.row)
  }
  const step = (event: KeyboardEvent): void => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (by === 0) return
    event.preventDefault()
    const packets = run.marks.filter(({ row }) => row !== undefined)
    const at = mark === undefined ? (by > 0 ? -1 : packets.length) : packets.indexOf(mark)
    const next = packets[Math.min(packets.length - 1, Math.max(0, at + by))]
    if (next?.row !== undefined) bench.selected.set(next.row)
  }

  return (
    // The arrow keys go from packet to packet; the log says the same in words.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div ref={view} className="pg-timeline" tabIndex={0} role="group" aria-label="Timeline" onKeyDown={step}>
      {picture && (
        <svg
          className="pg-tl"
          width={width}
          height={picture.height}
          viewBox={`0 0 ${width} ${picture.height}`}
          role="img"
          aria-label={inWords(picture)}
          onPointerDown={point}
        >
          <Grid picture={picture} />
          <ConnectionLane picture={picture} />
          {picture.streams.map((stream) => (
            <StreamLane key={stream.lane.streamId ?? 'more'} stream={stream} narrow={picture.narrow} />
          ))}
          <BytesLane picture={picture} />
          {mark && <Cursor x={picture.axis.x(mark.at)} y={laneOf(picture, mark)} bottom={picture.bytes.y} />}
        </svg>
      )}
    </div>
  )
}

function Cursor({ x, y, bottom }: { readonly x: number; readonly y: number; readonly bottom: number }): ReactNode {
  return (
    <>
      <path className="pg-tl-cursor" d={`M${x} 20V${bottom}`} />
      <circle className="pg-tl-selected" cx={x} cy={y} r="10" />
    </>
  )
}

function laneOf({ streams, connection }: Picture, { streamId }: Mark): number {
  const own = streams.find(({ lane }) => lane.streamId === (streamId ?? 'answer')) ?? streams.at(-1)
  return own?.y ?? connection.y
}

function nearestMark(marks: readonly Mark[], picture: Picture, x: number, y: number): Mark | undefined {
  let nearest: Mark | undefined
  let distance = Infinity
  for (const mark of marks) {
    if (mark.row === undefined) continue
    const across = Math.abs(picture.axis.x(mark.at) - x)
    if (across > REACH) continue
    // The lane counts for more than the exact moment.
    const away = across + Math.abs(laneOf(picture, mark) - y) * 4
    if (away < distance) {
      nearest = mark
      distance = away
    }
  }
  return nearest
}

function inWords({ connection, streams, axis }: Picture): string {
  const drops = connection.lane.endings.filter(({ kind }) => kind === 'drop').length
  const gaps = streams.reduce((sum, { lane }) => sum + lane.gaps.length, 0)
  const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`
  return `${(axis.span / 1000).toFixed(0)} seconds: ${count(connection.lane.attempts, 'attempt')}, ${count(drops, 'drop')}, ${count(streams.length, 'stream')}, ${count(gaps, 'gap')}`
}
