import type { AgentErrorInit } from '../../base/agent-error.ts'
import { AgentError, errorInit } from '../../base/agent-error.ts'
import { ValidationError } from '../../base/format/validation-error.ts'

/** Any failure of a run over the UI message stream of the AI SDK. */
export class AiSdkError extends AgentError {
  static override readonly brand: string = 'AiSdkError'

  constructor(init: AgentErrorInit) {
    super(init, ['AgentError', 'AiSdkError'])
  }
}

export function createAiSdkError(init: AgentErrorInit): AiSdkError {
  return new AiSdkError(init)
}

/** Gives any failure its form of the AI SDK; one that has it already stays the same object. */
export function toAiSdkError(error: unknown): AiSdkError {
  if (error instanceof AiSdkError) return error
  if (error instanceof AgentError) return createAiSdkError(errorInit(error))
  if (error instanceof ValidationError)
    return createAiSdkError({
      kind: 'protocol',
      code: error.cause === undefined ? 'invalid_packet' : 'invalid_json',
      severity: 'FATAL',
      message: `The server sent something that is not a UI message stream: ${error.message}.`,
      cause: error.cause,
    })
  return createAiSdkError({
    kind: 'runtime',
    code: 'app_error',
    severity: 'FATAL',
    message: 'An option of the client threw an error while the request was made. See the cause.',
    cause: error,
  })
}

/** The server reported that its model stopped in mid-answer: no connection can get the rest. */
export const CUT_BY_MODEL = {
  kind: 'connection',
  code: 'truncated',
  severity: 'FATAL',
  message: 'The stream of the model ended before its answer did, so the answer is not complete.',
} as const

/** The connection was lost and there is nothing to continue with. */
export const NOT_RESUMABLE = {
  kind: 'connection',
  code: 'truncated',
  severity: 'FATAL',
  message:
    'The connection ended before the agent had finished, and this server keeps no stream to resume, so the answer is not complete.',
} as const

/** The server has the stream of this answer no longer, or another one in its place. */
export const LOG_EXPIRED = {
  kind: 'connection',
  code: 'log_expired',
  severity: 'FATAL',
  message:
    'The connection ended before the agent had finished, and the server no longer has the stream of this answer, so it is not complete.',
} as const

/** Nobody knows whether the server has the message. Sending it again is for the user to decide: it would run the model again. */
export const DELIVERY_UNKNOWN = {
  kind: 'connection',
  code: 'delivery_unknown',
  severity: 'FATAL',
  message:
    'The connection was lost before the server confirmed the message, and the server has no stream for it. It may have arrived.',
} as const
