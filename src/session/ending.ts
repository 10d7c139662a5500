import type { AgentError } from '../base/agent-error.ts'
import type { RunOutcome } from '../protocols/agent-event.ts'

/** How a run ended: the agent finished, the run failed, or the app stopped it. */
export type Ending =
  | {
      readonly type: 'finished'
      readonly response?: unknown
      /** @default 'complete' */ readonly outcome?: RunOutcome | undefined
    }
  | { readonly type: 'failed'; readonly error: AgentError }
  | { readonly type: 'stopped' }
