import type { AgentError } from '../base/agent-error.ts'
import type { StreamState, Verdict } from '../base/ledger.ts'
import { createLedger } from '../base/ledger.ts'
import type { AgentEvent } from '../protocols/agent-event.ts'
import type { Cursor, Delivery } from '../protocols/protocol.ts'

/** What to make of a delivery: the events to pass on, in order. None for a duplicate. */
export interface Admission {
  readonly verdict: Verdict
  readonly events: readonly AgentEvent[]
}

/** Deduplication ledger of a run, for deliveries and in events: what makes a resumed connection exact. */
export interface StreamLedger {
  /**
   * Judges one delivery against what is known and writes it down.
   * @param firstOfResume it is the first delivery with a cursor on a connection that resumes
   */
  admit(delivery: Delivery, firstOfResume: boolean): Admission
  /** Streams as a protocol wants them when it opens the next connection. */
  cursors(): readonly Cursor[]
  readonly size: number
  /** Whether every stream has said its last word, of those that have spoken. */
  readonly hasSettled: boolean
  /** The error that ended a stream: the first stream's, if several failed. */
  readonly failure: AgentError | undefined
}

const DUPLICATE: Admission = { verdict: 'duplicate', events: [] }

/**
 * @param streams all it knows, by stream id in order of appearance: written to as it goes on
 * @param firstSeq `firstSeq` of the protocol
 */
export function createStreamLedger(streams: Map<string, StreamState>, firstSeq?: number): StreamLedger {
  const ledger = createLedger(streams, firstSeq)

  /** Notes what the event means for its stream and says which event to pass on in its place. */
  function pass(stream: StreamState, { event, progress }: Delivery): AgentEvent | undefined {
    if (event.type === 'stream-closed') {
      if (stream.state === 'failed') return undefined
      // Closed with nothing said after a TRANSIENT error: that error was the end, not a pause.
      const { error } = stream
      ledger.end(stream, error === undefined ? 'closed' : 'failed')
      return error === undefined ? event : { type: 'stream-failed', streamId: event.streamId, error }
    }
    if (event.type === 'stream-failed') ledger.end(stream, 'failed')
    if (event.type === 'stream-failed' || event.type === 'stream-interrupted') stream.error = event.error
    else if (progress) stream.error = undefined
    return event
  }

  return {
    admit(delivery, firstOfResume) {
      const { cursor, event } = delivery
      if (cursor === undefined) return { verdict: 'new', events: [event] }
      const { streamId, seq } = cursor
      const packet = { streamId, seq, closes: event.type === 'stream-closed' }
      const judgement = ledger.judge(packet, firstOfResume)
      const { verdict, missingAfter } = judgement
      if (verdict === 'duplicate') return DUPLICATE
      const events: AgentEvent[] = []
      if (verdict === 'restarted') events.push({ type: 'diagnostic', diagnostic: { kind: 'restarted', streamId } })
      if (missingAfter !== undefined && seq !== undefined) events.push({ type: 'diagnostic', diagnostic: { kind: 'gap', streamId, after: missingAfter, before: seq } })
      const passed = pass(ledger.record(packet, judgement), delivery)
      if (passed !== undefined) events.push(passed)
      return { verdict, events }
    },
    cursors: () => [...streams].map(([streamId, { seq }]) => ({ streamId, seq })),
    get size() {
      return streams.size
    },
    get hasSettled() {
      return ledger.hasSettled
    },
    get failure() {
      return ledger.failure
    },
  }
}
