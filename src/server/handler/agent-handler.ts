import type { Clock } from '../../base/clock.ts'
import { systemEnvironment } from '../../base/environment.ts'
import type { Agent } from '../run/agent.ts'
import { callerIdentity, type Authorize } from '../http/caller-identity.ts'
import type { CorsOptions } from '../http/cors.ts'
import { addCorsHeaders, checkCors, preflightResponse } from '../http/cors.ts'
import { endOrphan } from '../run/end-orphan.ts'
import { errorReporter } from '../http/error-reporter.ts'
import type { EventLog, LogReader } from '../event-log/event-log.ts'
import type { HealthOptions } from './health.ts'
import { createHealthCheck } from './health.ts'
import { HttpRefusal } from '../http/http-refusal.ts'
import { isLogExpired, logExpired, refusalOf } from '../http/log-refusals.ts'
import { logResponse } from '../http/log-response.ts'
import { memoryEventLog } from '../event-log/memory-event-log.ts'
import type { AssistCall } from '../http/read-assist-call.ts'
import { readAssistCall } from '../http/read-assist-call.ts'
import { matchRoute } from '../http/routes.ts'
import { DEFAULT_STALL_TIMEOUT_MS } from '../http/stall-detector.ts'
import { startRun } from './start-run.ts'
import { failoverReader } from '../event-log/failover-reader.ts'

export interface AgentHandlerOptions {
  readonly agent: Agent
  /** Where answers are kept for clients that come back (default: the memory of this process). */
  readonly log?: EventLog | undefined
  readonly clock?: Clock | undefined
  /** A new random UUID for each stream and event. */
  readonly uuid?: (() => string) | undefined
  /** A comment goes out after so many milliseconds of silence (default 15 s; clients give up after 60 s). */
  readonly heartbeatMs?: number | undefined
  /**
   * A client that reads nothing for so many milliseconds while an answer is ready for it is disconnected; it may come back and read
   * on. Infinity: never.
   *
   * @default 60_000
   */
  readonly stallTimeoutMs?: number | undefined
  /** Largest request body, in bytes (default 1 MB). */
  readonly maxBodyBytes?: number | undefined
  /** Longest answer, in UTF-16 units on the wire (default 16 million). Over it the run ends with FATAL `answer_too_large`. */
  readonly maxAnswerLength?: number | undefined
  /**
   * A client wants to go on with a run whose log is gone, or whose process died. `conflict` (default): 409 `log_expired`,
   * or FATAL `run_interrupted` after what was said, because running again could repeat what the agent did. `restart`: run
   * again, under new stream ids.
   */
  readonly onExpired?: 'conflict' | 'restart' | undefined
  /**
   * Says who is calling, before the body is read: the run is bound to that name and nobody else can read it.
   * Return a Response to refuse. Anything but a non-empty string or a Response is refused with 500 and told to `onError`.
   * Without it, whoever knows a request id can follow its run.
   */
  readonly authorize?: Authorize | undefined
  readonly health?: HealthOptions | undefined
  /** Pages of other origins that may call (default: none). */
  readonly cors?: CorsOptions | undefined
  /** What an agent or the log threw; clients never see it. Default: `console.error`. */
  readonly onError?: ((error: unknown, context: { readonly requestId?: string | undefined }) => void) | undefined
  /** Keeps the process awake for the run where a platform would freeze it after the response. */
  readonly waitUntil?: ((run: Promise<void>) => void) | undefined
  /** Abort it to stop every run: the server is going down. */
  readonly signal?: AbortSignal | undefined
}

const MOST_TRIES = 3

/** Answers one HTTP request. Never rejects. */
export type AgentHandler = (http: Request) => Promise<Response>

/**
 * Serves an agent over CAP: POST on any path ending in `/assist`, GET on any ending in `/health`
 * (CAP section 6). Runs wherever `fetch` runs. One run per request id, however often it is posted;
 * every client hears the same packets under the same numbers, and leaving stops nothing.
 *
 * @throws AgentError `invalid_config` when `cors` lists something that is no origin, or `health` has an id that is no UUID
 */
