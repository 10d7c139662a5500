import { AgentError } from '../../base/agent-error.ts'
import { isJsonObject } from '../../base/json-object.ts'
import type { Clock } from '../../base/ports/clock.ts'
import { controlBody, controlUrl } from '../../protocols/cap/control-request.ts'
import { announcedControl, type ControlName } from '../../protocols/cap/handle.ts'
import { resolveUrls } from '../../protocols/cap/endpoint.ts'
import { toHttpError } from '../../protocols/cap/http-errors.ts'
import { toHealthCheckResponse, toServiceResponse } from '../../protocols/cap/read/read-response.ts'
import type { HealthCheckResponse, ServiceResponse } from '../../protocols/cap/schema/response.ts'
import { ask, toAnswer, type Fetch } from '../../wire/fetch-answer.ts'
import type { BodyAnswer } from '../../wire/transport.ts'
import type { RunCommand, RunReply } from '../event-log/run-command.ts'
import type { BoundCall } from './bind-call.ts'
import { ANSWERS_COMMANDS, knownControl, toCommand, toRunReply } from './control-reply.ts'
import { forwardedHeaders } from './forwarded-headers.ts'
import { upstreamHeaders } from './upstream-headers.ts'
import { withTimeout } from '../../base/ports/with-timeout.ts'
import {
  upstreamCutOff,
  notAnAnswer,
  redirected,
  refused,
  timedOut,
  UpstreamFailure,
  upstreamUnreachable,
} from './upstream-failure.ts'

/** Who is asking, for the function that makes the headers of the upstream request. */
export interface ProxyCaller {
  /** The request as it came in. With a log it may be over already. */
  readonly http: Request
  /** What `authorize` said. */
  readonly user: string
}

export type ProxyHeaders =
  | Readonly<Record<string, string>>
  | ((caller: ProxyCaller) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>)

export interface UpstreamOptions {
  readonly upstream: string | URL
  readonly path: string | undefined
  readonly headers: ProxyHeaders
  readonly forwardHeaders: readonly string[]
  readonly fetch: Fetch | undefined
  readonly clock: Clock
  readonly firstByteTimeoutMs: number
  readonly idleTimeoutMs: number
  readonly maxAnswerBytes: number
}

export interface UpstreamCall {
  readonly call: BoundCall
  readonly caller: ProxyCaller
  readonly lastEventId: string | undefined
  readonly signal: AbortSignal
}

/** What the upstream says: chunks of an event stream as they come, or a whole answer. */
export type UpstreamAnswer =
  | {
      readonly kind: 'events'
      readonly chunks: AsyncGenerator<Uint8Array<ArrayBuffer>>
      /** The commands it takes for this run. */
      readonly control: readonly ControlName[]
    }
  | { readonly kind: 'response'; readonly response: ServiceResponse }

/** The one agent behind a proxy. What it throws is UpstreamFailure, unless the app's own `headers` threw. */
export interface Upstream {
  /** Distinguishes the logs of several upstreams. */
  readonly name: string
  assist(call: UpstreamCall): Promise<UpstreamAnswer>
  /** Sends a command for a run once. */
  command(call: UpstreamCommand): Promise<RunReply>
  health(caller: ProxyCaller): Promise<UpstreamHealth>
}

export interface UpstreamCommand {
  /** As it is upstream. */
  readonly requestId: string
  readonly command: RunCommand
  readonly caller: ProxyCaller
}

export type UpstreamHealth = HealthCheckResponse & { readonly control?: readonly ControlName[] | undefined }

const HEADER_SAFE = /^[\u0020-\u007e]{1,512}$/
const MOST_HEALTH_BYTES = 100_000
const MOST_REPLY_BYTES = 100_000
/** Node's codes for why a connection failed; they contain no personal data. */
const REASON = /^[A-Z][A-Z_]{2,40}$/

