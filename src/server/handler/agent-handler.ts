import type { Clock } from '../../base/ports/clock.ts'
import { systemEnvironment } from '../../base/ports/environment.ts'
import { CONTROL_NAMES, type ControlName } from '../../protocols/cap/handle.ts'
import type { Agent } from '../run/agent.ts'
import { callerIdentity, checkAuthorize, type Authorize } from '../http/caller-identity.ts'
import { checkOrigin, type CorsOptions, checkCors, preflightResponse, withCors } from '../http/cors.ts'
import {
  type ConversationStore,
  messagesOf,
  conversationTitle,
  newestTurns,
} from '../conversation/conversation-store.ts'
import { memoryConversationStore } from '../conversation/memory-conversation-store.ts'
import { endOrphan, readRunRecord } from '../run/run-record.ts'
import { controlResponse, runNotFound, controlHeaders, readControlCall, controlUnsupported } from '../http/control.ts'
import { errorReporter, HttpRefusal, internalError, isLogExpired, logExpired, refusalOf } from '../http/http-refusal.ts'
import {
  type EventLog,
  type LogReader,
  type RunCommand,
  type RunReply,
  failoverReader,
} from '../event-log/event-log.ts'
import { withDirect, DEFAULT_STALL_TIMEOUT_MS, toResponse, type Answer, logResponse } from '../http/stream-response.ts'
import { callOf, type IncomingCall, readJsonBody, invalidRequest } from '../http/incoming-call.ts'
import { memoryEventLog } from '../event-log/memory-event-log.ts'
import { assistCallOf, type AssistCall } from '../http/read-assist-call.ts'
import { matchConversations, matchRoute, type ControlRoute, type ConversationRoute } from '../http/routes.ts'
import type { JsonObject } from '../../base/json-object.ts'
import { wireOf, type WireName } from '../wires/wire.ts'
import { startRun } from './start-run.ts'
import { AgentError } from '../../base/agent-error.ts'
import type { HealthCheckResponse } from '../../protocols/cap/schema/response.ts'
import { canonicalUuid } from '../../protocols/cap/values/scalars.ts'
import { appError } from '../run/app-error.ts'

interface ConversationsCall {
  readonly store: ConversationStore
  readonly owner: string
  readonly route: ConversationRoute
  readonly http: IncomingCall
  readonly maxBodyBytes: number
}

/** What a list of threads shows at most. */
const MOST_LISTED = 200

/**
 * Lists, reads, renames and deletes the conversations of one user. A conversation is read as a page shows it: along its newest
 * branch, its answers as far as they exist.
 *
 * @throws HttpRefusal 404 for a conversation that this user does not have, 400 for a title that is none
 */
async function answerConversations(call: ConversationsCall): Promise<Response> {
  const { store, owner, route, http, maxBodyBytes } = call
  const key = { owner, id: route.id }
  switch (route.conversations) {
    case 'list':
      return json({ conversations: await store.list(owner, MOST_LISTED) })
    case 'read': {
      const turns = newestTurns(await store.turns(key))
      if (turns.length === 0) throw conversationNotFound()
      return json({ messages: messagesOf(turns) })
    }
    case 'rename': {
      const { title } = await readJsonBody(http, maxBodyBytes)
      const text = typeof title === 'string' ? conversationTitle(title) : ''
      if (text === '') throw invalidRequest('The request body has no title. Send { "title": "…" }.')
      if ((await store.turns(key)).length === 0) throw conversationNotFound()
      await store.rename(key, text)
      return json({ result: 'accepted' })
    }
    case 'remove':
      await store.remove(key)
      return json({ result: 'accepted' })
  }
}

function json(body: unknown): Response {
  return Response.json(body, { headers: { 'cache-control': 'no-store' } })
}

function conversationNotFound(): HttpRefusal {
  return new HttpRefusal({
    status: 404,
    code: 'conversation_not_found',
    message: 'There is no conversation of this id for this caller.',
  })
}

