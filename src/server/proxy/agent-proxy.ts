import { AgentError, isAgentError } from '../../base/agent-error.ts'
import type { Clock } from '../../base/ports/clock.ts'
import { systemEnvironment } from '../../base/ports/environment.ts'
import type { Fetch } from '../../wire/fetch-transport.ts'
import type { EventLog } from '../event-log/event-log.ts'
import { memoryEventLog } from '../event-log/memory-event-log.ts'
import { callerIdentity, checkAuthorize, type Authorize } from '../http/caller-identity.ts'
import { checkOrigin, type CorsOptions, checkCors, preflightResponse, withCors } from '../http/cors.ts'
import { withDirect, DEFAULT_STALL_TIMEOUT_MS, toResponse, type Answer } from '../http/stream-response.ts'
import { errorReporter, type ErrorReporter, HttpRefusal, internalError, refusalOf } from '../http/http-refusal.ts'
import { callOf, type IncomingCall } from '../http/incoming-call.ts'
import {
  checkForwarded,
  checkedAddress,
  createUpstreamConnection,
  type ProxyHeaders,
  type ProxyService,
} from './upstream-connection.ts'
import { UpstreamFailure } from './upstream-failure.ts'
import { createCapProxy } from './cap-proxy.ts'
import { createProxyLog } from './proxy-log.ts'
import { createUpstream } from './upstream.ts'
import { agUiProxyWire } from '../wires/ag-ui/proxy-wire.ts'
import { aiSdkProxyWire } from '../wires/ai-sdk/proxy-wire.ts'
import { createWireProxy } from './wire-proxy.ts'
import type { ProxyWire } from '../wires/proxy-wire.ts'
import type { WireName } from '../wires/wire.ts'

const PROXY_WIRES: Readonly<Record<WireName, ProxyWire>> = {
  'ag-ui': agUiProxyWire,
  'ai-sdk': aiSdkProxyWire,
}

export interface AgentProxyOptions {
  /**
   * Protocol of the agent and of the pages. `ag-ui` and `ai-sdk`: a server of AG-UI 1.0 or of the AI SDK, as it is. Each run goes up as
   * one POST and into the log, whose events are numbered, so that pages resume it exactly whether or not the server could.
   *
   * @default 'cap'
   */
  readonly wire?: 'cap' | 'ag-ui' | 'ai-sdk' | undefined
  /**
   * Root of the agent, absolute; the calls go to `/v1/assist` or, below a path, to `/assist`, as with CapClient's `baseUrl`. With another
   * `wire`: the whole address that runs or messages are posted to. Nothing in a request can change it.
   */
  readonly upstream: string | URL
  /** Of CAP only: path of the assist call, below `upstream`. @default `/v1/assist` when `upstream` has no path, else `/assist` */
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
   * gets all of it. Absent: a run of CAP ends with the connection that asked for it; with another `wire` it is a `memoryEventLog()`.
   */
  readonly log?: EventLog | undefined
  /**
   * Request headers that are forwarded to the upstream, beside `accept-language`, `traceparent` and `tracestate`.
   *
   * @default []
   */
  readonly forwardHeaders?: readonly string[] | undefined
  /**
   * Of CAP only: the upstream gets the conversation ids of the client as they are. For an agent that learns from a header of `headers` who
   * the user is, and keeps the conversations of users apart by it. Otherwise anyone who knows the id of a conversation can continue it.
   *
   * @default false
   */
  readonly keepConversationIds?: boolean | undefined
  /** Pages of other origins that may call. Absent: none but pages of the server's own origin. */
  readonly cors?: CorsOptions | undefined
  /** Largest request body, in bytes. @default 1_000_000 */
  readonly maxBodyBytes?: number | undefined
  /** Longest answer: a log in UTF-16 units of its frames, JSON in bytes. @default 16_000_000 */
  readonly maxAnswerLength?: number | undefined
  /** Longest wait for the upstream's first byte, in milliseconds. @default 60_000 */
  readonly firstByteTimeoutMs?: number | undefined
  /** Longest silence of an upstream that is answering, comments counted as life, in milliseconds. @default 60_000 */
  readonly idleTimeoutMs?: number | undefined
  /**
   * With a log: a comment goes out after so many milliseconds of silence. Without one the upstream's own are handed on.
   *
   * @default 8_000
   */
  readonly heartbeatMs?: number | undefined
  /**
   * A client that reads nothing for so many milliseconds while an answer is ready for it is disconnected; it may come back and read
   * on. Infinity: never.
   *
   * @default 60_000
   */
  readonly stallTimeoutMs?: number | undefined
  /** Of CAP only, with a log: how often a connection to the upstream is resumed without new content or heartbeats. @default 3 */
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
   * Abort it when the server is going down. A log over several processes is then left for another to continue with.
   * Absent: runs are not stopped together.
   */
  readonly signal?: AbortSignal | undefined
}

