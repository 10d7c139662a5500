import { AgentError } from '../../base/agent-error.ts'
import { parseBoundedJson } from '../../base/bounded-json.ts'
import { type Clock, withTimeout } from '../../base/ports/clock.ts'
import { abortReason, onAbort } from '../../base/on-abort.ts'
import { toHttpError } from '../../protocols/cap/errors.ts'
import { ask, toAnswer, type Fetch } from '../../wire/fetch-transport.ts'
import type { BodyAnswer } from '../../wire/transport.ts'
import { notAnAnswer, redirected, refused, timedOut, upstreamCutOff, upstreamUnreachable } from './upstream-failure.ts'
import { resolveHeaders } from '../../wire/credential.ts'
import { appError } from '../run/app-error.ts'
import { HttpRefusal } from '../http/http-refusal.ts'
import type { IncomingCall } from '../http/incoming-call.ts'
import type { Answer } from '../http/stream-response.ts'

/** The caller, for the function that makes the headers of the upstream request. */
export interface ProxyCaller {
  /** The request as it came in. With a log it may have ended already. */
  readonly http: Request
  /** The result of `authorize`. */
  readonly user: string
}

export type ProxyHeaders =
  | Readonly<Record<string, string>>
  | ((caller: ProxyCaller) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>)

export interface UpstreamConnectionOptions {
  readonly headers: ProxyHeaders
  readonly forwardHeaders: readonly string[]
  readonly fetch: Fetch | undefined
  readonly clock: Clock
  readonly firstByteTimeoutMs: number
  readonly idleTimeoutMs: number
}

export interface UpstreamRequest {
  readonly url: string
  readonly method: string
  readonly body?: string | undefined
  readonly caller: ProxyCaller
  /** What the request needs itself; in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

export interface UpstreamReply {
  readonly response: Response
  /** Aborting it lets go of the connection. */
  readonly connection: AbortController
}

/** How an upstream is asked, whatever its protocol. What it throws is UpstreamFailure, unless the app's own `headers` threw. */
export interface UpstreamConnection {
  /** One request: headers made again, no redirect followed, a limit on every silence. */
  send(request: UpstreamRequest): Promise<UpstreamReply>
  /** The body as it comes. Lets go of the connection when the reader stops. */
  chunksOf(reply: UpstreamReply, signal: AbortSignal): AsyncGenerator<Uint8Array<ArrayBuffer>>
  /** The whole body, when it is JSON. */
  jsonOf(reply: UpstreamReply, signal: AbortSignal, maxBytes: number): Promise<unknown>
  /** @throws UpstreamFailure for every status outside of 2xx */
  refuseOthers(reply: UpstreamReply): Promise<void>
}

/** Node's codes for why a connection failed; they contain no personal data. */
const REASON = /^[A-Z][A-Z_]{2,40}$/

export function createUpstreamConnection(options: UpstreamConnectionOptions): UpstreamConnection {
  const { clock, firstByteTimeoutMs, idleTimeoutMs } = options

  const chunksOf = async function* (
    { response, connection }: UpstreamReply,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    const reader = response.body?.getReader()
    const end = AbortSignal.any([signal, connection.signal])
    try {
      while (reader) {
        const read = unlessAborted(reader.read(), end)
        const { done, value } = await withTimeout(read, clock, idleTimeoutMs, () => connection.abort()).catch(
          (error: unknown) => {
            if (signal.aborted) throw error
            throw connection.signal.aborted ? timedOut(idleTimeoutMs) : upstreamCutOff()
          },
        )
        if (done) return
        yield value
      }
    } finally {
      connection.abort()
    }
  }

  return {
    async send({ url, method, body, caller, headers: own, signal }) {
      const { headers } = options
      const secret = await upstreamHeaders(typeof headers === 'function' ? await headers(caller) : headers)
      const all = {
        ...forwardedHeaders(caller.http.headers, options.forwardHeaders),
        ...secret,
        'accept-encoding': 'identity',
        ...own,
      }
      const connection = new AbortController()
      const end = AbortSignal.any([signal, connection.signal])
      const init = {
        method,
        headers: all,
        redirect: 'manual',
        signal: end,
        ...(body !== undefined && { body }),
      } as const
      const asked = unlessAborted(ask(options.fetch, url, init), end)
      const response = await withTimeout(asked, clock, firstByteTimeoutMs, () => connection.abort()).catch(
        (error: unknown) => {
          if (signal.aborted) throw error
          throw connection.signal.aborted ? timedOut(firstByteTimeoutMs) : upstreamUnreachable(reasonOf(error))
        },
      )
      return { response, connection }
    },
    chunksOf,
    async jsonOf(reply, signal, maxBytes) {
      const answer = toAnswer(reply.response, () => noFrames())
      if (answer.kind === 'events' || answer.contentType !== 'application/json')
        throw notAnAnswer(answer.contentType || 'a body of no type')
      let text = ''
      let size = 0
      const utf8 = new TextDecoder()
      for await (const chunk of chunksOf(reply, signal)) {
        size += chunk.byteLength
        if (size > maxBytes) throw notAnAnswer(`JSON of more than ${maxBytes} bytes`)
        text += utf8.decode(chunk, { stream: true })
      }
      try {
        return parseBoundedJson(text + utf8.decode())
      } catch {
        throw notAnAnswer('JSON that cannot be read')
      }
    },
    async refuseOthers({ response, connection }) {
      if (response.ok) return
      if (response.status < 400) throw redirected(response.status)
      // Of the body only the wait it asks for is read. A status outside of 2xx is never an event stream.
      const answer = toAnswer(response, () => noFrames()) as BodyAnswer
      const text: BodyAnswer['text'] = (limit) => unlessAborted(answer.text(limit), connection.signal)
      const read = toHttpError({ ...answer, text })
      const { retryAfterMs } = await withTimeout(read, clock, firstByteTimeoutMs, () => connection.abort())
      throw refused(response.status, retryAfterMs)
    },
  }
}