export interface AgentHandlerOptions {
  readonly agent: Agent
  /** Where answers are kept for clients that come back. @default `memoryEventLog()` */
  readonly log?: EventLog | undefined
  /**
   * Where conversations are kept, which `run.history()` reads. With `authorize`, a page can list, read, rename and delete those of its
   * user too.
   *
   * @default `memoryConversationStore()`
   */
  readonly conversations?: ConversationStore | undefined
  /** Timers and time: replaced in tests. @default the platform's */
  readonly clock?: Clock | undefined
  /** Makes the id of each stream and event. @default random UUIDs */
  readonly uuid?: (() => string) | undefined
  /** A comment goes out after so many milliseconds of silence; clients give up after 60 s. @default 8_000 */
  readonly heartbeatMs?: number | undefined
  /**
   * A client that reads nothing for so many milliseconds while an answer is ready for it is disconnected; it may come back and read
   * on. Infinity: never.
   *
   * @default 60_000
   */
  readonly stallTimeoutMs?: number | undefined
  /** Largest request body, in bytes. @default 1_000_000 */
  readonly maxBodyBytes?: number | undefined
  /**
   * Longest answer, in UTF-16 units on the wire. Over it the run ends with FATAL `answer_too_large`.
   *
   * @default 16_000_000
   */
  readonly maxAnswerLength?: number | undefined
  /**
   * How long a cancel waits for the agent function to return, in milliseconds, before it is answered with `cancel_unconfirmed` and the
   * client reports that the agent may still be working. Clients send a command again after 10 seconds.
   *
   * @default 2_000
   */
  readonly cancelTimeoutMs?: number | undefined
  /**
   * A client wants to continue with a run whose log is gone, or whose process died. `conflict`: 409 `log_expired`, or
   * FATAL `run_interrupted` after the partial answer, because running again could repeat the agent's actions. `restart`: run
   * again, under new stream ids.
   *
   * @default 'conflict'
   */
  readonly onExpired?: 'conflict' | 'restart' | undefined
  /**
   * Says who is calling, before the body is read: the run is bound to that name and no other caller can read it. Return a
   * Response to refuse. Anything but a non-empty string or a Response is refused with 500 and passed to `onError`.
   * Absent: any caller that knows a request id can follow its run.
   */
  readonly authorize?: Authorize | undefined
  /** What GET /health says of the agent; what is left out of it has its own default. @default {} */
  readonly health?: HealthOptions | undefined
  /**
   * Pages of other origins that may call. Absent: only pages of the server's own origin. A request that changes something is refused
   * with 403 when a browser says that it comes from another page; requests without an origin are not from a page, and pass.
   */
  readonly cors?: CorsOptions | undefined
  /** What an agent or the log threw; clients never see it. @default `console.error` */
  readonly onError?: ((error: unknown, context: { readonly requestId?: string | undefined }) => void) | undefined
  /**
   * Keeps the process awake for the run where a platform would freeze it after the response. Absent: nothing is kept
   * awake.
   */
  readonly waitUntil?: ((run: Promise<void>) => void) | undefined
  /** Abort it to stop every run: the server is going down. Absent: runs are not stopped together. */
  readonly signal?: AbortSignal | undefined
}

/** A log that is orphaned is ended and asked again; whoever is slower than others asks once more. */
const MOST_TRIES = 3

/** Answers one HTTP request. Never rejects. */
export type AgentHandler = (http: Request) => Promise<Response>

/**
 * Serves an agent over CAP: POST on any path ending in `/assist`, and next to it on `runs/{request_id}/cancel`, `answer` and `say`,
 * GET on any ending in `/health` (CAP section 6). Runs wherever `fetch` runs. One run per request id, however often it is posted; every client receives the same packets
 * with the same numbers, and a client that disconnects does not stop the run.
 *
 * @throws AgentError `invalid_config` when `authorize` is not a function, or `cors` or `health` cannot work
 *
 * @example
 * ```ts
 * import { createAgentHandler } from 'capstan/server'
 *
 * export const POST = createAgentHandler({
 *   agent: async function* (_request, run) {
 *     yield `You asked: ${run.text}`
 *   },
 * })
 * ```
 */
