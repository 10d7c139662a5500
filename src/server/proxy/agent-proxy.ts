import { isAgentError } from '../../base/agent-error.ts'
import type { Clock } from '../../base/clock.ts'
import { systemDigest } from '../../base/digest.ts'
import { systemEnvironment } from '../../base/environment.ts'
import type { Fetch } from '../../wire/fetch-answer.ts'
import { bindCall, type BoundCall } from './bind-call.ts'
import { callerIdentity, type Authorize } from '../http/caller-identity.ts'
import { checkOrigin } from '../http/check-origin.ts'
import type { CorsOptions } from '../http/cors.ts'
import { addCorsHeaders, checkCors, preflightResponse } from '../http/cors.ts'
import { errorReporter } from '../http/error-reporter.ts'
import type { EventLog } from '../event-log/event-log.ts'
import { checkForwarded } from './forwarded-headers.ts'
import { HttpRefusal } from '../http/http-refusal.ts'
import { refusalOf } from '../http/log-refusals.ts'
import { passThrough } from './pass-through.ts'
import { createProxyLog } from './proxy-log.ts'
import type { AssistCall } from '../http/read-assist-call.ts'
import { readAssistCall } from '../http/read-assist-call.ts'
import { matchRoute } from '../http/routes.ts'
import { DEFAULT_STALL_TIMEOUT_MS } from '../http/stall-detector.ts'
import { createUpstream, type ProxyCaller, type ProxyHeaders } from './upstream.ts'
import { UpstreamFailure } from './upstream-failure.ts'

export interface AgentProxyOptions {
  /** Root of the agent, absolute; the calls go to `/v1/assist` or, below a path, to `/assist`, as with CapClient's `baseUrl`. Nothing in a request can change it. */
  readonly upstream: string | URL
  /** Path of the assist call, below `upstream`. */
  readonly path?: string | undefined
  /** Headers of every upstream request, such as the secret: fixed, or asked for each time. They never leave this server otherwise. */
  readonly headers: ProxyHeaders
  /**
   * Says who is calling, before the body is read: the run is bound to that name and nobody else can read it. Return a Response
   * to refuse. Anything but a non-empty string or a Response is refused with 500 and told to `onError`. GET /health asks it too.
   * Return the same name for everybody only where anybody may spend what the secret pays for.
   */
  readonly authorize: Authorize
  /** Where answers are kept. With it the upstream run goes on when the browser leaves, and a client that comes back hears it all. */
  readonly log?: EventLog | undefined
  /** Request headers that go on to the upstream, beside `accept-language`, `traceparent` and `tracestate`. */
  readonly forwardHeaders?: readonly string[] | undefined
  /** Pages of other origins that may call (default: none but the server's own). */
  readonly cors?: CorsOptions | undefined
  /** Largest request body, in bytes (default 1 MB). */
  readonly maxBodyBytes?: number | undefined
  /** Longest answer: of a log in UTF-16 units of its frames, of JSON in bytes (default 16 million). */
  readonly maxAnswerLength?: number | undefined
  /** Longest wait for the upstream's first byte, in milliseconds (default 60 s). */
  readonly firstByteTimeoutMs?: number | undefined
  /** Longest silence of an upstream that is answering, comments counted as life, in milliseconds (default 60 s). */
  readonly idleTimeoutMs?: number | undefined
  /** With a log: a comment goes out after so many milliseconds of silence (default 15 s). Without one the upstream's own are handed on. */
  readonly heartbeatMs?: number | undefined
  /**
   * A client that reads nothing for so many milliseconds while an answer is ready for it is disconnected; it may come back and read
   * on. Infinity: never.
   *
   * @default 60_000
   */
  readonly stallTimeoutMs?: number | undefined
  /** With a log: how often a connection to the upstream is taken up again without anything new (default 3). */
  readonly maxResumes?: number | undefined
  /** Another fetch than the platform's. */
  readonly fetch?: Fetch | undefined
  readonly clock?: Clock | undefined
  /**
   * What went wrong with the upstream, the log or your own functions. Errors of the upstream are AgentErrors that quote neither
   * it nor its address. Default: their messages go to `console.error`, and of what your functions threw only that they did.
   */
  readonly onError?: ((error: unknown, context: { readonly requestId?: string | undefined }) => void) | undefined
  /** With a log: keeps the process awake for the run where a platform would freeze it after the response. */
  readonly waitUntil?: ((run: Promise<void>) => void) | undefined
  /** Abort it when the server is going down. A log over several processes is then left for another to go on with. */
  readonly signal?: AbortSignal | undefined
}

/** Answers one HTTP request. Never rejects. */
export type AgentProxy = (http: Request) => Promise<Response>

