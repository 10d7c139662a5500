import type { JsonObject } from '../../base/json-object.ts'
import type { ArcpErrorPayload } from '../../protocols/arcp/schema/error.ts'

export interface ArcpFaultOptions {
  /** Whether the same command may succeed later. Absent: what the code means by itself. */
  readonly retryable?: boolean | undefined
  /** More for a developer, such as `retry_after_seconds`. It goes to the client. Absent: nothing. */
  readonly details?: JsonObject | undefined
  /** The error behind it. It stays here. Absent: there is none. */
  readonly cause?: unknown
}

/**
 * A failure as ARCP says it (RFC section 18): a tool throws it to fail its job under its own code. What else a tool throws becomes
 * `INTERNAL`, and its words stay on this side.
 *
 * @example
 * ```ts
 * import { ArcpFault, createArcpRuntime } from 'capstan/arcp/runtime'
 *
 * const runtime = createArcpRuntime({
 *   tools: {
 *     weather: async ({ city }) => {
 *       throw new ArcpFault('NOT_FOUND', `There is no ${String(city)}.`)
 *     },
 *   },
 * })
 * ```
 */
export class ArcpFault extends Error {
  /** A code of the protocol such as `NOT_FOUND`, or one of a namespace, such as `arcpx.acme.QUOTA`. */
  readonly code: string
  readonly retryable: boolean | undefined
  readonly details: JsonObject | undefined

  constructor(code: string, message: string, { retryable, details, cause }: ArcpFaultOptions = {}) {
    super(message, { cause })
    this.name = 'ArcpFault'
    this.code = code
    this.retryable = retryable
    this.details = details
  }
}

/** A fault as it travels. */
export function faultPayload({ code, message, retryable, details }: ArcpFault): ArcpErrorPayload {
  return {
    code,
    message,
    ...(retryable === undefined ? {} : { retryable }),
    ...(details === undefined ? {} : { details }),
  }
}
