import { isAgentError } from '../../base/agent-error.ts'
import { HttpRefusal } from './http-refusal.ts'

const RETRY_AFTER_SECONDS = 5

/** The response body for errors that a client can act on; undefined for the others, which are not disclosed. */
export function refusalOf(error: unknown): HttpRefusal | undefined {
  if (error instanceof HttpRefusal) return error
  if (!isAgentError(error)) return undefined
  if (error.code === 'log_expired') return logExpired()
  return error.retryable ? logUnavailable() : undefined
}

/** Whether a log is gone that was there. */
export function isLogExpired(error: unknown): boolean {
  return isAgentError(error) && error.code === 'log_expired'
}

/** CAP section 6, rule 5. */
export function logExpired(): HttpRefusal {
  return new HttpRefusal({
    status: 409,
    code: 'log_expired',
    message:
      'The answer to this request is no longer stored, and running the agent again could repeat what it did. Ask again under a new request id.',
  })
}

function logUnavailable(): HttpRefusal {
  return new HttpRefusal({
    status: 503,
    code: 'log_unavailable',
    message: 'The server cannot store answers at the moment, so it starts no run. Try again soon.',
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
  })
}

/** An error whose details only the operator gets. */
export function internalError(): HttpRefusal {
  return new HttpRefusal({
    status: 500,
    code: 'internal_error',
    message: "The server could not handle this request. The details are in the server's log.",
  })
}
