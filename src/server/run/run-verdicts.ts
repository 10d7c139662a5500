import { AgentError } from '../../base/agent-error.ts'
import { isDevelopment } from '../../base/development.ts'
import type { StreamErrorBody } from './agent-output.ts'

/** Ends a run whose upstream is gone. */
export const UPSTREAM_LOST: StreamErrorBody = {
  code: 'upstream_lost',
  message: 'The connection to the agent was lost and could not be resumed. Ask again.',
  severity: 'FATAL',
}
/** Ends a run that its upstream has begun again. */
export const UPSTREAM_RESTARTED: StreamErrorBody = {
  code: 'upstream_restarted',
  message: 'The agent lost the log of this run and started the answer over, so this one ends here. Ask again.',
  severity: 'FATAL',
}
/** Ends a run that is longer than the log may keep. */
export const ANSWER_TOO_LARGE: StreamErrorBody = {
  code: 'answer_too_large',
  message: 'The answer exceeds what this server stores for one run.',
  severity: 'FATAL',
}
/** Ends a run whose server is going down. */
export const SERVER_STOPPING: StreamErrorBody = {
  code: 'server_stopping',
  message: 'The server stopped before the answer was complete. Ask again.',
  severity: 'FATAL',
}
/** Ends a cancelled run whose agent has not confirmed that it stopped. */
export const CANCEL_UNCONFIRMED: StreamErrorBody = {
  code: 'cancel_unconfirmed',
  message: 'This run was stopped, but the agent has not confirmed it. It may still be working.',
  severity: 'FATAL',
}

/** Messages to clients about a failed model: one sentence per code, without text of its vendor. */
const FAILURES = {
  model_unauthorized: 'The model refused the credentials of this server.',
  model_quota_exceeded: 'The usage limit of the model is reached.',
  model_rate_limited: 'The model gets too many requests.',
  model_unavailable: 'The model cannot be reached, or is overloaded.',
  model_request_rejected: 'The model rejected the request of this server.',
  model_content_filtered: 'A safety filter of the model stopped the answer.',
  model_context_too_long: 'The conversation is longer than the model can read.',
  model_output_limit: 'The answer reached the maximum length of the model.',
  model_step_limit: 'The agent reached its limit of steps before the answer was complete.',
} as const satisfies Readonly<Record<`model_${string}`, string>>

/** Why a model has not answered: the `agentCode` of the error that clients and `onError` get. */
export type ModelFailureCode = keyof typeof FAILURES

/** The error that clients get of a model that has failed. Undefined: for anything else. */
export function publicModelError(error: unknown): StreamErrorBody | undefined {
  if (!(error instanceof AgentError) || !isFailureCode(error.agentCode)) return undefined
  const { agentCode: code, retryAfterMs } = error
  const hint = isDevelopment() ? ' See the log of the server: onError got what the model reported.' : ''
  const details = retryAfterMs === undefined ? undefined : { retry_after: Math.ceil(retryAfterMs / 1000) }
  return { code, message: `${FAILURES[code]}${hint}`, severity: 'FATAL', ...(details && { details }) }
}

function isFailureCode(code: string | undefined): code is ModelFailureCode {
  return code !== undefined && Object.hasOwn(FAILURES, code)
}
