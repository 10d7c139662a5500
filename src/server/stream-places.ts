import { canonicalInteger, canonicalUuid } from '../protocols/cap/scalars.ts'
import { createSseDecoder } from '../wire/sse-decoder.ts'
import type { LogEntry } from './event-log.ts'

/** How far one stream has come. */
export interface StreamPlace {
  readonly id: string
  seq: number
  closed: boolean
}

/** How far all streams of a run have come, by the packets that were seen. */
export interface StreamPlaces {
  readonly places: readonly StreamPlace[]
  /** Kind of the first entry of the log; undefined when it holds nothing. */
  readonly first: LogEntry['kind'] | undefined
  /** The SSE id that came last, for `Last-Event-ID`. */
  readonly lastId: string
  /** Whether a packet without a number was seen: then a repeated one cannot be told from a new one. */
  readonly unnumbered: boolean
  /** Takes note of a packet. False when it is a repetition. */
  take(id: string, data: string): boolean
  /** Takes note of an entry read from the log. */
  takeEntry(entry: LogEntry): void
}

export function createStreamPlaces(): StreamPlaces {
  const places = new Map<string, StreamPlace>()
  const utf8 = new TextEncoder()
  let first: LogEntry['kind'] | undefined
  let lastId = ''
  let unnumbered = false

  const take = (id: string, data: string): boolean => {
    const packet = readPlace(data)
    if (packet === undefined) {
      unnumbered = true
      return true
    }
    const place = places.get(packet.id) ?? { id: packet.id, seq: -1, closed: false }
    if (packet.seq <= place.seq) return false
    lastId = id || packet.id
    place.seq = packet.seq
    place.closed ||= packet.closed
    places.set(packet.id, place)
    return true
  }

  return {
    get places() {
      return [...places.values()]
    },
    get first() {
      return first
    },
    get lastId() {
      return lastId
    },
    get unnumbered() {
      return unnumbered
    },
    take,
    takeEntry(entry) {
      first ??= entry.kind
      if (entry.kind !== 'frame') return
      const decoder = createSseDecoder({ onFrame: (frame) => take(frame.id, frame.data), maxFrameBytes: Infinity })
      decoder.push(utf8.encode(entry.text))
    },
  }
}

/** What a packet of the numbered generation says of its place; undefined for every other. */
function readPlace(data: string): StreamPlace | undefined {
  let packet: unknown
  try {
    packet = JSON.parse(data)
  } catch {
    return undefined
  }
  if (typeof packet !== 'object' || packet === null) return undefined
  const { stream_id, seq, op } = packet as { stream_id?: unknown; seq?: unknown; op?: unknown } // each key is checked right here
  const id = canonicalUuid(stream_id)
  const number = canonicalInteger(seq)
  return id === undefined || number === undefined ? undefined : { id, seq: number, closed: op === 'CLOSE' }
}
