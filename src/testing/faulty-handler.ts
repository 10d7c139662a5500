import type { Clock } from '../base/ports/clock.ts'
import type { ConnectionFault } from './connection-fault.ts'
import type { AttemptFault, Outcome, SeenAttempt } from './faulty-answer.ts'
import { answerInstead, answerOf, seenAttempt } from './faulty-answer.ts'

/** Answers requests as a server does: that of any agent, of any protocol, or a proxy to one. */
export type FetchHandler = (request: Request) => Response | Promise<Response>

/** A handler, and what goes wrong on the way to it. */
export interface FaultyHandler {
  readonly attempts: readonly SeenAttempt[]
  /** How often the handler was called. */
  readonly runs: number
  /** @param body the request's, read already */
  take(http: Request, body: string, fault: AttemptFault | ConnectionFault | undefined): Promise<Outcome>
}

export function createFaultyHandler(handler: FetchHandler, clock: Clock): FaultyHandler {
  const attempts: SeenAttempt[] = []
  let runs = 0
  return {
    attempts,
    get runs() {
      return runs
    },
    async take(http, body, fault) {
      attempts.push(seenAttempt(http, body, clock.now()))
      const instead = answerInstead(fault)
      if (instead !== undefined) return instead
      runs += 1
      const { method, headers, signal } = http
      return answerOf(
        await handler(new Request(http.url, { method, headers, signal, ...(body !== '' && { body }) })),
        fault,
      )
    },
  }
}
