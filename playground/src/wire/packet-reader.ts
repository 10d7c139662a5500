import type { CapPacket, SseFrame } from 'capstan'
import type { StreamLedger, Verdict } from './inner.ts'
import { createStreamLedger, FIRST_SEQ, ONLY_STREAM, readPacket, toEvent } from './inner.ts'

/** A frame, and what the library's own ledger makes of it. */
export interface ReadFrame {
  /** Undefined: the frame holds no packet. */
  readonly packet: CapPacket | undefined
  readonly verdict: Verdict
  /** Packets missing right before this one. */
  readonly missing: readonly { readonly after: number; readonly before: number }[]
}

/** Reads the frames of one run over all its attempts, judging them as the session does, and changing nothing for it. */
export interface PacketReader {
  /** A new attempt begins. */
  next(): void
  read(frame: SseFrame): ReadFrame
  /** Every stream has had its last word. */
  readonly settled: boolean
}

export function createPacketReader(): PacketReader {
  const ledger: StreamLedger = createStreamLedger(new Map(), FIRST_SEQ)
  let attempts = 0
  let first = false
  let ordinal = 0
  return {
    next() {
      attempts += 1
      first = attempts > 1
      ordinal = 0
    },
    read(frame) {
      ordinal += 1
      try {
        const packet = readPacket(frame.data, 'tolerant')
        const { seq, stream_id: streamId = ONLY_STREAM } = packet
        const event = toEvent(packet, { streamId, ordinal })
        const delivery = { event, cursor: { streamId, seq }, progress: event.type !== 'stream-interrupted' }
        const { verdict, events = [] } = ledger.admit(delivery, first)
        first = false
        const missing = events.flatMap((event) =>
          event.type === 'diagnostic' && event.diagnostic.kind === 'gap' ? [event.diagnostic] : [],
        )
        return { packet, verdict, missing }
      } catch {
        // The chat will say what is wrong with it; the log shows it as it is.
        return { packet: undefined, verdict: 'new', missing: [] }
      }
    },
    get settled() {
      return ledger.hasSettled
    },
  }
}
