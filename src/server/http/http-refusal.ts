import type { StreamErrorBody } from '../run/agent-output.ts'
import { isAgentError } from '../../base/agent-error.ts'

export interface RefusalInit {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>> | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** A request turned away before any agent ran. Thrown inside the handler, answered as StreamError JSON (CAP section 6, rule 1). */
export class HttpRefusal extends Error {
  readonly init: RefusalInit

  constructor(init: RefusalInit) {
    super(init.message)
    this.name = 'HttpRefusal'
    this.init = init
  }

  toResponse(): Response {
    const { status, code, message, details, headers } = this.init
    const body: StreamErrorBody = { code, message, severity: 'FATAL', ...(details && { details }) }
    return Response.json(body, { status, headers: { 'cache-control': 'no-store', ...headers } })
  }
}

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

/** Reports errors to the app. */
export type ErrorReporter = (error: unknown, context: { readonly requestId?: string | undefined }) => void

/** Calls `onError`; if it throws, the error goes to `fallback` and neither ends the run nor changes the answer. */
export function errorReporter(onError: ErrorReporter, fallback: ErrorReporter): ErrorReporter {
  return (reported, context) => {
    const failed = (thrown: unknown): void => {
      fallback(reported, context)
      fallback(thrown, context)
    }
    try {
      const result: unknown = onError(reported, context)
      // An async function fits the type too, and its rejection would end the process.
      if (result instanceof Promise) result.catch(failed)
    } catch (thrown) {
      failed(thrown)
    }
  }
}
