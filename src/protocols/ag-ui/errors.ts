import type { AgentErrorInit } from '../../base/agent-error.ts'
import { AgentError, errorInit } from '../../base/agent-error.ts'
import { ValidationError } from '../../base/format/validation-error.ts'

/** Any failure of a run over AG-UI. */
export class AgUiError extends AgentError {
  static override readonly brand: string = 'AgUiError'

  constructor(init: AgentErrorInit) {
    super(init, ['AgentError', 'AgUiError'])
  }
}

export function createAgUiError(init: AgentErrorInit): AgUiError {
  return new AgUiError(init)
}

/** Gives any failure its form of AG-UI; one that has it already stays the same object. */
export function toAgUiError(error: unknown): AgUiError {
  if (error instanceof AgUiError) return error
  if (error instanceof AgentError) return createAgUiError(errorInit(error))
  if (error instanceof ValidationError)
    return createAgUiError({
      kind: 'protocol',
      code: error.cause === undefined ? 'invalid_packet' : 'invalid_json',
      severity: 'FATAL',
      message: `The server sent something that is not an AG-UI stream: ${error.message}.`,
      cause: error.cause,
    })
  return createAgUiError({
    kind: 'runtime',
    code: 'app_error',
    severity: 'FATAL',
    message: 'An option of the client threw an error while the request was made. See the cause.',
    cause: error,
  })
}

/** An event that was left out. */
export const LEFT_OUT = {
  kind: 'protocol',
  code: 'invalid_packet',
  severity: 'WARNING',
  message: 'The server sent an event that is not known or has no place where it came, so it was left out.',
} as const

/** The connection was lost and there is nothing to continue with. */
export const NOT_RESUMABLE = {
  kind: 'connection',
  code: 'truncated',
  severity: 'FATAL',
  message:
    'The connection ended before the agent had finished, and this server keeps no stream to resume, so the answer is not complete.',
} as const

/** The server has the log of this run no longer. */
export const LOG_EXPIRED = {
  kind: 'connection',
  code: 'log_expired',
  severity: 'FATAL',
  message:
    'The connection ended before the agent had finished, and the server no longer has the log of this run, so the answer is not complete.',
} as const

/** Nobody knows whether the server has the message. Sending it again is for the user to decide: it would run the agent again. */
export const DELIVERY_UNKNOWN = {
  kind: 'connection',
  code: 'delivery_unknown',
  severity: 'FATAL',
  message: 'The connection was lost before the server confirmed the message. It may have arrived.',
} as const
