import { describe, expect, it } from 'vitest'
import { layOutStream } from '../../../../playground/src/inspector/lay-out-stream.ts'
import { layOutTimeline } from '../../../../playground/src/inspector/lay-out-timeline.ts'
import type { Mark, WireRun } from '../../../../playground/src/wire/wire-snapshot.ts'
import { noRun } from '../../../../playground/src/wire/wire-snapshot.ts'

const delta = (at: number, more: Partial<Mark> = {}): Mark => ({ kind: 'delta', at, streamId: 's', ...more })

/** Dropped at one second, back at three, three packets said again, a gap, and the end at five. */
const healed: WireRun = {
  ...noRun,
  requestId: 'r',
  attempts: [
    { at: 0, status: 200, endedAt: 1_000, ending: 'dropped', waitMs: 1_500 },
    { at: 3_000, status: 200, endedAt: 5_000, ending: 'left' },
  ],
  marks: [
    ...[200, 400, 600].map((at) => delta(at)),
    { kind: 'drop', at: 1_000 },
    ...[3_100, 3_110, 3_120].map((at) => delta(at, { replay: true })),
    delta(3_200),
    { kind: 'gap', at: 3_600, streamId: 's', label: '5–7' },
    delta(3_600),
    { kind: 'event', at: 4_000, streamId: 's', row: 9 },
    { kind: 'close', at: 5_000, streamId: 's', label: 'finished' },
  ],
  bytes: [10, 0, 400, 0, 90],
}
const wide = { width: 800, now: 0, live: false }

describe('the timeline of a connection that broke and healed', () => {
  const { connection, streams, axis, bytes, height } = layOutTimeline(healed, wide)

  it('shows both attempts and what lay between them', () => {
    expect(connection.lane.stretches.map(({ kind }) => kind)).toEqual(['open', 'cut', 'open'])
    expect(connection.lane.stretches[1]).toMatchObject({ from: axis.x(1_000), to: axis.x(3_000) })
    expect(connection.lane.endings).toEqual([
      { x: axis.x(1_000), kind: 'drop' },
      { x: axis.x(5_000), kind: 'end' },
    ])
    expect(connection.lane.captions.map(({ text }) => text)).toEqual(
      expect.arrayContaining(['dropped · wait 1.5 s', 'CLOSE finished', 'POST 200']),
    )
  })

  it('has one lane for its stream: text, what was replayed, the gap with its numbers, event and close', () => {
    expect(streams).toHaveLength(1)
    const { lane } = streams[0]!
    expect(lane).toMatchObject({
      name: 's',
      carries: 'text, events',
      replayed: [{ label: '3 replayed' }],
      gaps: [{ label: 'gap 5–7', to: axis.x(3_600) }],
    })
    expect(lane.deltas).toHaveLength(5)
    expect(lane.signs.map(({ kind }) => kind)).toEqual(['event', 'close'])
  })

  it('says a warning in words where nothing else is in them', () => {
    const warned: Mark[] = [{ kind: 'warning', at: 3_000, streamId: 's', label: 'old_index' }]
    expect(layOutStream('s', warned, axis).signs).toMatchObject([{ label: 'old_index' }])
    expect(
      layOutStream('s', [...warned, { kind: 'close', at: 3_020, streamId: 's' }], axis).signs[0]?.label,
    ).toBeUndefined()
  })

  it('is in its frame from the first second to the last', () => {
    expect(axis.x(0)).toBe(axis.left)
    expect(axis.x(5_000)).toBeLessThanOrEqual(axis.right)
    expect(bytes.y).toBeLessThan(height)
    expect(bytes.lane.bars.map(({ height }) => height)).toEqual(
      bytes.lane.bars.map(({ height }) => Math.min(20, height)),
    )
  })
})

describe('a run under way', () => {
  const waiting: WireRun = { ...healed, attempts: healed.attempts.slice(0, 1), marks: healed.marks.slice(0, 4) }

  it('continues to this moment, broken where the connection is', () => {
    const { connection, axis } = layOutTimeline(waiting, { ...wide, now: 1_800, live: true })
    expect(connection.lane.stretches.at(-1)).toEqual({ kind: 'cut', from: axis.x(1_000), to: axis.x(1_800) })
    expect(connection.lane.captions.some(({ text }) => text.startsWith('CLOSE'))).toBe(false)
  })

  it('asks, until there is an answer', () => {
    const { connection } = layOutTimeline(
      { ...noRun, requestId: 'r', attempts: [{ at: 0 }] },
      { ...wide, now: 300, live: true },
    )
    expect(connection.lane.stretches.map(({ kind }) => kind)).toEqual(['asking'])
  })
})

describe('a narrow timeline', () => {
  it('has the names above the lanes and no caption over another', () => {
    const { narrow, connection, streams, axis } = layOutTimeline(healed, { ...wide, width: 318 })
    expect(narrow).toBe(true)
    expect(axis.left).toBeLessThan(20)
    expect(streams[0]!.labelY).toBeLessThan(streams[0]!.y)
    const edges = connection.lane.captions
      .map(({ x, text }) => [x, x + text.length * 6.2] as const)
      .toSorted(([a], [b]) => a - b)
    edges.slice(1).forEach(([from], at) => expect(from).toBeGreaterThan(edges[at]![1]))
    expect(connection.lane.captions[0]?.text).toBe('dropped · wait 1.5 s')
  })
})

describe('many streams', () => {
  it('share the last lane from the sixth on', () => {
    const marks = Array.from({ length: 9 }, (_, at) => delta(at, { streamId: `stream ${at}` }))
    const { streams } = layOutTimeline({ ...healed, marks }, wide)
    expect(streams).toHaveLength(6)
    expect(streams.at(-1)?.lane).toMatchObject({ name: 'more streams', streamId: undefined })
  })
})

describe('packets that come twice, one by one', () => {
  it('are grey ticks and no replay', () => {
    const marks = [1, 2, 3, 4].flatMap((at) => [delta(at * 100), delta(at * 100 + 50, { replay: true })])
    expect(layOutTimeline({ ...healed, marks }, wide).streams[0]?.lane).toMatchObject({
      replayed: [],
      replays: { length: 4 },
    })
  })
})

describe('what comes at one moment', () => {
  it('is drawn once in its place, and counted all the same', () => {
    const marks: Mark[] = [0, 1, 2].flatMap(
      (row) =>
        [
          { kind: 'event', at: 300, streamId: 's', row },
          delta(300),
          { kind: 'gap', at: 300, streamId: 's', label: '1' },
        ] satisfies Mark[],
    )
    const attempts = [1, 2, 3].map(() => ({ at: 100, endedAt: 100, ending: 'unreachable' as const }))
    const { connection, streams } = layOutTimeline({ ...noRun, requestId: 'r', marks, attempts }, wide)
    expect(streams[0]?.lane).toMatchObject({ signs: [{ kind: 'event' }], deltas: { length: 1 }, gaps: { length: 1 } })
    expect(connection.lane).toMatchObject({
      attempts: 3,
      beginnings: { length: 1 },
      endings: [{ kind: 'drop' }],
      stretches: { length: 1 },
    })
  })
})