/**
 * Proxies browser requests to one agent that needs a secret: POST on any path ending in `/assist`, GET on any ending in `/health`.
 * Pages never see the secret nor where the agent is; what goes wrong upstream becomes an HTTP error of CAP in words of its own.
 *
 * @throws AgentError `invalid_config` when an option cannot work
 */
export function createAgentProxy(options: AgentProxyOptions): AgentProxy {
  const { authorize, log, cors, clock = systemEnvironment.clock, maxBodyBytes = 1_000_000, maxAnswerLength = 16_000_000, stallTimeoutMs = DEFAULT_STALL_TIMEOUT_MS } = options
  const onError = errorReporter(options.onError ?? reportToConsole, reportToConsole)
  checkCors(cors)
  const upstream = createUpstream({
    upstream: options.upstream,
    path: options.path,
    headers: options.headers,
    forwardHeaders: checkForwarded(options.forwardHeaders ?? []),
    fetch: options.fetch,
    clock,
    firstByteTimeoutMs: options.firstByteTimeoutMs ?? 60_000,
    idleTimeoutMs: options.idleTimeoutMs ?? 60_000,
    maxAnswerBytes: maxAnswerLength,
  })
  const kept =
    log &&
    createProxyLog({
      log,
      upstream,
      clock,
      maxAnswerLength,
      heartbeatMs: options.heartbeatMs ?? 15_000,
      stallTimeoutMs,
      maxResumes: options.maxResumes ?? 3,
      stopping: options.signal ?? new AbortController().signal,
      waitUntil: options.waitUntil,
      onError,
    })

  const passOn = async (call: AssistCall, bound: BoundCall, caller: ProxyCaller): Promise<Response> => {
    const { requestId, lastEventId } = call
    const left = new AbortController()
    const signal = AbortSignal.any([caller.http.signal, left.signal])
    const answer = await upstream.assist({ call: bound, caller, lastEventId, signal })
    if (answer.kind === 'events') {
      const tell = (error: unknown): void => {
        if (error instanceof UpstreamFailure) onError(error.error, { requestId })
      }
      return passThrough({ chunks: answer.chunks, requestId, clock, stallTimeoutMs, onError: tell, onLeave: () => left.abort() })
    }
    return Response.json({ ...answer.response, request_id: requestId }, { headers: { 'cache-control': 'no-store', 'x-request-id': requestId } })
  }

  const answer = async (http: Request): Promise<Response> => {
    const route = matchRoute(http.method, new URL(http.url).pathname, { cors: cors !== undefined })
    if (route === 'preflight') return preflightResponse(http, cors)
    checkOrigin(http, cors)
    const user = await callerIdentity(authorize, http)
    // A copy, since the headers of a response that came from elsewhere may be frozen.
    if (user instanceof Response) return new Response(user.body, user)
    // The upstream is asked with the secret, so it is asked for nobody unknown.
    if (route === 'health') return Response.json(await upstream.health({ http, user }), { headers: { 'cache-control': 'no-store' } })
    const call = await readAssistCall(http, maxBodyBytes, clock)
    const bound = await bindCall(call, user, systemDigest)
    return kept ? kept.answer(call, bound, { http, user }) : passOn(call, bound, { http, user })
  }

  return async (http) => {
    let response: Response
    try {
      response = await answer(http)
    } catch (error) {
      // Nobody reads this one, and leaving is no error.
      if (http.signal.aborted) return new Response(null, { status: 499 })
      if (error instanceof UpstreamFailure) onError(error.error, {})
      else if (!(error instanceof HttpRefusal)) onError(error, {})
      response = (refusalOf(error) ?? internalError()).toResponse()
    }
    if (cors) addCorsHeaders(response, http, cors)
    return response
  }
}

function internalError(): HttpRefusal {
  return new HttpRefusal({ status: 500, code: 'internal_error', message: "The server failed before the agent could be asked. The details are in the server's log." })
}

/** Says what is known to hold no secret, and nothing else. */
function reportToConsole(error: unknown, context: { readonly requestId?: string | undefined }): void {
  const what = isAgentError(error) ? `${error.message} (${error.code}${reasonIn(error.details)})` : 'One of its functions threw an error. It may hold secrets and is not shown here: pass onError to see it.'
  // oxlint-disable-next-line no-console -- a proxy that fails in silence cannot be repaired; `onError` takes this away
  console.error(`capstan: the agent proxy failed${context.requestId === undefined ? '' : ` in run ${context.requestId}`}. ${what}`)
}

function reasonIn(details: Readonly<Record<string, unknown>> | undefined): string {
  const reason = details?.['reason']
  return typeof reason === 'string' ? `, ${reason}` : ''
}
