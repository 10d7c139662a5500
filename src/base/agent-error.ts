/** Where a failure arose: on the connection, in its messages, or in the agent itself (RFC 004 section 5). */
export type ErrorKind = 'connection' | 'protocol' | 'runtime'

/** RFC 005: FATAL ends the run, TRANSIENT may be tried again, WARNING lets the stream continue. */
export type ErrorSeverity = 'FATAL' | 'TRANSIENT' | 'WARNING'

/**
 * The closed list of failures this library reports. What an agent calls its own error
 * (`rate_limit_exceeded`, `auth_failed`, …) is open text and is in {@link AgentError.agentCode}.
 */
export type ErrorCode =
  // connection
  | 'network_error'
  | 'timeout'
  | 'truncated'
  | 'delivery_unknown'
  // protocol
  | 'unexpected_content_type'
  | 'frame_too_large'
  | 'response_too_large'
  | 'invalid_json'
  | 'invalid_packet'
  | 'unknown_op'
  | 'invalid_response'
  | 'invalid_request'
  | 'invalid_config'
  // runtime
  | 'http_error'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'rate_limited'
  | 'log_expired'
  | 'agent_error'
  | 'restarted'
  | 'busy'
  | 'app_error'
  // storage of a server
  | 'storage_full'
  | 'storage_corrupt'
  | 'storage_unavailable'

/** What an {@link AgentError} is made of. */
export interface AgentErrorInit {
  readonly kind: ErrorKind
  readonly code: ErrorCode
  readonly severity: ErrorSeverity
  /** What happened, why, and what to do: one or two plain sentences, safe to show. */
  readonly message: string
  /** The code the agent or server gave, as it wrote it. Absent: the agent gave none. */
  readonly agentCode?: string | undefined
  /** HTTP status of the response that carried the failure. Absent: no response carried the failure. */
  readonly status?: number | undefined
  /** Milliseconds the server asked to wait before another attempt. Absent: the server asked for no wait. */
  readonly retryAfterMs?: number | undefined
  /** Anything else that helps a developer; never shown as a headline. Absent: there is nothing more. */
  readonly details?: Readonly<Record<string, unknown>> | undefined
  /** The error behind this one. Absent: there was no other error. */
  readonly cause?: unknown
}

const BRANDS = Symbol.for('capstan.error')

/**
 * The one error type of the library. Errors are recognised by brand, not by prototype, so
 * `instanceof` holds over two bundled copies of the package.
 */
export class AgentError extends Error {
  static readonly brand: string = 'AgentError'

  readonly kind: ErrorKind
  readonly code: ErrorCode
  readonly severity: ErrorSeverity
  readonly agentCode: string | undefined
  readonly status: number | undefined
  readonly retryAfterMs: number | undefined
  readonly details: Readonly<Record<string, unknown>> | undefined
  readonly [BRANDS]: readonly string[]

  constructor(init: AgentErrorInit, brands: readonly string[] = ['AgentError']) {
    super(init.message, init.cause === undefined ? undefined : { cause: init.cause })
    this.name = brands.at(-1) ?? 'AgentError'
    this.kind = init.kind
    this.code = init.code
    this.severity = init.severity
    this.agentCode = init.agentCode
    this.status = init.status
    this.retryAfterMs = init.retryAfterMs
    this.details = init.details
    this[BRANDS] = brands
    Object.defineProperty(this, BRANDS, { enumerable: false })
  }

  /** Whether another attempt, now or later, can succeed. */
  get retryable(): boolean {
    return this.severity === 'TRANSIENT'
  }

  static override [Symbol.hasInstance](this: { brand?: string; prototype: object }, value: unknown): boolean {
    if (typeof value !== 'object' || value === null) return false
    if (!Object.hasOwn(this, 'brand')) return Object.prototype.isPrototypeOf.call(this.prototype, value)
    const brands: unknown = Reflect.get(value, BRANDS)
    return Array.isArray(brands) && brands.includes(this.brand)
  }
}

/** What an error was made of, to make another one like it. */
export function errorInit(error: AgentError): AgentErrorInit {
  const { kind, code, severity, message, agentCode, status, retryAfterMs, details, cause } = error
  return { kind, code, severity, message, agentCode, status, retryAfterMs, details, cause }
}

/** True for every error made by this library, whichever copy of it made the error. */
export function isAgentError(value: unknown): value is AgentError {
  return value instanceof AgentError
}
