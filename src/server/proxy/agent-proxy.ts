import { isAgentError } from '../../base/agent-error.ts'
import type { Clock } from '../../base/ports/clock.ts'
import { systemDigest } from '../../base/digest.ts'
import { systemEnvironment } from '../../base/ports/environment.ts'
import type { Fetch } from '../../wire/fetch-answer.ts'
import { bindCall, bindId, type BoundCall } from './bind-call.ts'
import { callerIdentity, checkAuthorize, type Authorize } from '../http/caller-identity.ts'
import { checkOrigin } from '../http/check-origin.ts'
import { controlResponse, runNotFound } from '../http/control-response.ts'
import type { CorsOptions } from '../http/cors.ts'
import { checkCors, preflightResponse, withCors } from '../http/cors.ts'
import { errorReporter } from '../http/error-reporter.ts'
import type { EventLog } from '../event-log/event-log.ts'
import { checkForwarded } from './forwarded-headers.ts'
import { withDirect } from '../http/direct-handler.ts'
import { HttpRefusal } from '../http/http-refusal.ts'
import { callOf, type IncomingCall } from '../http/incoming-call.ts'
import { refusalOf } from '../http/log-refusals.ts'
import { passThrough } from './pass-through.ts'
import { createProxyLog } from './proxy-log.ts'
import type { AssistCall } from '../http/read-assist-call.ts'
import { readAssistCall } from '../http/read-assist-call.ts'
import { readControlCall } from '../http/read-control-call.ts'
import { readJsonBody } from '../http/read-json-body.ts'
import { matchRoute, type ControlRoute } from '../http/routes.ts'
import { toResponse, type Answer } from '../http/stream-response.ts'
import { DEFAULT_STALL_TIMEOUT_MS } from '../http/reader-stall-detector.ts'
import { createUpstream, type ProxyCaller, type ProxyHeaders } from './upstream.ts'
import { UpstreamFailure } from './upstream-failure.ts'

export interface AgentProxyOptions {
  /** Root of the agent, absolute; the calls go to `/v1/assist` or, below a path, to `/assist`, as with CapClient's `baseUrl`. Nothing in a request can change it. */
  readonly upstream: string | URL
  /** Path of the assist call, below `upstream`. @default `/v1/assist` when `upstream` has no path, else `/assist` */
  readonly path?: string | undefined
  /** Headers of every upstream request, such as the secret: fixed, or asked for each time. They never leave this server otherwise. */
  readonly headers: ProxyHeaders
  /**
   * Says who is calling, before the body is read: the run is bound to that name, and no other caller can read it.
   * Return a Response to refuse. Anything but a non-empty string or a Response is refused with 500 and passed to
   * `onError`. GET /health asks it too. Return the same name for all callers only if every caller may use the agent at
   * your cost.
   */
  readonly authorize: Authorize
  /**
   * Event log for answers. With it the upstream run continues when the browser disconnects, and a client that comes back
   * gets all of it. Absent: a run ends with the connection that asked for it.
   */
  readonly log?: EventLog | undefined
  /**
   * Request headers that go on to the upstream, beside `accept-language`, `traceparent` and `tracestate`.
   *
   * @default []
   */
  readonly forwardHeaders?: readonly string[] | undefined
  /** Pages of other origins that may call. Absent: none but pages of the server's own origin. */
  readonly cors?: CorsOptions | undefined
  /** Largest request body, in bytes. @default 1_000_000 */
  readonly maxBodyBytes?: number | undefined
  /** Longest answer: of a log in UTF-16 units of its frames, of JSON in bytes. @default 16_000_000 */
  readonly maxAnswerLength?: number | undefined
  /** Longest wait for the upstream's first byte, in milliseconds. @default 60_000 */
  readonly firstByteTimeoutMs?: number | undefined
  /** Longest silence of an upstream that is answering, comments counted as life, in milliseconds. @default 60_000 */
  readonly idleTimeoutMs?: number | undefined
  /**
   * With a log: a comment goes out after so many milliseconds of silence. Without one the upstream's own are handed on.
   *
   * @default 15_000
   */
  readonly heartbeatMs?: number | undefined
  /**
   * A client that reads nothing for so many milliseconds while an answer is ready for it is disconnected; it may come back and read
   * on. Infinity: never.
   *
   * @default 60_000
   */
  readonly stallTimeoutMs?: number | undefined
  /** With a log: how often a connection to the upstream is resumed without new content. @default 3 */
  readonly maxResumes?: number | undefined
  /** Another fetch than the platform's. @default the global `fetch`, looked up at each call */
  readonly fetch?: Fetch | undefined
  /** Timers and time: replaced in tests. @default the platform's */
  readonly clock?: Clock | undefined
  /**
   * What went wrong with the upstream, the log or your own functions. Errors of the upstream are AgentErrors that quote
   * neither it nor its address.
   *
   * @default `console.error` with their messages, and of what your functions threw only that they did
   */
  readonly onError?: ((error: unknown, context: { readonly requestId?: string | undefined }) => void) | undefined
  /**
   * With a log: keeps the process awake for the run where a platform would freeze it after the response. Absent:
   * nothing is kept awake.
   */
  readonly waitUntil?: ((run: Promise<void>) => void) | undefined
  /**
   * Abort it when the server is going down. A log over several processes is then left for another to go on with.
   * Absent: runs are not stopped together.
   */
  readonly signal?: AbortSignal | undefined
}

