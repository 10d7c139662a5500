import type { AgentError } from '../base/agent-error.ts'
import type { Ending } from '../session/ending.ts'
import type { ChatMessage } from './conversation/message.ts'
import { answersTo } from './conversation/resend.ts'

/** How a run ended, as passed to callbacks. */
export interface RunEnd {
  /** The last answer of the run; the user's own message when it could not be sent. */
  readonly message: ChatMessage
  /** `complete`, `incomplete` (the connection ended for good before the agent did), `stopped`, `failed`, or `not-sent`. */
  readonly status: 'complete' | 'incomplete' | 'stopped' | 'failed' | 'not-sent'
  /** Why it failed; undefined for `complete` and `stopped`. */
  readonly error: AgentError | undefined
}

/** Undefined when no message of the run is left. */
export function runEnd(ending: Ending, requestId: string, messages: readonly ChatMessage[]): RunEnd | undefined {
  const message = answersTo(requestId, messages).at(-1) ?? messages.findLast((said) => said.requestId === requestId)
  if (message === undefined) return undefined
  if (ending.type !== 'failed')
    return { message, status: ending.type === 'finished' ? 'complete' : 'stopped', error: undefined }
  const { status } = message
  return { message, status: status === 'incomplete' || status === 'not-sent' ? status : 'failed', error: ending.error }
}
