import type { AgentError } from '../base/agent-error.ts'
import type { RunOutcome } from '../seam/agent-event.ts'
import type { Connection } from './connection.ts'

/** How a run ended: the agent finished, the run failed, or the app stopped it. */
export type Ending =
  | {
      readonly type: 'finished'
      readonly response?: unknown
      /** @default 'complete' */ readonly outcome?: RunOutcome | undefined
    }
  | { readonly type: 'failed'; readonly error: AgentError }
  | { readonly type: 'stopped' }

/** How a run with this connection has ended. */
export function endingOf(connection: Connection, response: unknown, outcome: RunOutcome | undefined): Ending {
  if (connection.phase === 'closed') return { type: 'finished', response, outcome }
  return connection.phase === 'failed' ? { type: 'failed', error: connection.error } : { type: 'stopped' }
}
