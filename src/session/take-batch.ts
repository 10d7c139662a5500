import type { AgentError, AgentErrorInit } from '../base/agent-error.ts'
import type { AgentEvent, RunOutcome } from '../seam/agent-event.ts'
import type { Batch } from '../seam/protocol.ts'
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
 * part: the events after it are processed only if the run continues, as if they had arrived in a chunk of their own.
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
