import type { AgentError, AgentErrorInit } from '../base/agent-error.ts'
import type { AgentEvent } from '../protocols/agent-event.ts'
import type { Batch } from '../protocols/protocol.ts'
import type { AnswerCount } from './answer-limits.ts'
import type { StreamLedger } from './stream-ledger.ts'

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
  interruption?: AgentError | undefined
  /** The answer went beyond a limit: `events` are those before that. */
  tooLarge?: AgentErrorInit | undefined
  /** Nothing of the batch follows. */
  last?: boolean
}

/**
 * Keeps what the ledger has not seen yet, up to the limits of the answer. A packet that decides what becomes of the run ends a
 * part: what follows it is judged only if the run goes on, as if it had come in a chunk of its own.
 */
export function* takeBatch<Source>(ledger: StreamLedger, { deliveries }: Batch<Source>, firstOfResume: boolean, count: AnswerCount): Generator<TakenPart<Source>> {
  let first = firstOfResume
  let left = deliveries.length
  let part: TakenPart<Source> = { events: [] }
  for (const delivery of deliveries) {
    left -= 1
    const { verdict, events } = ledger.admit(delivery, first)
    if (delivery.cursor !== undefined) first = false
    if (verdict === 'duplicate') continue
    part.tooLarge = count.add(events, delivery.bytes ?? 0)
    if (part.tooLarge !== undefined) break
    for (const event of events) {
      // The marks the ledger puts before an event come from no packet.
      part.events.push({ event, source: event.type === 'diagnostic' && events.length > 1 ? undefined : delivery.source })
      if (event.type === 'stream-interrupted') part.interruption = event.error
      if (event.type === 'run-finished') part.finished = event
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
