import type { AgentErrorInit, ErrorCode } from '../../base/agent-error.ts'
import { AgentError, errorInit } from '../../base/agent-error.ts'
import type { JsonObject } from '../../base/json-object.ts'
import { isJsonObject } from '../../base/json-object.ts'
import { ValidationError } from '../../base/format/validation-error.ts'

/** Any failure of a call or a run of A2A. `agentCode` is the code of JSON-RPC, such as `-32001`, where the agent gave one. */
export class A2AError extends AgentError {
  static override readonly brand: string = 'A2AError'

  constructor(init: AgentErrorInit) {
    super(init, ['AgentError', 'A2AError'])
  }
}

/** The codes of JSON-RPC and A2A (section 5.4) that decide what is done next. */
export const RPC = {
  taskNotFound: '-32001',
  taskNotCancelable: '-32002',
  unsupportedOperation: '-32004',
  methodNotFound: '-32601',
  internalError: '-32603',
} as const

const CODES: Readonly<Record<string, ErrorCode>> = {
  [RPC.taskNotFound]: 'not_found',
  '-32005': 'invalid_request',
  '-32006': 'invalid_response',
  '-32009': 'invalid_config',
  '-32600': 'invalid_request',
  '-32602': 'invalid_request',
  '-32700': 'invalid_request',
}

export function createA2AError(init: AgentErrorInit): A2AError {
  return new A2AError(init)
}

/** Gives any failure its A2A form; one that has it already stays the same object. */
export function toA2AError(error: unknown): A2AError {
  if (error instanceof A2AError) return error
  if (error instanceof AgentError) return createA2AError(errorInit(error))
  if (error instanceof ValidationError) return invalidResponse(error.message)
  return createA2AError({
    kind: 'runtime',
    code: 'app_error',
    severity: 'FATAL',
    message: 'An option of the client or its transport threw an error while the request was made. See the cause.',
    cause: error,
  })
}

/** An answer that is not what A2A says. */
export function invalidResponse(why: string, cause?: unknown): A2AError {
  return createA2AError({
    kind: 'protocol',
    code: 'invalid_response',
    severity: 'FATAL',
    message: `The agent sent something that is not A2A: ${why}.`,
    cause,
  })
}

/**
 * An error object of JSON-RPC, or of `google.rpc.Status`, as a typed error. An internal error may be gone at the next attempt.
 *
 * @param codes of JSON-RPC by the reason of a `google.rpc.ErrorInfo`, for bindings whose errors have no such code
 */
export function toRpcError(error: unknown, status?: number, codes: Readonly<Record<string, string>> = {}): A2AError {
  const { code, message, data, details } = isJsonObject(error) ? error : {}
  const reason = reasonOf(data) ?? reasonOf(details)
  const agentCode =
    (reason && codes[reason]) ?? (typeof code === 'number' || typeof code === 'string' ? `${code}` : undefined)
  return createA2AError({
    kind: 'runtime',
    code: CODES[agentCode ?? ''] ?? 'agent_error',
    severity: agentCode === RPC.internalError ? 'TRANSIENT' : 'FATAL',
    message:
      typeof message === 'string' && message !== ''
        ? message
        : 'The agent reported an error and said nothing more about it.',
    agentCode,
    status,
    details: { data: data ?? details, reason },
  })
}

/** The reason in a list of `@type` objects, which 1.0 has and 0.3 has not. */
function reasonOf(details: unknown): string | undefined {
  if (!Array.isArray(details)) return undefined
  const info: JsonObject | undefined = details.filter(isJsonObject).find(({ reason }) => typeof reason === 'string')
  return typeof info?.reason === 'string' ? info.reason : undefined
}

/** The JSON-RPC code that the agent answered with; undefined when it was no such answer. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof AgentError ? error.agentCode : undefined
  return code !== undefined && /^-32\d{3}$/.test(code) ? code : undefined
}