export function createAgentHandler(options: AgentHandlerOptions): AgentHandler {
  const { clock = systemEnvironment.clock, uuid = systemEnvironment.uuid, cors } = options
  const onError = errorReporter(options.onError ?? reportToConsole, reportToConsole)
  const { log = memoryEventLog({ clock }), maxBodyBytes = 1_000_000, maxAnswerLength = 16_000_000, heartbeatMs = 15_000, stallTimeoutMs = DEFAULT_STALL_TIMEOUT_MS } = options
  checkCors(cors)
  const healthCheck = createHealthCheck(options.health ?? {}, clock)
  const stopping = options.signal ?? new AbortController().signal

  const answer = async (http: Request): Promise<Response> => {
    const route = matchRoute(http.method, new URL(http.url).pathname, { cors: cors !== undefined })
    if (route === 'health') return healthCheck()
    if (route === 'preflight') return preflightResponse(http, cors)
    const user = options.authorize && (await callerIdentity(options.authorize, http))
    // A copy, since the headers of a response that came from elsewhere may be frozen.
    if (user instanceof Response) return new Response(user.body, user)
    const call = await readAssistCall(http, maxBodyBytes, clock)
    for (let tries = 1; ; tries++) {
      const { reader, created } = await readerFor(call, http, user)
      try {
        return await logResponse({ reader, requestId: call.requestId, clock, heartbeatMs, stallTimeoutMs, signal: http.signal })
      } catch (error) {
        // The log was discarded between finding it and reading it: where the run may begin again, it does so for this caller too.
        if (options.onExpired !== 'restart' || created || tries >= MOST_TRIES || !isLogExpired(error)) throw error
      }
    }
  }

  /** The one place that decides whether an agent runs (CAP section 6, rules 4 and 5). */
  const readerFor = async (call: AssistCall, http: Request, user: string | undefined): Promise<{ readonly reader: LogReader; readonly created: boolean }> => {
    const key = user === undefined ? call.requestId : `${call.requestId} ${user}`
    const restart = options.onExpired === 'restart'
    const tended = (reader: LogReader): LogReader => failoverReader({ reader, log, key, adopted: restart ? undefined : (orphan) => endOrphan({ reader, log: orphan, clock, uuid }) })
    if (call.lastEventId !== undefined && !restart) {
      const found = await log.find(key)
      if (found.state === 'exists') return { reader: tended(found.reader), created: false }
      throw logExpired()
    }
    const begun = await log.begin(key, { restart })
    if (begun.state === 'expired') throw logExpired()
    if (begun.state === 'created') {
      const { agent } = options
      const running = startRun({ agent, call, http, user, log: begun.writer, clock, uuid, maxAnswerLength, stopping, onError })
      options.waitUntil?.(running)
    }
    return { reader: tended(begun.reader), created: begun.state === 'created' }
  }

  return async (http) => {
    let response: Response
    try {
      response = await answer(http)
    } catch (error) {
      // Nobody reads this one, and leaving is no error.
      if (http.signal.aborted) return new Response(null, { status: 499 })
      if (!(error instanceof HttpRefusal)) onError(error, {})
      response = (refusalOf(error) ?? internalError()).toResponse()
    }
    if (cors) addCorsHeaders(response, http, cors)
    return response
  }
}

function internalError(): HttpRefusal {
  return new HttpRefusal({ status: 500, code: 'internal_error', message: "The server failed before the agent could run. The details are in the server's log." })
}

function reportToConsole(error: unknown, context: { readonly requestId?: string | undefined }): void {
  // oxlint-disable-next-line no-console -- an agent that fails in silence cannot be repaired; `onError` takes this away
  console.error(`capstan: the agent handler failed${context.requestId === undefined ? '' : ` in run ${context.requestId}`}.`, error)
}