/**
 * Checks the address of an upstream. It is part of what must not be shown, so the error does not quote it.
 *
 * @throws AgentError `invalid_config`
 */
export function checkedAddress(upstream: string | URL): string {
  const url = URL.canParse(String(upstream)) ? new URL(upstream) : undefined
  if (
    url &&
    /^https?:$/.test(url.protocol) &&
    url.username === '' &&
    url.password === '' &&
    url.search === '' &&
    url.hash === ''
  )
    return String(upstream)
  throw new AgentError({
    kind: 'protocol',
    code: 'invalid_config',
    severity: 'FATAL',
    message:
      'upstream has to be an absolute http or https address without user, query or fragment. Credentials belong into headers.',
  })
}

/**
 * Rejects when the signal aborts. A `fetch` of the app may ignore its signal, and in Node a body that cannot be decompressed neither ends
 * nor fails, even when it is aborted.
 */
function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const release = onAbort(signal, () => reject(abortReason(signal, 'The connection was given up.')))
    promise.then(resolve, reject).finally(release)
  })
}

async function* noFrames(): AsyncGenerator<never> {}

function reasonOf(error: unknown): string | undefined {
  for (let cause: unknown = error, depth = 0; cause instanceof Error && depth < 4; cause = cause.cause, depth++) {
    const code: unknown = Reflect.get(cause, 'code')
    if (typeof code === 'string' && REASON.test(code)) return code
  }
  return undefined
}

/**
 * Headers that the app gives for a request to the upstream, by their names in lower case.
 *
 * @throws AgentError `app_error` for something else than headers, `invalid_config` for one that HTTP does not allow
 */
async function upstreamHeaders(given: unknown): Promise<Record<string, string>> {
  return lowerCased(await resolveHeaders(checkedHeaders(given), undefined))
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

/** Without these headers the upstream would take the request for an anonymous one, or for that of its default user. */
function checkedHeaders(headers: unknown): Record<string, string> {
  if (
    typeof headers === 'object' &&
    headers !== null &&
    !Array.isArray(headers) &&
    !(headers instanceof Headers) &&
    Object.values(headers).every((value) => typeof value === 'string')
  ) {
    // Every value was just looked at.
    return headers as Record<string, string>
  }
  throw appError(
    'headers gave something else than an object whose values are all strings, so the upstream was not asked. Return an object; leave a header out rather than setting it to undefined.',
  )
}

/** Headers of a client that are forwarded to the upstream without being listed: what the user prefers, and where a trace began. */
const ALWAYS = ['accept-language', 'traceparent', 'tracestate']

/** Made again for every request, or about one connection only. */
const NEVER = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'proxy-authorization',
  'proxy-connection',
  'accept-encoding',
  'origin',
  'referer',
])

const CONTENT = /^[\t\u0020-\u007e\u0080-\u00ff]*$/

/**
 * What of a client's headers the upstream may see.
 *
 * @throws HttpRefusal 400 for a value with a line break or another control character: it could write its own headers
 */
function forwardedHeaders(headers: Headers, listed: readonly string[]): Record<string, string> {
  const all: Record<string, string> = {}
  for (const name of [...ALWAYS, ...listed.map((each) => each.toLowerCase())]) {
    const value = headers.get(name)
    if (value === null) continue
    if (!CONTENT.test(value))
      throw new HttpRefusal({
        status: 400,
        code: 'invalid_request',
        message: `The header ${name} holds a character that HTTP does not allow.`,
      })
    all[name] = value
  }
  return all
}

/** @throws AgentError `invalid_config` for a header that no proxy may hand on */
export function checkForwarded(listed: readonly string[]): readonly string[] {
  const wrong = listed.find((name) => NEVER.has(name.toLowerCase()) || !/^[a-z0-9-]+$/i.test(name))
  if (wrong === undefined) return listed
  throw new AgentError({
    kind: 'protocol',
    code: 'invalid_config',
    severity: 'FATAL',
    message: `forwardHeaders names ${JSON.stringify(wrong)}, which belongs to one connection and cannot be handed on. Leave it out.`,
  })
}

/** Answers a request of a caller who is known. */
export type ProxyReply = (incoming: IncomingCall, caller: ProxyCaller) => Promise<Answer>

/** What a proxy does for one protocol. */
export interface ProxyService {
  /** @throws HttpRefusal 404 for a path that is not served, 405 with `Allow` for another method */
  match(method: string, pathname: string, options: { readonly cors: boolean }): ProxyReply | 'preflight'
}
