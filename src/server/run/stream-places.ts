import type { NumberedPacket, StreamState, LedgerVerdict } from '../../base/ledger.ts'
import { createLedger } from '../../base/ledger.ts'
import { canonicalInteger, canonicalUuid } from '../../protocols/cap/values/scalars.ts'
import { createSseDecoder } from '../../wire/sse-decoder.ts'
import { isJsonObject } from '../../base/json-object.ts'
import type { LogEntry } from '../event-log/event-log.ts'
import type { StreamErrorBody } from './agent-output.ts'

/** How far one stream has come. */
export interface StreamPlace {
  readonly id: string
  readonly seq: number
  readonly closed: boolean
}

/** Deduplication ledger of a run behind a proxy, for packets as they are in frames. */
export interface StreamPlaces {
  readonly places: readonly StreamPlace[]
  /** Whether every stream has been closed, of those that have begun. */
  readonly hasSettled: boolean
  /** Kind of the first entry of the log; undefined when it holds nothing. */
  readonly first: LogEntry['kind'] | undefined
  /** The SSE id that came last, for `Last-Event-ID`. */
  readonly lastId: string
  /** Whether a packet without a number was seen: then a repeated one cannot be distinguished from a new one. */
  readonly unnumbered: boolean
  /** The TRANSIENT error of the last packet. Undefined: that packet is another one. */
  readonly interruption: StreamErrorBody | undefined
  /**
   * Classifies a packet without recording it. A packet without a number is always new.
   * @param firstOfResume it is the first packet of a connection that resumes
   */
  judge(data: string, firstOfResume: boolean): LedgerVerdict
  /** Takes note of a packet that is not a duplicate. */
  take(id: string, data: string): void
  /** Takes note of an entry read from the log. */
  takeEntry(entry: LogEntry): void
}

interface PlacedPacket extends NumberedPacket {
  readonly interruption: StreamErrorBody | undefined
}

export function createStreamPlaces(): StreamPlaces {
  const streams = new Map<string, StreamState>()
  const ledger = createLedger(streams)
  const utf8 = new TextEncoder()
  let first: LogEntry['kind'] | undefined
  let lastId = ''
  let unnumbered = false
  let interruption: StreamErrorBody | undefined

  const take = (id: string, data: string): void => {
    const packet = readPacket(data)
    if (packet === undefined) {
      unnumbered = true
      return
    }
    const judgement = ledger.judge(packet, false)
    if (judgement.verdict === 'duplicate') return
    const stream = ledger.record(packet, judgement)
    if (packet.closes) ledger.end(stream, 'closed')
    interruption = packet.interruption
    lastId = id || packet.streamId
  }

  return {
    get places() {
      return [...streams].map(([id, { seq = 0, state }]) => ({ id, seq, closed: state === 'closed' }))
    },
    get hasSettled() {
      return ledger.hasSettled
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
    get interruption() {
      return interruption
    },
    judge(data, firstOfResume) {
      const packet = readPacket(data)
      return packet === undefined ? 'new' : ledger.judge(packet, firstOfResume).verdict
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

/** What a packet of the numbered generation says of its stream; undefined for every other. */
function readPacket(data: string): PlacedPacket | undefined {
  let packet: unknown
  try {
    packet = JSON.parse(data)
  } catch {
    return undefined
  }
  if (typeof packet !== 'object' || packet === null) return undefined
  const { stream_id, seq, op, p } = packet as Readonly<Record<string, unknown>> // each key is checked right here
  const streamId = canonicalUuid(stream_id)
  const number = canonicalInteger(seq)
  if (streamId === undefined || number === undefined) return undefined
  return { streamId, seq: number, closes: op === 'CLOSE', interruption: op === 'ERROR' ? transientIn(p) : undefined }
}

function transientIn(p: unknown): StreamErrorBody | undefined {
  if (!isJsonObject(p) || p['severity'] !== 'TRANSIENT') return undefined
  const { code, message } = p
  return typeof code === 'string' && typeof message === 'string' ? { code, message, severity: 'TRANSIENT' } : undefined
}
