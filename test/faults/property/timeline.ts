import type { StreamPlan, Twist } from './schedule.ts'
import type { TruePacket, Truth } from './truth.ts'

/** One write of the server. */
export interface Item {
  readonly at: number
  readonly bytes: Uint8Array
  /** How many packets of the log the client could have, once this is with it. */
  readonly sent: number | undefined
  /** A part of a frame that never ends. */
  readonly isPartial?: boolean
}

/** All a connection will carry, and how it ends after the last of it. */
export interface Timeline {
  readonly items: readonly Item[]
  readonly end: 'reset' | 'eof' | 'silence'
}

const DRIP_MS = 10_000
/** Longer than any client should wait. */
const DRIPS = 60

/** One run of the agent, in the memory of the server. */
export interface Run {
  readonly truth: Truth
  readonly startedAt: number
  /** Packets that went out whole, on any connection. */
  sent: number
}

const utf8 = new TextEncoder()
const COMMENT = utf8.encode(': alive\n\n')
const GARBAGE = utf8.encode('data: {nope\n\n')
const DROP = utf8.encode('d')
const BEAT_MS = 10_000
/** A server whose agent hangs stops beating in the end, or nobody would ever know. */
const BEATS = 12

export function timelineOf(run: Run, plan: StreamPlan, now: number): Timeline {
  const opened = now + plan.latencyMs
  const { packets } = run.truth
  const items: Item[] = []
  for (let index = firstPacket(run, plan); index < packets.length; index += 1) {
    const packet = packets[index]
    if (packet !== undefined)
      items.push({ at: Math.max(opened, run.startedAt + packet.at), bytes: packet.bytes, sent: index + 1 })
  }
  return cut(twisted(items, plan.twist, packets, opened), plan, opened)
}

/** Where the replay begins. A stream that the client may not know yet must be told from its start, or nobody could miss it. */
function firstPacket({ truth, sent }: Run, { overlap }: StreamPlan): number {
  if (overlap === undefined || truth.streams.length > 1) return 0
  return Math.max(0, sent - overlap)
}

function twisted(items: Item[], twist: Twist | undefined, packets: readonly TruePacket[], opened: number): Item[] {
  switch (twist?.type) {
    case undefined:
      return items
    case 'gap':
      items.splice(twist.after, twist.count)
      return items
    case 'swap':
      return swapped(items, twist.after, packets)
    case 'doubled':
      return items.flatMap((item) => [item, item])
    case 'said-again': {
      const at = items[twist.after - 1]?.at
      if (at === undefined) return items
      const again = items.slice(0, twist.after).map(({ bytes }) => ({ at, bytes, sent: undefined }))
      return [
        ...items.slice(0, twist.after),
        ...Array.from({ length: twist.times }, () => again).flat(),
        ...items.slice(twist.after),
      ]
    }
    case 'retry-field':
      return [{ at: opened, bytes: utf8.encode(`retry: ${twist.value}\n\n`), sent: undefined }, ...items]
    case 'garbage':
      return [
        ...items.slice(0, twist.after),
        { at: items[twist.after]?.at ?? items.at(-1)?.at ?? opened, bytes: GARBAGE, sent: undefined },
        ...items.slice(twist.after),
      ]
    case 'after-close': {
      const last = packets.at(-1)
      // Where the CLOSE is not on this connection, nothing can come after it.
      if (last === undefined || items.at(-1)?.sent !== packets.length) return items
      const p = '<ghost>'
      const ghost = `data: ${JSON.stringify({ stream_id: last.stream.id, seq: last.seq + 1, op: 'DELTA', t: '2026-03-01T08:15:00Z', p })}\n\n`
      return [...items, { at: items.at(-1)?.at ?? opened, bytes: utf8.encode(ghost), sent: undefined }]
    }
  }
}

/** Two packets of one stream change places. (Those of two streams may come in any order.) */
function swapped(items: Item[], after: number, packets: readonly TruePacket[]): Item[] {
  const first = items[after]
  const second = items[after + 1]
  if (first?.sent === undefined || second?.sent === undefined) return items
  if (packets[first.sent - 1]?.stream !== packets[second.sent - 1]?.stream) return items
  items[after] = { ...second, at: second.at }
  items[after + 1] = { ...first, at: second.at }
  return items
}

function cut(items: Item[], plan: StreamPlan, opened: number): Timeline {
  const { end } = plan
  const whole: Timeline = { items, end: 'eof' }
  if (end === undefined) return whole
  let kept: Item[]
  if (end.unit === 'packets') {
    if (end.after >= items.length) return whole
    kept = items.slice(0, end.after)
  } else {
    kept = []
    let left = end.after
    for (const item of items) {
      if (left <= 0) break
      kept.push(
        left >= item.bytes.byteLength ? item : { at: item.at, bytes: item.bytes.subarray(0, left), sent: undefined },
      )
      left -= item.bytes.byteLength
    }
    if (left > 0) return whole
  }
  if (end.how === 'silence' && plan.beats) {
    const from = kept.at(-1)?.at ?? opened
    // A comment in the middle of a frame would be a part of it.
    if (end.unit === 'packets')
      for (let beat = 1; beat <= BEATS; beat += 1)
        kept.push({ at: from + beat * BEAT_MS, bytes: COMMENT, sent: undefined })
  }
  if (end.how === 'drip') {
    const from = kept.at(-1)?.at ?? opened
    for (let drop = 1; drop <= DRIPS; drop += 1)
      kept.push({ at: from + drop * DRIP_MS, bytes: DROP, sent: undefined, isPartial: true })
    return { items: kept, end: 'silence' }
  }
  return { items: kept, end: end.how }
}

export const GOOD_LINE: StreamPlan = {
  kind: 'stream',
  restarts: false,
  overlap: undefined,
  twist: undefined,
  end: undefined,
  pieces: 0,
  latencyMs: 5,
  beats: false,
}
