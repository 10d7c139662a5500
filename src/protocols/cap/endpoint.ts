import type { ApiKey, HeaderSource } from '../../wire/credential.ts'
import { type CapError, createCapError } from './errors.ts'

export interface CapEndpointOptions {
  /** Root of the agent service: `https://agent.example`, or a path on the page's own origin such as `/api/agent`. */
  readonly baseUrl: string
  /**
   * Path of the assist call, below `baseUrl` (CAP section 7, row 7).
   *
   * @default `/v1/assist` when `baseUrl` has no path, else `/assist`
   */
  readonly path?: string | undefined
  /**
   * Credential for `Authorization: Bearer`, or a function that gets one, asked before every attempt. Absent: no
   * `Authorization` header.
   */
  readonly apiKey?: ApiKey | undefined
  /**
   * Extra request headers, or a function that makes them, asked before every attempt. Absent: no headers but those of
   * CAP.
   */
  readonly headers?: HeaderSource | undefined
}

/** Where the calls go. */
export interface CapUrls {
  readonly assist: string
  readonly health: string
}

export function resolveUrls({ baseUrl, path }: CapEndpointOptions): CapUrls {
  const base = baseUrl.trim().replace(/\/+$/, '')
  const isPath = base.startsWith('/')
  if (!isPath && !URL.canParse(base) && baseUrl.trim() !== '/') {
    throw invalidConfig(
      `baseUrl is ${JSON.stringify(baseUrl)}, which is neither an absolute URL nor a path that begins with "/".`,
    )
  }
  const hasPath = isPath ? base.length > 1 : base !== '' && new URL(base).pathname !== '/'
  const assist = path ?? (hasPath ? '/assist' : '/v1/assist')
  return { assist: `${base}${assist.startsWith('/') ? '' : '/'}${assist}`, health: `${base}/health` }
}

function invalidConfig(message: string): CapError {
  return createCapError({ kind: 'protocol', code: 'invalid_config', severity: 'FATAL', message })
}

/**
 * The form in which a server reads requests (CAP section 3.4, and section 7, row 24). `G1`: RFC 004. `v0.17`: the question is
 * `payload.query`; v0.15 and v0.16 read it too. `v0.18`: the same with `payload.session_id`. `v0.24`: `payload.payload`, and who
 * asks is an identity; v0.19 to v0.24.
 */
export type CapDialect = 'G1' | 'v0.17' | 'v0.18' | 'v0.24'

/** What a client has to know of a server of an older generation. */
export interface OlderServerOptions {
  /**
   * The form in which the server reads requests. A request in the form of G1, which `chat()`, the hooks and `assist()` make or
   * take, is rewritten when it is sent: under the same ids, to the same path and with the same headers. What the other form
   * has no key for is left out (tier, locale, email, permissions, trace, capabilities), but never a part of the question:
   * iterating throws CapProtocolError `invalid_request`, and nothing is sent, when `payload.payload` holds more than `query`
   * and `files` for v0.17 or v0.18, or when a request given to `assist()` is already in the form of another generation.
   * docs/cap.md, "How do I ask a server of an older generation?"
   * @default 'G1'
   */
  readonly dialect?: CapDialect | undefined
  /**
   * What to do when the connection breaks in an answer without packet numbers (all generations but G1), which no server can
   * resume. `fail`: the run ends as incomplete, and nothing is sent again. `restart`: the same request is sent again, under the
   * same id, without Last-Event-ID, at most `maxRetries` times in a run. The agent then runs again, so choose it only for agents that
   * have no side effects. Earlier output is dropped once the new answer begins: a chat shows the new one from
   * its start, marked as restarted; `chat()` continues where the new answer repeats what it gave, and else throws `restarted`;
   * of `assist()` the `restarts` grow. docs/cap.md, "What happens when an answer without numbers breaks off?"
   * @default 'fail'
   */
  readonly onUnresumable?: 'fail' | 'restart' | undefined
}

/** Keys are all that may be given. */
const DIALECTS: Readonly<Record<CapDialect, true>> = { G1: true, 'v0.17': true, 'v0.18': true, 'v0.24': true }

const ANSWERS = { fail: true, restart: true }

/** The options with their defaults. @throws CapProtocolError `invalid_config` */
export function resolveOlderServer({ dialect = 'G1', onUnresumable = 'fail' }: OlderServerOptions): {
  readonly dialect: CapDialect
  readonly restarts: boolean
} {
  assertOneOf('dialect', dialect, DIALECTS)
  assertOneOf('onUnresumable', onUnresumable, ANSWERS)
  return { dialect, restarts: onUnresumable === 'restart' }
}

function assertOneOf(name: string, value: string, allowed: object): void {
  if (Object.hasOwn(allowed, value)) return
  throw createCapError({
    kind: 'protocol',
    code: 'invalid_config',
    severity: 'FATAL',
    message: `${name} is ${JSON.stringify(value)}; it has to be one of ${Object.keys(allowed).join(', ')}.`,
  })
}
