import type { AgentErrorInit } from '../../base/agent-error.ts'
import { AgentError, errorInit } from '../../base/agent-error.ts'

/** Any failure of a CAP run (RFC 004 section 5). */
export class CapError extends AgentError {
  static override readonly brand: string = 'CapError'

  constructor(init: AgentErrorInit, brands: readonly string[] = ['AgentError', 'CapError']) {
    super(init, brands)
  }
}

/** The connection could not be set up or kept: retries are exhausted. Check the network or try later. */
export class CapConnectionError extends CapError {
  static override readonly brand: string = 'CapConnectionError'

  constructor(init: AgentErrorInit) {
    super(init, ['AgentError', 'CapError', 'CapConnectionError'])
  }
}

/** The server or the caller violated CAP: a version mismatch or a bug. */
export class CapProtocolError extends CapError {
  static override readonly brand: string = 'CapProtocolError'

  constructor(init: AgentErrorInit) {
    super(init, ['AgentError', 'CapError', 'CapProtocolError'])
  }
}

/** The server refused the request or the agent failed: an HTTP status, or an ERROR packet (RFC 005). */
export class CapRuntimeError extends CapError {
  static override readonly brand: string = 'CapRuntimeError'

  constructor(init: AgentErrorInit) {
    super(init, ['AgentError', 'CapError', 'CapRuntimeError'])
  }
}

/** Makes the CAP error that fits the kind. */
export function createCapError(init: AgentErrorInit): CapError {
  if (init.kind === 'connection') return new CapConnectionError(init)
  if (init.kind === 'protocol') return new CapProtocolError(init)
  return new CapRuntimeError(init)
}

/** Gives any failure its CAP form; one that has it already stays the same object. */
export function toCapError(error: unknown): CapError {
  if (error instanceof CapError) return error
  if (error instanceof AgentError) return createCapError(errorInit(error))
  return createCapError({
    kind: 'runtime',
    code: 'app_error',
    severity: 'FATAL',
    message: 'An option of the client or its transport threw an error while the request was made. See the cause.',
    cause: error,
  })
}
