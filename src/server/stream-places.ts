import { canonicalInteger, canonicalUuid } from '../protocols/cap/scalars.ts'
import { createSseDecoder } from '../wire/sse-decoder.ts'
import type { LogEntry } from './event-log.ts'

/** How far one stream has come. */
export interface StreamPlace {
  readonly id: string
  readonly seq: number
  readonly closed: boolean
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
  /** What a packet would be: of a stream not known yet, the next of one that is, a repetition, or without a number. */
  look(data: string): 'begins' | 'next' | 'repeated' | 'unnumbered'
  /** Takes note of a packet. */
  take(id: string, data: string): void
  /** Takes note of an entry read from the log. */
  takeEntry(entry: LogEntry): void
}

export function createStreamPlaces(): StreamPlaces {
  const places = new Map<string, StreamPlace>()
  const utf8 = new TextEncoder()
  let first: LogEntry['kind'] | undefined
  let lastId = ''
  let unnumbered = false

  const take = (id: string, data: string): void => {
    const packet = readPlace(data)
    if (packet === undefined) {
      unnumbered = true
      return
    }
    const place = places.get(packet.id)
    if (place !== undefined && packet.seq <= place.seq) return
    lastId = id || packet.id
    places.set(packet.id, { ...packet, closed: packet.closed || place?.closed === true })
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
    look(data) {
      const packet = readPlace(data)
      if (packet === undefined) return 'unnumbered'
      const place = places.get(packet.id)
      if (place === undefined) return 'begins'
      return packet.seq > place.seq ? 'next' : 'repeated'
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
