import type { AgentError, AgentErrorInit } from '../base/agent-error.ts'
import { type StreamState, type LedgerVerdict, createLedger } from '../base/ledger.ts'
import type { AgentEvent, RunOutcome } from '../seam/agent-event.ts'
import type { Cursor, Delivery, Batch } from '../seam/protocol.ts'
import type { ResumePoint } from './resume-point.ts'

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

/**
 * How large one answer may become. When an answer goes beyond one of the limits, its run fails with code
 * `response_too_large`, severity FATAL, and its connection is closed; earlier parts stay. Packets that a server repeats after
 * a reconnect is not counted again, and an answer that the agent begins again is counted again. `Infinity` lifts a limit.
 */
export interface AnswerLimits {
  /**
   * Streams of one run, each its own message.
   * @default 1_000
   */
  readonly streams?: number | undefined
  /**
   * Parts beside the text, over all streams: events with their own ids, and gaps. Replacing a part adds none.
   * @default 100_000
   */
  readonly parts?: number | undefined
  /**
   * Errors of severity WARNING.
   * @default 10_000
   */
  readonly warnings?: number | undefined
  /**
   * Bytes of all packets, as UTF-8.
   * @default 50_000_000
   */
  readonly bytes?: number | undefined
}

const DEFAULT_LIMITS = { streams: 1_000, parts: 100_000, warnings: 10_000, bytes: 50_000_000 } as const

/** Counts what is new in an answer. */
interface AnswerCount {
  /** Counts what the event or the events of one packet add. Gives the error that ends the run when that is too much. */
  add(events: AgentEvent | readonly AgentEvent[], bytes: number): AgentErrorInit | undefined
}

/** @param resumePoint the counts so far, written to; its streams are counted by their own list */
export function createAnswerCount(resumePoint: ResumePoint, limits: AnswerLimits = {}): AnswerCount {
  /** By stream and type, so that no text is made and kept for every part. */
  const parts = new Map<string, Map<string, Set<string>>>()

  const most = {
    streams: limits.streams ?? DEFAULT_LIMITS.streams,
    parts: limits.parts ?? DEFAULT_LIMITS.parts,
    warnings: limits.warnings ?? DEFAULT_LIMITS.warnings,
    bytes: limits.bytes ?? DEFAULT_LIMITS.bytes,
  }

  function grow(name: 'parts' | 'warnings'): void {
    resumePoint[name] = (resumePoint[name] ?? 0) + 1
  }

  function addPart(streamId: string, type: string, id: string): void {
    const types = parts.get(streamId) ?? new Map<string, Set<string>>()
    const ids = types.get(type) ?? new Set<string>()
    if (types.size === 0) parts.set(streamId, types)
    if (ids.size === 0) types.set(type, ids)
    const before = ids.size
    if (ids.add(id).size > before) grow('parts')
  }

  function count(event: AgentEvent): void {
    if (event.type === 'warning') grow('warnings')
    else if (event.type === 'part') addPart(event.streamId, event.part.type, event.partId)
    else if (event.type === 'prompt') addPart('', '', event.prompt.id)
    else if (event.type === 'snapshot')
      for (const { partId, part } of event.parts) addPart(event.streamId, part.type, partId)
    else if (event.type === 'text' && event.partId !== undefined) addPart(event.streamId, 'text', event.partId)
    else if (event.type === 'diagnostic' && event.diagnostic.kind === 'gap') grow('parts')
    else if (event.type === 'diagnostic' && event.diagnostic.kind === 'restarted') {
      parts.clear()
      resumePoint.parts = resumePoint.warnings = resumePoint.bytes = 0
    }
  }

  return {
    add(events, bytes) {
      if ('type' in events) count(events)
      else for (const event of events) count(event)
      resumePoint.bytes = (resumePoint.bytes ?? 0) + bytes
      // Asked for every packet, so it looks nothing up by name.
      if (resumePoint.streams.size > most.streams) return tooLarge('streams', most.streams)
      if ((resumePoint.parts ?? 0) > most.parts) return tooLarge('parts', most.parts)
      if ((resumePoint.warnings ?? 0) > most.warnings) return tooLarge('warnings', most.warnings)
      if (resumePoint.bytes > most.bytes) return tooLarge('bytes', most.bytes)
      return undefined
    },
  }
}

function tooLarge(limit: keyof AnswerLimits, maximum: number): AgentErrorInit {
  return {
    kind: 'protocol',
    code: 'response_too_large',
    severity: 'FATAL',
    message: `The answer has more than ${maximum} ${limit}. Raise limits.${limit} of the client if such answers are expected.`,
    details: { limit, maximum },
  }
}