export function createAgentHandler(options: AgentHandlerOptions): AgentHandler {
  const { clock = systemEnvironment.clock, uuid = systemEnvironment.uuid, cors } = options
  const onError = errorReporter(options.onError ?? reportToConsole, reportToConsole)
  const {
    log = memoryEventLog({ clock }),
    conversations = memoryConversationStore(),
    maxBodyBytes = 1_000_000,
    maxAnswerLength = 16_000_000,
    cancelTimeoutMs = 2_000,
    heartbeatMs = 8_000,
    stallTimeoutMs = DEFAULT_STALL_TIMEOUT_MS,
  } = options
  checkCors(cors)
  const serving = { clock, heartbeatMs, stallTimeoutMs }
  if (options.authorize !== undefined) checkAuthorize(options.authorize)
  const restart = options.onExpired === 'restart'
  const control = log.command === undefined ? [] : CONTROL_NAMES
  const announced = controlHeaders(control)
  const healthCheck = createHealthCheck(options.health ?? {}, clock, control)
  const { signal: stopping } = options

  const answer = async (http: IncomingCall): Promise<Answer> => {
    const { pathname } = http.url
    const allowed = { cors: cors !== undefined, foreign: true }
    // Without `authorize` they would be everybody's.
    const asked = options.authorize && matchConversations(http.method, pathname, allowed)
    const route = asked ?? matchRoute(http.method, pathname, allowed)
    if (route === 'health') return healthCheck()
    if (route === 'preflight')
      return preflightResponse(http.header('origin'), cors, asked === undefined ? undefined : 'GET, PATCH, DELETE')
    if (changesSomething(http.method)) checkOrigin(http, cors)
    const user = options.authorize && (await callerIdentity(options.authorize, http.request()))
    // A copy, since the headers of a response that came from elsewhere may be frozen.
    if (user instanceof Response) return new Response(user.body, user)
    if (route !== 'assist') {
      if ('control' in route) return command(route, http, user)
      return answerConversations({ store: conversations, owner: user ?? '', route, http, maxBodyBytes })
    }
    const body = await readJsonBody(http, maxBodyBytes)
    const wire = wireOf(body)
    if (wire !== undefined) return foreign(wire, body, http, user)
    const call = await assistCallOf(http, body, clock)
    for (let tries = 1; ; tries++) {
      const { reader, created } = await readerFor(call, http, user)
      try {
        return await logResponse({
          ...serving,
          reader,
          requestId: call.requestId,
          http,
          headers: announced,
          onError: (error) => onError(error, { requestId: call.requestId }),
        })
      } catch (error) {
        // The log was discarded between lookup and reading: with `onExpired: 'restart'` this call starts the run again.
        if (!restart || created || tries >= MOST_TRIES || !isLogExpired(error)) throw error
      }
    }
  }

  /** AG-UI and the AI SDK, over the same runs. */
  const foreign = async (
    wire: WireName,
    body: JsonObject,
    http: IncomingCall,
    user: string | undefined,
  ): Promise<Answer> => {
    const { answerForeign } = await import('./answer-foreign.ts')
    return answerForeign(wire, body, {
      ...serving,
      http,
      onError,
      begin: async (call) => (await readerFor(call, http, user)).reader,
      async find(requestId) {
        const found = await log.find(keyOf(requestId, user))
        if (found.state === 'exists') return found.reader
        throw found.state === 'expired' ? logExpired() : runNotFound()
      },
      command: (requestId, asked) => runCommand(keyOf(requestId, user), asked),
    })
  }

  const runCommand = (key: string, asked: RunCommand): Promise<RunReply> => {
    const adopt = async (reader: LogReader): Promise<void> => {
      const orphan = await log.adopt?.(key)
      // Undefined: another process was faster.
      if (orphan !== undefined) await endOrphan({ reader, log: orphan, clock, uuid })
    }
    return commandRun({ log, key, command: asked, endOrphan: restart ? undefined : adopt })
  }

  /** A command is for the run of this caller and no other. */
  const command = async (route: ControlRoute, http: IncomingCall, user: string | undefined): Promise<Response> => {
    const asked = readControlCall(route.control, await readJsonBody(http, maxBodyBytes))
    if (route.requestId === undefined) throw runNotFound()
    return controlResponse(await runCommand(keyOf(route.requestId, user), asked), asked.name)
  }

  /** The one place that decides whether an agent runs (CAP section 6, rules 4 and 5). */
  const readerFor = async (
    call: AssistCall,
    http: IncomingCall,
    user: string | undefined,
  ): Promise<{ readonly reader: LogReader; readonly created: boolean }> => {
    const key = keyOf(call.requestId, user)
    const tended = (reader: LogReader): LogReader =>
      failoverReader({
        reader,
        log,
        key,
        adopted: restart ? undefined : (orphan) => endOrphan({ reader, log: orphan, clock, uuid }),
      })
    if (call.lastEventId !== undefined && !restart) {
      const found = await log.find(key)
      if (found.state === 'exists') return { reader: tended(found.reader), created: false }
      throw logExpired()
    }
    const begun = await log.begin(key, { restart })
    if (begun.state === 'expired') throw logExpired()
    if (begun.state === 'created') {
      const { agent } = options
      const running = startRun({
        agent,
        call,
        http,
        user,
        log: begun.writer,
        clock,
        uuid,
        maxAnswerLength,
        cancelTimeoutMs,
        conversations,
        stopping,
        onError,
      })
      options.waitUntil?.(running)
    }
    return { reader: tended(begun.reader), created: begun.state === 'created' }
  }

  const answerAlways = async (http: IncomingCall): Promise<Answer> => {
    let answered: Answer
    try {
      answered = await answer(http)
    } catch (error) {
      // This response is not read, and an aborted request is not an error.
      if (http.signal.aborted) return new Response(null, { status: 499 })
      if (!(error instanceof HttpRefusal)) onError(error, {})
      answered = (refusalOf(error) ?? internalError()).toResponse()
    }
    return cors ? withCors(answered, http.header('origin'), cors) : answered
  }

  return withDirect(
    async (http) => toResponse(await answerAlways(callOf(http))),
    // `authorize` may read the body of the request, which only a Request can share.
    options.authorize ? (http) => answerAlways(callOf(http.request())) : answerAlways,
  )
}

