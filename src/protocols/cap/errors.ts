import { type AgentErrorInit, AgentError, errorInit } from '../../base/agent-error.ts'
import type { BodyAnswer } from '../../wire/transport.ts'
import { contentTypeErrorInit, httpErrorInit } from '../../wire/http-errors.ts'

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

/**
 * The typed error for an answer with a status outside 2xx. The body helps developers; it never becomes the headline.
 * @param request method and path of the request, named where they are likely to be wrong
 */
export async function toHttpError(answer: BodyAnswer, request?: string): Promise<CapError> {
  return createCapError(await httpErrorInit(answer, request))
}

/** A 2xx answer that is neither an event stream nor JSON (CAP section 7, row 27; a captive portal, a proxy's page). */
export async function toContentTypeError(answer: BodyAnswer): Promise<CapError> {
  return createCapError(await contentTypeErrorInit(answer))
}

/** What says nothing about the address. */
const WITHOUT_ADDRESS: ReadonlySet<string> = new Set(['app_error', 'invalid_request', 'busy'])

/** Says in `details.url` where the request went, for debugging: without user, password, query and fragment, which may be secret. */
export function withUrl(error: CapError, url: string): CapError {
  if (WITHOUT_ADDRESS.has(error.code) || error.details?.['url'] !== undefined) return error
  return createCapError({ ...errorInit(error), details: { ...error.details, url: addressOf(url) } })
}

/** Path of the request, without query and fragment, which may be secret. */
export function urlPath(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : addressOf(url)
}

function addressOf(url: string): string {
  if (!URL.canParse(url)) return url.replace(/[?#].*$/s, '')
  const { origin, pathname } = new URL(url)
  return origin + pathname
}
