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

/** What is new of a batch, and what it says about the run. */
export interface TakenBatch<Source> {
  readonly events: readonly SessionEvent<Source>[]
  readonly progressed: boolean
  readonly finished: { readonly response?: unknown } | undefined
  readonly interruption: AgentError | undefined
  /** The answer went beyond a limit: `events` are those before that. */
  readonly tooLarge: AgentErrorInit | undefined
}

/** Keeps what the ledger has not seen yet, up to the limits of the answer. */
export function takeBatch<Source>(ledger: StreamLedger, batch: Batch<Source>, firstOfResume: boolean, count: AnswerCount): TakenBatch<Source> {
  const events: SessionEvent<Source>[] = []
  let progressed = false
  let finished: TakenBatch<Source>['finished']
  let interruption: AgentError | undefined
  let tooLarge: AgentErrorInit | undefined
  let first = firstOfResume
  for (const delivery of batch.deliveries) {
    const admission = ledger.admit(delivery, first)
    if (delivery.cursor !== undefined) first = false
    if (admission.verdict === 'duplicate') continue
    tooLarge = count.add(admission.events, delivery.bytes ?? 0)
    if (tooLarge !== undefined) break
    for (const event of admission.events) {
      // The marks the ledger puts before an event come from no packet.
      events.push({ event, source: event.type === 'diagnostic' && admission.events.length > 1 ? undefined : delivery.source })
      if (event.type === 'stream-interrupted') interruption = event.error
      if (event.type === 'run-finished') finished = event
    }
    if (delivery.progress) progressed = true
  }
  return { events, progressed, finished, interruption, tooLarge }
}
