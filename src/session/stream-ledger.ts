import type { AgentError, AgentErrorInit } from '../base/agent-error.ts'
import { type StreamState, type LedgerVerdict, createLedger } from '../base/ledger.ts'
import type { AgentEvent, RunOutcome } from '../seam/agent-event.ts'
import type { Cursor, Delivery, Batch } from '../seam/protocol.ts'
import type { AnswerCount } from './answer-limits.ts'

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
 * @param streams all it knows, by stream id in order of appearance: written to as it continues
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

/** An event that is new, once, in order; with the packet it came from when the protocol has packets. */
export interface SessionEvent<Source = unknown> {
  readonly event: AgentEvent
  readonly source?: Source | undefined
}

/** What is new of a part of a batch, and what it says about the run. */
export interface TakenPart<Source> {
  readonly events: SessionEvent<Source>[]
  progressed?: boolean
  finished?: { readonly response?: unknown } | undefined
  /** How the last of its streams ended, or the run. */
  outcome?: RunOutcome | undefined
  interruption?: AgentError | undefined
  /** The answer went beyond a limit: `events` are those before that. */
  tooLarge?: AgentErrorInit | undefined
  /** Nothing of the batch follows. */
  last?: boolean
}

/**
 * Keeps the new events of a batch, up to the limits of the answer. A packet that can end or interrupt the run ends a
 * part: the events after it are processed only if the run continues, as if they had arrived in their own chunk.
 */
export function* takeBatch<Source>(
  ledger: StreamLedger,
  { deliveries }: Batch<Source>,
  firstOfResume: boolean,
  count: AnswerCount,
): Generator<TakenPart<Source>> {
  let first = firstOfResume
  let left = deliveries.length
  let part: TakenPart<Source> = { events: [] }
  for (const delivery of deliveries) {
    left -= 1
    const { verdict, events } = ledger.admit(delivery, first)
    if (delivery.cursor !== undefined) first = false
    if (verdict === 'duplicate') continue
    const only = events === undefined ? delivery.event : undefined
    const all = events ?? delivery.events ?? []
    part.tooLarge = count.add(only ?? all, delivery.bytes ?? 0)
    if (part.tooLarge !== undefined) break
    if (only !== undefined) take(part, only, delivery.source)
    else {
      // Events that the ledger inserts before an event, such as a gap, have no packet.
      for (const event of all)
        take(part, event, event.type === 'diagnostic' && all.length > 1 ? undefined : delivery.source)
    }
    if (delivery.progress) part.progressed = true
    if (left > 0 && (part.interruption ?? part.finished ?? ledger.hasSettled)) {
      yield part
      part = { events: [] }
    }
  }
  part.last = true
  yield part
}

function take<Source>(part: TakenPart<Source>, event: AgentEvent, source: Source | undefined): void {
  part.events.push({ event, source })
  if (event.type === 'stream-interrupted') part.interruption = event.error
  else if (event.type === 'run-finished') part.finished = event
  else if (event.type !== 'stream-closed') return
  if (event.type !== 'stream-interrupted') part.outcome = event.outcome ?? part.outcome
}