function keyOf(requestId: string, user: string | undefined): string {
  return user === undefined ? requestId : `${requestId} ${user}`
}

function changesSomething(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD'
}

function reportToConsole(error: unknown, context: { readonly requestId?: string | undefined }): void {
  // oxlint-disable-next-line no-console -- an agent that fails in silence cannot be repaired; `onError` takes this away
  console.error(
    `capstan: the agent handler failed${context.requestId === undefined ? '' : ` in run ${context.requestId}`}.`,
    error,
  )
}

/** What GET /health says of the agent. */
interface HealthOptions {
  /** UUID of the agent. @default '00000000-0000-0000-0000-000000000000' */
  readonly agentId?: string | undefined
  /** SemVer of the agent. @default '0.0.0' */
  readonly version?: string | undefined
  /** Asked on every request. Absent: always `ok`. */
  readonly status?: (() => HealthCheckResponse['status'] | Promise<HealthCheckResponse['status']>) | undefined
}

const STATUSES: ReadonlySet<unknown> = new Set<HealthCheckResponse['status']>(['ok', 'degraded', 'maintenance'])

/**
 * Answers 200 whenever the process answers; how the agent feels is in the body (CAP section 6, rule 9).
 *
 * @param control commands that runs take. The models of CAP ignore keys they do not know
 * @throws AgentError `invalid_config` when the answer would be no HealthCheckResponse
 */
function createHealthCheck(
  options: HealthOptions,
  clock: Clock,
  control: readonly ControlName[],
): () => Promise<Response> {
  const { agentId = '00000000-0000-0000-0000-000000000000', version = '0.0.0', status } = options
  assertHealth('health.agentId', agentId, canonicalUuid(agentId) !== undefined, 'a UUID')
  assertHealth('health.version', version, typeof version === 'string', 'a string')
  const started = clock.now()
  return async () => {
    const said = status === undefined ? 'ok' : await status()
    if (!STATUSES.has(said))
      throw appError(
        'health.status returned something else than "ok", "degraded" or "maintenance". Return one of them.',
      )
    const body: HealthCheckResponse & { readonly control?: readonly ControlName[] } = {
      status: said,
      agent_id: agentId,
      version,
      uptime_seconds: (clock.now() - started) / 1000,
      ...(control.length > 0 && { control }),
    }
    return Response.json(body, { headers: { 'cache-control': 'no-store' } })
  }
}

function assertHealth(name: string, value: unknown, fits: boolean, wanted: string): void {
  if (fits) return
  throw new AgentError({
    kind: 'protocol',
    code: 'invalid_config',
    severity: 'FATAL',
    message: `${name} is ${JSON.stringify(value)}, but CAP carries it as ${wanted}. Clients would refuse every answer of GET /health.`,
  })
}

interface CommandRunOptions {
  readonly log: EventLog
  readonly key: string
  readonly command: RunCommand
  /** Ends an orphaned log. Absent: it is kept for a new run. */
  readonly endOrphan: ((reader: LogReader) => Promise<void>) | undefined
}

/**
 * Carries a command to the process that runs the agent. A run that has ended is judged by its log.
 *
 * @throws HttpRefusal 404 for a run that there never was, 501 where the log carries no commands
 */
async function commandRun({ log, key, command, endOrphan }: CommandRunOptions): Promise<RunReply> {
  if (log.command === undefined) throw controlUnsupported()
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const sent = await log.command(key, command)
    switch (sent.state) {
      case 'replied':
        return sent.reply
      case 'closed':
        return (await readRunRecord(sent.reader)).reply(command)
      case 'unknown':
        throw runNotFound()
      case 'expired':
        return { result: 'over', ended: 'expired' }
      case 'unavailable':
        return { result: 'unavailable' }
      case 'orphaned':
        if (endOrphan === undefined) return { result: 'over', ended: 'interrupted' }
        await endOrphan(sent.reader)
    }
  }
  return { result: 'unavailable' }
}
