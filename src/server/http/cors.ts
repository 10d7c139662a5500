import { AgentError } from '../../base/agent-error.ts'
import type { Answer } from './stream-response.ts'
import { HttpRefusal } from './http-refusal.ts'
import type { IncomingCall } from './incoming-call.ts'

/** Which pages of other origins may call the agent. */
export interface CorsOptions {
  /** Exact origins, such as `https://app.example`. There is no wildcard, because requests carry the identity of a user. */
  readonly origins: readonly string[]
  /** Whether cookies may come along. @default false */
  readonly credentials?: boolean | undefined
  /** Request headers allowed beside the ones CAP uses. @default [] */
  readonly allowHeaders?: readonly string[] | undefined
  /** How long a browser may remember the answer, in seconds. @default 600 */
  readonly maxAgeSeconds?: number | undefined
}

/** All that a client sends and a browser asks about (CAP section 7, row 34, and Content-Type; the run of the other protocols). */
const REQUEST_HEADERS = ['authorization', 'content-type', 'last-event-id', 'x-request-id', 'x-run-id']

const READABLE_HEADERS = 'cap-control, date, retry-after, x-request-id'

/** A scheme and a host with or without a port: what browsers send as `Origin`, also those of extensions and apps. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s*]+$/

/** @throws AgentError `invalid_config` for a list that would allow other pages than it says, or none */
export function checkCors(cors: CorsOptions | undefined): void {
  if (cors !== undefined) checkOrigins('cors.origins', cors.origins)
}

/**
 * Checks a list of origins whose pages may call.
 *
 * @throws AgentError `invalid_config` for a list that would allow other pages than it says, or none
 */
export function checkOrigins(option: string, origins: unknown): void {
  if (Array.isArray(origins) && origins.every(isOrigin)) return
  throw invalidOrigin(
    `${option} has to be an array of exact origins such as "https://app.example": no wildcard, no path, no trailing slash, no upper case, no default port, not "null".`,
  )
}

/**
 * Checks where browsers believe a server is.
 *
 * @throws AgentError `invalid_config` for an address whose origin no browser sends
 */
export function checkOwnOrigin(origin: string | undefined): void {
  if (origin === undefined || (URL.canParse(origin) && /^https?:$/.test(new URL(origin).protocol))) return
  throw invalidOrigin('origin has to be where browsers find this server, such as "https://app.example".')
}

/** Whether browsers send this text for some page. Those of http and https write an origin in one way only. */
function isOrigin(origin: unknown): boolean {
  if (typeof origin !== 'string' || !ORIGIN.test(origin)) return false
  return !/^https?:/.test(origin) || (URL.canParse(origin) && new URL(origin).origin === origin)
}

function invalidOrigin(message: string): AgentError {
  return new AgentError({ kind: 'protocol', code: 'invalid_config', severity: 'FATAL', message })
}

/** Answers a preflight. An origin that is not listed gets no permission and the browser stops there. */
export function preflightResponse(
  origin: string | null,
  cors: CorsOptions = { origins: [] },
  methods = 'GET, POST',
): Response {
  const { allowHeaders = [], maxAgeSeconds = 600 } = cors
  const response = new Response(null, { status: 204 })
  if (allows(origin, cors)) {
    response.headers.set('access-control-allow-methods', methods)
    response.headers.set('access-control-allow-headers', [...REQUEST_HEADERS, ...allowHeaders].join(', '))
    response.headers.set('access-control-max-age', String(maxAgeSeconds))
  }
  return response
}

/** An answer with what lets the calling page read it. */
export function withCors(answer: Answer, origin: string | null, cors: CorsOptions): Answer {
  const all: Record<string, string> = { vary: 'Origin' }
  if (origin !== null && allows(origin, cors)) {
    all['access-control-allow-origin'] = origin
    all['access-control-expose-headers'] = READABLE_HEADERS
    if (cors.credentials) all['access-control-allow-credentials'] = 'true'
  }
  if (!(answer instanceof Response)) return { ...answer, headers: { ...answer.headers, ...all } }
  for (const [name, value] of Object.entries(all)) {
    if (name === 'vary') answer.headers.append(name, value)
    else answer.headers.set(name, value)
  }
  return answer
}

function allows(origin: string | null, cors: CorsOptions): boolean {
  return cors.origins.includes(origin ?? '')
}

/**
 * Lets a call pass that comes from the server's own pages, from a listed origin, or from no page at all. A page elsewhere
 * could otherwise send requests in the name of its visitors, because browsers send cookies along.
 *
 * @throws HttpRefusal 403 `origin_refused`
 */
export function checkOrigin(http: Pick<IncomingCall, 'url' | 'header'>, cors: CorsOptions | undefined): void {
  const origin = http.header('origin')
  // Only browsers can set this header, not pages. Behind a proxy that terminates TLS it is more reliable than the
  // address of the request.
  const site = http.header('sec-fetch-site')
  if (site === 'same-origin') return
  if (origin === null && (site === null || site === 'none')) return
  // `null` is the origin of every sandboxed page, and of an address that is neither http nor https.
  if (origin !== null && origin !== 'null' && (origin === http.url.origin || cors?.origins.includes(origin))) return
  throw new HttpRefusal({
    status: 403,
    code: 'origin_refused',
    message: 'This origin is not allowed. Add it to the allowed origins of the server.',
  })
}