export function createUpstream(options: UpstreamOptions): Upstream {
  const urls = resolveUrls({ baseUrl: checkedAddress(options.upstream), path: options.path })
  const { clock, firstByteTimeoutMs, idleTimeoutMs, maxAnswerBytes } = options

  /** One request: headers made again, no redirect followed, a limit on every silence. */
  const send = async (
    url: string,
    caller: ProxyCaller,
    own: Readonly<Record<string, string>>,
    init: { readonly method: string; readonly body?: string },
    signal: AbortSignal,
  ): Promise<Reply> => {
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
    const asked = ask(options.fetch, url, { ...init, headers: all, redirect: 'manual', signal: end })
    const response = await withTimeout(asked, clock, firstByteTimeoutMs, () => connection.abort()).catch(
      (error: unknown) => {
        if (signal.aborted) throw error
        throw connection.signal.aborted ? timedOut(firstByteTimeoutMs) : upstreamUnreachable(reasonOf(error))
      },
    )
    return { response, connection }
  }

  const chunksOf = async function* (
    { response, connection }: Reply,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    const reader = response.body?.getReader()
    try {
      while (reader) {
        const { done, value } = await withTimeout(reader.read(), clock, idleTimeoutMs, () => connection.abort()).catch(
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

  /** The whole body, when it is JSON. */
  const jsonOf = async (reply: Reply, signal: AbortSignal, maxBytes: number): Promise<unknown> => {
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
      return JSON.parse(text + utf8.decode())
    } catch {
      throw notAnAnswer('JSON that cannot be read')
    }
  }

  /** @throws UpstreamFailure for every status outside of 2xx */
  const refuseOthers = async ({ response, connection }: Reply): Promise<void> => {
    if (response.ok) return
    if (response.status < 400) throw redirected(response.status)
    // Of the body only the wait it asks for is read. A status outside of 2xx is never an event stream.
    const read = toHttpError(toAnswer(response, () => noFrames()) as BodyAnswer)
    const { retryAfterMs } = await withTimeout(read, clock, firstByteTimeoutMs, () => connection.abort())
    throw refused(response.status, retryAfterMs)
  }

  return {
    name: urls.assist,
    async assist({ call, caller, lastEventId, signal }) {
      const own = {
        'content-type': 'application/json',
        accept: 'text/event-stream, application/json',
        'x-request-id': call.requestId,
        ...(lastEventId !== undefined && HEADER_SAFE.test(lastEventId) ? { 'last-event-id': lastEventId } : {}),
      }
      const reply = await send(urls.assist, caller, own, { method: 'POST', body: call.body }, signal)
      try {
        await refuseOthers(reply)
        if (mediaTypeOf(reply.response) === 'text/event-stream')
          return {
            kind: 'events',
            chunks: chunksOf(reply, signal),
            control: knownControl(announcedControl(reply.response.headers)),
          }
        const response = toServiceResponse(await jsonOf(reply, signal, maxAnswerBytes))
        if (response === undefined) throw notAnAnswer('JSON')
        if (response.request_id !== call.requestId) throw notAnAnswer('the ServiceResponse of another request')
        return { kind: 'response', response }
      } catch (error) {
        reply.connection.abort()
        throw error
      }
    },
    async command({ requestId, command, caller }) {
      // What has arrived here is carried on, whether or not the page waits for it.
      const { signal } = new AbortController()
      const own = { 'content-type': 'application/json', accept: 'application/json' }
      const url = controlUrl(urls.assist, requestId, command.name)
      const text = JSON.stringify(controlBody(toCommand(command, requestId)))
      const reply = await send(url, caller, own, { method: 'POST', body: text }, signal)
      try {
        const { status, ok } = reply.response
        if (!ok && !ANSWERS_COMMANDS.has(status)) await refuseOthers(reply)
        const body = await jsonOf(reply, signal, MOST_REPLY_BYTES).catch((error: unknown) => {
          // A refusal says enough by its status, but not one that was cut off.
          if (ok || !(error instanceof UpstreamFailure) || error.error.code !== 'unexpected_content_type') throw error
        })
        return toRunReply(status, body)
      } finally {
        reply.connection.abort()
      }
    },
    async health(caller) {
      const { signal } = caller.http
      const reply = await send(urls.health, caller, { accept: 'application/json' }, { method: 'GET' }, signal)
      try {
        await refuseOthers(reply)
        const json = await jsonOf(reply, signal, MOST_HEALTH_BYTES)
        const health = toHealthCheckResponse(json)
        if (health === undefined) throw notAnAnswer('JSON')
        const control = isJsonObject(json) && Array.isArray(json['control']) ? knownControl(json['control']) : []
        return { ...health, ...(control.length > 0 && { control }) }
      } finally {
        reply.connection.abort()
      }
    },
  }
}

interface Reply {
  readonly response: Response
  /** Aborting it lets go of the connection. */
  readonly connection: AbortController
}

async function* noFrames(): AsyncGenerator<never> {}

function mediaTypeOf(response: Response): string {
  return (response.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/** The address is part of what must not be shown, so the error does not quote it. */
function checkedAddress(upstream: string | URL): string {
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

function reasonOf(error: unknown): string | undefined {
  for (let cause: unknown = error, depth = 0; cause instanceof Error && depth < 4; cause = cause.cause, depth++) {
    const code: unknown = Reflect.get(cause, 'code')
    if (typeof code === 'string' && REASON.test(code)) return code
  }
  return undefined
}
