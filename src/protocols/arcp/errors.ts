import type { AgentErrorInit, ErrorCode } from '../../base/agent-error.ts'
import { AgentError, errorInit } from '../../base/agent-error.ts'
import { ValidationError } from '../../base/format/validation-error.ts'
import type { ArcpErrorPayload } from './schema/payloads.ts'

/** Any failure of a call, a job or a session of ARCP. `agentCode` is the code of the protocol, such as `PERMISSION_DENIED`. */
export class ArcpError extends AgentError {
  static override readonly brand: string = 'ArcpError'

  constructor(init: AgentErrorInit) {
    super(init, ['AgentError', 'ArcpError'])
  }
}

export function createArcpError(init: AgentErrorInit): ArcpError {
  return new ArcpError(init)
}

const CODES: Readonly<Record<string, ErrorCode>> = {
  UNAUTHENTICATED: 'unauthorized',
  PERMISSION_DENIED: 'forbidden',
  NOT_FOUND: 'not_found',
  JOB_NOT_FOUND: 'not_found',
  AGENT_NOT_AVAILABLE: 'not_found',
  RESOURCE_EXHAUSTED: 'rate_limited',
  RATE_LIMITED: 'rate_limited',
  INVALID_ARGUMENT: 'invalid_request',
  INVALID_REQUEST: 'invalid_request',
  OUT_OF_RANGE: 'invalid_request',
  DATA_LOSS: 'log_expired',
}

/** Codes that may be gone at the next attempt, where the error does not say (RFC section 18.2). */
const RETRYABLE = new Set([
  'RESOURCE_EXHAUSTED',
  'RATE_LIMITED',
  'UNAVAILABLE',
  'DEADLINE_EXCEEDED',
  'INTERNAL',
  'ABORTED',
])

/** Whether the same command may succeed at another attempt. */
export function isRetryable({ code, retryable }: ArcpErrorPayload): boolean {
  return retryable ?? RETRYABLE.has(code)
}

/** Codes of a job that a runtime or this client has given up: its tool may still be working. */
const UNCONFIRMED_ENDS: ReadonlySet<string | undefined> = new Set(['ABORTED', 'HEARTBEAT_LOST', 'DATA_LOSS', 'TIMEOUT'])

/** Whether a job that failed with this code may still be working. */
export function isUnconfirmedEnd(code: string | undefined): boolean {
  return UNCONFIRMED_ENDS.has(code)
}

/** An error of the protocol as a typed error. @param severity @default FATAL: what failed has failed */
export function toProtocolError(error: ArcpErrorPayload, severity: AgentErrorInit['severity'] = 'FATAL'): ArcpError {
  const seconds = error.details?.retry_after_seconds
  return createArcpError({
    kind: 'runtime',
    code: CODES[error.code] ?? 'agent_error',
    severity,
    message: error.message,
    agentCode: error.code,
    retryAfterMs: typeof seconds === 'number' && seconds >= 0 ? seconds * 1000 : undefined,
    details: { ...error.details, retryable: isRetryable(error) },
  })
}

/** Gives any failure its ARCP form; one that has it already stays the same object. */
export function toArcpError(error: unknown): ArcpError {
  if (error instanceof ArcpError) return error
  if (error instanceof AgentError) return createArcpError(errorInit(error))
  return createArcpError({
    kind: 'runtime',
    code: 'app_error',
    severity: 'FATAL',
    message: 'An option of the client or its transport threw an error. See the cause.',
    cause: error,
  })
}

/** A frame that is not a message: it is left out. */
export function unreadable(cause: unknown): ArcpError {
  const isMessage = cause instanceof ValidationError
  return createArcpError({
    kind: 'protocol',
    code: isMessage ? 'invalid_packet' : 'invalid_json',
    severity: 'WARNING',
    message: isMessage
      ? `The agent sent something that is not ARCP: ${cause.message}.`
      : 'The agent sent a frame that is not JSON.',
    cause,
  })
}