/** Answers one HTTP request. Never rejects. */
export type AgentProxy = (http: Request) => Promise<Response>

/**
 * Proxies browser requests to one agent that needs a secret: POST on any path ending in `/assist`, and next to it on
 * `runs/{request_id}/cancel`, `answer` and `say`, GET on any ending in `/health`. Pages never see the secret nor where the agent is; what goes wrong upstream becomes an HTTP error of CAP
 * in text of its own.
 *
 * With `wire: 'ag-ui'` it answers what an AG-UI client posts, GET with `?runId=…` and POST on any path ending in `/stop`; with
 * `wire: 'ai-sdk'` what `useChat` posts, GET on `{id}/stream` and POST on `{id}/stop` below it.
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
  const { authorize, cors } = options
  const onError = errorReporter(options.onError ?? reportToConsole, reportToConsole)
  checkCors(cors)
  checkAuthorize(authorize)
  const service = serviceOf(options, onError)

  const answer = async (incoming: IncomingCall): Promise<Answer> => {
    const http = incoming.request()
    const reply = service.match(http.method, incoming.url.pathname, { cors: cors !== undefined })
    if (reply === 'preflight') return preflightResponse(incoming.header('origin'), cors)
    checkOrigin(incoming, cors)
    const user = await callerIdentity(authorize, http)
    // A copy, since the headers of a response that came from elsewhere may be frozen.
    if (user instanceof Response) return new Response(user.body, user)
    return reply(incoming, { http, user })
  }

  const answerAlways = async (http: IncomingCall): Promise<Answer> => {
    let answered: Answer
    try {
      answered = await answer(http)
    } catch (error) {
      // This response is not read, and an aborted request is not an error.
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

function serviceOf(options: AgentProxyOptions, onError: ErrorReporter): ProxyService {
  const {
    wire = 'cap',
    log,
    clock = systemEnvironment.clock,
    maxBodyBytes = 1_000_000,
    maxAnswerLength = 16_000_000,
    heartbeatMs = 8_000,
    stallTimeoutMs = DEFAULT_STALL_TIMEOUT_MS,
    signal: stopping,
    waitUntil,
  } = options
  checkWire(options)
  const connection = {
    headers: options.headers,
    forwardHeaders: checkForwarded(options.forwardHeaders ?? []),
    fetch: options.fetch,
    clock,
    firstByteTimeoutMs: options.firstByteTimeoutMs ?? 60_000,
    idleTimeoutMs: options.idleTimeoutMs ?? 60_000,
  }
  const logging = { clock, maxAnswerLength, heartbeatMs, stallTimeoutMs, stopping, waitUntil, onError }
  if (wire !== 'cap')
    return createWireProxy({
      ...logging,
      wire: PROXY_WIRES[wire],
      url: checkedAddress(options.upstream),
      connection: createUpstreamConnection(connection),
      log: log ?? memoryEventLog({ clock }),
      maxBodyBytes,
    })
  const { upstream: address, path, maxResumes = 3, keepConversationIds = false } = options
  const upstream = createUpstream({ ...connection, upstream: address, path, maxAnswerBytes: maxAnswerLength })
  const kept = log && createProxyLog({ ...logging, log, upstream, maxResumes })
  return createCapProxy({ upstream, kept, keepConversationIds, clock, maxBodyBytes, stallTimeoutMs, onError })
}

/** @throws AgentError `invalid_config` for a wire that is not known, and for options that mean nothing to it */
function checkWire({ wire = 'cap', path, maxResumes, keepConversationIds }: AgentProxyOptions): void {
  const known: readonly string[] = ['cap', ...Object.keys(PROXY_WIRES)]
  const wrong = !known.includes(wire)
    ? `wire is ${JSON.stringify(wire)}, which is none of ${known.join(', ')}`
    : wire !== 'cap' && path !== undefined
      ? `path means nothing to wire ${wire}: upstream is the whole address that is posted to`
      : wire !== 'cap' && maxResumes !== undefined
        ? `maxResumes means nothing to wire ${wire}: a run is posted once, and nothing brings the rest of it`
        : wire !== 'cap' && keepConversationIds !== undefined
          ? `keepConversationIds means nothing to wire ${wire}: it is about requests of CAP`
          : undefined
  if (wrong === undefined) return
  throw new AgentError({
    kind: 'protocol',
    code: 'invalid_config',
    severity: 'FATAL',
    message: `createAgentProxy cannot work: ${wrong}. Change it or leave it out.`,
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
