import type { AgentError } from '../base/agent-error.ts'
import type { StreamState, LedgerVerdict } from '../base/ledger.ts'
import { createLedger } from '../base/ledger.ts'
import type { AgentEvent } from '../seam/agent-event.ts'
import type { Cursor, Delivery } from '../seam/protocol.ts'

/** What to make of a delivery. */
export interface Admission {
  readonly verdict: LedgerVerdict
  /** The events to pass on in place of its own, in order; none for a duplicate. Absent: its one event alone, as nearly always. */
  readonly events?: readonly AgentEvent[] | undefined
}

/** Deduplication ledger of a run, for deliveries and in events: what makes a resumed connection exact. */
export interface StreamLedger {
  /**
   * Classifies one delivery by the packets seen so far, and records it.
   * @param firstOfResume it is the first delivery with a cursor on a connection that resumes
   */
  admit(delivery: Delivery, firstOfResume: boolean): Admission
  /** Streams as a protocol wants them when it opens the next connection. */
  cursors(): readonly Cursor[]
  readonly size: number
  /** Whether every stream that has started has ended. */
  readonly hasSettled: boolean
  /** The error that ended a stream: the first stream's, if several failed. */
  readonly failure: AgentError | undefined
  /** The last TRANSIENT error of the run, until new content follows on any stream. */
  readonly interruption: AgentError | undefined
}

const DUPLICATE: Admission = { verdict: 'duplicate', events: [] }
const NEW: Admission = { verdict: 'new' }

/**
 * @param streams all it knows, by stream id in order of appearance: written to as it goes on
 * @param firstSeq `firstSeq` of the protocol
 */
export function createStreamLedger(streams: Map<string, StreamState>, firstSeq?: number): StreamLedger {
  const ledger = createLedger(streams, firstSeq)
  let interruption = [...streams.values()].findLast(
    ({ state, error }) => state === 'open' && error !== undefined,
  )?.error

  /** Notes what the event means for its stream and says which event to pass on in its place. */
  function pass(stream: StreamState, event: AgentEvent, progress: boolean): AgentEvent | undefined {
    if (event.type === 'stream-closed') {
      if (stream.state === 'failed') return undefined
      // The stream closed directly after a TRANSIENT error, so that error ended it.
      const { error } = stream
      ledger.end(stream, error === undefined ? 'closed' : 'failed')
      return error === undefined ? event : { type: 'stream-failed', streamId: event.streamId, error }
    }
    if (event.type === 'stream-failed') ledger.end(stream, 'failed')
    if (event.type === 'stream-failed' || event.type === 'stream-interrupted') stream.error = event.error
    else if (progress) stream.error = undefined
    if (event.type === 'stream-interrupted') interruption = event.error
    else if (progress) interruption = undefined
    return event
  }

  return {
    admit({ cursor, event, events, progress }, firstOfResume) {
      if (cursor === undefined) return event === undefined ? { verdict: 'new', events } : NEW
      const { streamId, seq, id } = cursor
      const closes = event === undefined ? events.some(isClose) : isClose(event)
      const packet = { streamId, seq, id, closes }
      const judgement = ledger.judge(packet, firstOfResume)
      const { verdict, missingAfter } = judgement
      if (verdict === 'duplicate') return DUPLICATE
      const stream = ledger.record(packet, judgement)
      const passed = event && pass(stream, event, progress)
      // Every packet comes here: no lists for the usual one.
      if (verdict === 'new' && event !== undefined && passed === event) return NEW
      const all: AgentEvent[] = []
      if (verdict === 'restarted') all.push({ type: 'diagnostic', diagnostic: { kind: 'restarted', streamId } })
      if (missingAfter !== undefined && seq !== undefined)
        all.push({ type: 'diagnostic', diagnostic: { kind: 'gap', streamId, after: missingAfter, before: seq } })
      if (passed !== undefined) all.push(passed)
      for (const each of events ?? []) {
        const own = pass(stream, each, progress)
        if (own !== undefined) all.push(own)
      }
      return { verdict, events: all }
    },
    cursors: () => [...streams].map(([streamId, { seq, ids }]) => ({ streamId, seq, id: ids?.at(-1) })),
    get size() {
      return streams.size
    },
    get hasSettled() {
      return ledger.hasSettled
    },
    get failure() {
      return ledger.failure
    },
    get interruption() {
      return interruption
    },
  }
}

function isClose({ type }: AgentEvent): boolean {
  return type === 'stream-closed'
}