/** Answers one HTTP request. Never rejects. */
export type AgentProxy = (http: Request) => Promise<Response>

/**
 * Proxies browser requests to one agent that needs a secret: POST on any path ending in `/assist`, and beside it on
 * `runs/{request_id}/cancel`, `answer` and `say`, GET on any ending in `/health`. Pages never see the secret nor where the agent is; what goes wrong upstream becomes an HTTP error of CAP
 * in text of its own.
 *
 * @throws AgentError `invalid_config` when an option cannot work
 *
 * @example
 * ```ts
 * import { createAgentProxy } from 'capstan/server'
 *
 * export const POST = createAgentProxy({
 *   upstream: 'https://agent.example',
 *   headers: { authorization: 'Bearer a secret' },
 *   authorize: (http) => http.headers.get('x-user') ?? new Response(null, { status: 401 }),
 * })
 * ```
 */
export function createAgentProxy(options: AgentProxyOptions): AgentProxy {
  const {
    authorize,
    log,
    cors,
    clock = systemEnvironment.clock,
    maxBodyBytes = 1_000_000,
    maxAnswerLength = 16_000_000,
    stallTimeoutMs = DEFAULT_STALL_TIMEOUT_MS,
  } = options
  const onError = errorReporter(options.onError ?? reportToConsole, reportToConsole)
  checkCors(cors)
  checkAuthorize(authorize)
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

  const passOn = async (
    call: AssistCall,
    bound: BoundCall,
    caller: ProxyCaller,
    http: IncomingCall,
  ): Promise<Response> => {
    const { requestId, lastEventId } = call
    const answer = await upstream.assist({ call: bound, caller, lastEventId, signal: http.signal })
    if (answer.kind === 'events') {
      const tell = (error: unknown): void => {
        if (error instanceof UpstreamFailure) onError(error.error, { requestId })
      }
      return passThrough({
        chunks: answer.chunks,
        requestId,
        control: answer.control,
        clock,
        stallTimeoutMs,
        onError: tell,
        onLeave: () => http.leave(),
      })
    }
    return Response.json(
      { ...answer.response, request_id: requestId },
      { headers: { 'cache-control': 'no-store', 'x-request-id': requestId } },
    )
  }

  /** A command goes to the run that this user has upstream, and to no other. */
  const command = async (route: ControlRoute, http: IncomingCall, caller: ProxyCaller): Promise<Response> => {
    const asked = readControlCall(route.control, await readJsonBody(http, maxBodyBytes))
    if (route.requestId === undefined) throw runNotFound()
    const requestId = await bindId(route.requestId, caller.user, systemDigest)
    return controlResponse(await upstream.command({ requestId, command: asked, caller }))
  }

  const answer = async (incoming: IncomingCall): Promise<Answer> => {
    const http = incoming.request()
    const route = matchRoute(http.method, incoming.url.pathname, { cors: cors !== undefined })
    if (route === 'preflight') return preflightResponse(incoming.header('origin'), cors)
    checkOrigin(http, cors)
    const user = await callerIdentity(authorize, http)
    // A copy, since the headers of a response that came from elsewhere may be frozen.
    if (user instanceof Response) return new Response(user.body, user)
    // The upstream request carries the secret, so it is made for known callers only.
    if (route === 'health')
      return Response.json(await upstream.health({ http, user }), { headers: { 'cache-control': 'no-store' } })
    if (route !== 'assist') return command(route, incoming, { http, user })
    const call = await readAssistCall(incoming, maxBodyBytes, clock)
    const bound = await bindCall(call, user, systemDigest)
    return kept ? kept.answer(call, bound, { http, user }, incoming) : passOn(call, bound, { http, user }, incoming)
  }

  const answerAlways = async (http: IncomingCall): Promise<Answer> => {
    let answered: Answer
    try {
      answered = await answer(http)
    } catch (error) {
      // This response is not read, and an aborted request is no error.
      if (http.signal.aborted) return new Response(null, { status: 499 })
      if (error instanceof UpstreamFailure) onError(error.error, {})
      else if (!(error instanceof HttpRefusal)) onError(error, {})
      answered = (refusalOf(error) ?? internalError()).toResponse()
    }
    return cors ? withCors(answered, http.header('origin'), cors) : answered
  }

  return withDirect(
    async (http) => toResponse(await answerAlways(callOf(http))),
    // What goes upstream is made of a Request, which `authorize` is given too.
    (http) => answerAlways(callOf(http.request())),
  )
}

function internalError(): HttpRefusal {
  return new HttpRefusal({
    status: 500,
    code: 'internal_error',
    message: "The server failed before the agent could be asked. The details are in the server's log.",
  })
}

/** Logs only what is known to contain no secret. */
function reportToConsole(error: unknown, context: { readonly requestId?: string | undefined }): void {
  const what = isAgentError(error)
    ? `${error.message} (${error.code}${reasonIn(error.details)})`
    : 'One of its functions threw an error. It may hold secrets and is not shown here: pass onError to see it.'
  // oxlint-disable-next-line no-console -- a proxy that fails in silence cannot be repaired; `onError` takes this away
  console.error(
    `capstan: the agent proxy failed${context.requestId === undefined ? '' : ` in run ${context.requestId}`}. ${what}`,
  )
}

function reasonIn(details: Readonly<Record<string, unknown>> | undefined): string {
  const reason = details?.['reason']
  return typeof reason === 'string' ? `, ${reason}` : ''
}
