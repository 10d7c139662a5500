import { canonicalJson, checkJson } from '../../server/run/json-schema-check.ts'
import type { Clock } from '../../base/ports/clock.ts'
import { ArcpFault, faultPayload, type CommandOf } from '../session/arcp-fault.ts'
import { type RuntimeJob, type JobEndings, createJob, faultOf, toResultPayload, isGoing } from './runtime-job.ts'
import { type LoggedJob, callEntry } from '../session/session-log.ts'
import type { RuntimeSession } from '../session/runtime-session.ts'
import { createFairMemory, createQuota } from '../session/quota.ts'
import { ownerKey, ownerKeys, principalOf } from '../session/scope.ts'
import type {
  ArcpTool,
  ArcpToolDefinition,
  ArcpStreamWriter,
  ArcpToolContext,
  ArcpToolFunction,
  ArcpAnswered,
  ArcpProgress,
} from './tool.ts'
import { noop } from '../../base/noop.ts'
import type { JsonObject } from '../../base/json-object.ts'
import { isExtensionName, RESERVED_UNITS } from '../../protocols/arcp/values/vocabulary.ts'
import type { Artifacts } from './artifacts.ts'
import type { Streams } from './job-streams.ts'
import type { Leases } from './leases.ts'
import type { Prompts } from './prompts.ts'

/**
 * A job of an earlier process, as ended. One that was still running failed with its process: that is reported,
 * with the end of what was open of it, so that nobody waits for more.
 */
function restoreJob(session: RuntimeSession, logged: LoggedJob): RuntimeJob {
  const { jobId: id, tool, invokeId, traceId, acceptedId, state } = logged
  if (state === 'open') tellLost(session, logged)
  return {
    id,
    tool,
    session,
    invokeId,
    traceId,
    acceptedId,
    state: state === 'open' ? 'failed' : state,
    signal: AbortSignal.abort(),
    // With its process.
    hasReturned: true,
    emit: () => undefined,
    beat: noop,
    block: () => noop,
    onEnd: noop,
    end: () => false,
    returned: noop,
    abandon: noop,
  }
}

/** Whether the tool has done its work nobody knows, so that it is not a failure to be tried again unseen. */
const LOST = new ArcpFault('ABORTED', 'The runtime was restarted while the job was running.', { retryable: false })

function tellLost(session: RuntimeSession, { jobId, invokeId, traceId, streams, leases }: LoggedJob): void {
  const members = { job_id: jobId, ...(traceId === undefined ? {} : { trace_id: traceId }) }
  const error = faultPayload(LOST)
  for (const streamId of streams) session.emit('stream.error', error, { ...members, stream_id: streamId })
  for (const leaseId of leases) session.emit('lease.revoked', { lease_id: leaseId, reason: LOST.message }, members)
  session.emit('job.failed', error, { ...members, correlation_id: invokeId })
}

/** The jobs of a runtime. */
export interface Jobs {
  readonly all: ReadonlyMap<string, RuntimeJob>
  /**
   * Invokes a tool, once for each message id and each idempotency key of a scope: `isNew` is false for what was invoked before.
   *
   * @throws ArcpFault UNIMPLEMENTED, INVALID_ARGUMENT; RESOURCE_EXHAUSTED when the principal has too many; ALREADY_EXISTS for a key of something else
   */
  invoke(
    session: RuntimeSession,
    command: CommandOf<'tool.invoke'>,
  ): { readonly job: RuntimeJob; readonly isNew: boolean }
  /** @throws ArcpFault NOT_FOUND */
  find(id: string): RuntimeJob
  /** Has the user asked what the job should know. @throws ArcpFault NOT_FOUND, FAILED_PRECONDITION */
  interrupt(id: string, prompt: string | undefined, interruptId: string): void
  /** Knows the jobs of a session again that a process before this one has run. Those that had not ended have failed. */
  restore(session: RuntimeSession, logged: readonly LoggedJob[]): void
  /** Whether jobs of a session continue. */
  isBusy(session: RuntimeSession): boolean
  /** Cancels all jobs of a session. Resolves when they have ended. */
  cancelAll(session: RuntimeSession, reason: string, source: 'client' | 'policy'): Promise<void>
  /** Cancels all jobs of the runtime, which waits only for tools that return at once. */
  close(reason: string): Promise<void>
}

export interface JobsOptions extends ToolServices {
  readonly tools: Readonly<Record<string, ArcpTool>>
  readonly clock: Clock
  readonly endings: JobEndings
  readonly heartbeatRecovery: 'fail' | 'block'
  /** Jobs of one principal that may run at a time. */
  readonly maxRunning: number
  readonly cancelTimeoutMs: number
  id(): string
  onEnded(job: RuntimeJob): void
  report(cause: unknown): void
}

/** A job with what is needed to know it again, and to interrupt it. */
interface Own {
  readonly job: RuntimeJob
  readonly interrupt: (prompt: string, interruptId: string) => void
}

/** Ended jobs that are remembered, for their keys and for cancels that come too late. */
const KEPT = 10_000

export function createJobs(options: JobsOptions): Jobs {
  const { tools, clock, endings, heartbeatRecovery, cancelTimeoutMs, report } = options
  const all = new Map<string, RuntimeJob>()
  const own = new Map<string, Own>()
  const running = createQuota(options.maxRunning)
  const ended = createFairMemory(KEPT)
  const byKey = new Map<string, { readonly job: RuntimeJob; readonly asked: string }>()
  const keysOfJob = new Map<string, readonly string[]>()
  const busy = new Map<RuntimeSession, number>()
  const waiting = new Map<RuntimeSession, (() => void)[]>()

  function onEnded(job: RuntimeJob): void {
    own.delete(job.id)
    running.release(ownerKey(job.session.scope))
    busy.set(job.session, (busy.get(job.session) ?? 1) - 1)
    keepEnded(job)
    if (busy.get(job.session) === 0) {
      busy.delete(job.session)
      for (const resolve of waiting.get(job.session) ?? []) resolve()
      waiting.delete(job.session)
    }
    options.onEnded(job)
  }

  function keepEnded(job: RuntimeJob): void {
    const oldest = ended.add(ownerKey(job.session.scope), job.id)
    if (oldest === undefined) return
    all.delete(oldest)
    for (const key of keysOfJob.get(oldest) ?? []) byKey.delete(key)
    keysOfJob.delete(oldest)
  }

  function remember(job: RuntimeJob, places: readonly string[], asked: string): void {
    all.set(job.id, job)
    keysOfJob.set(job.id, places)
    for (const place of places) byKey.set(place, { job, asked })
  }

  function find(id: string): RuntimeJob {
    const job = all.get(id)
    if (job === undefined) throw new ArcpFault('NOT_FOUND', 'There is no such job.')
    return job
  }

  return {
    all,
    find,
    invoke(session, { id: invokeId, payload, idempotency_key: key, trace_id: traceId }) {
      const { tool: name, arguments: given = {} } = payload
      const tool = Object.hasOwn(tools, name) ? tools[name] : undefined
      if (tool === undefined) throw new ArcpFault('UNIMPLEMENTED', `There is no tool ${JSON.stringify(name)}.`)
      const places = placesOf(session, invokeId, key)
      const asked = canonicalJson([name, given])
      const known = places.map((place) => byKey.get(place)).find((each) => each !== undefined)
      if (known !== undefined) {
        if (known.asked !== asked) throw new ArcpFault('ALREADY_EXISTS', 'The idempotency key belongs to another call.')
        return { job: known.job, isNew: false }
      }
      const {
        run,
        schema,
        heartbeat = 'runtime',
      }: ArcpToolDefinition = typeof tool === 'function' ? { run: tool } : tool
      const errors = schema === undefined ? [] : checkJson(schema, given)
      if (errors.length > 0)
        throw new ArcpFault('INVALID_ARGUMENT', 'The arguments do not fit the tool.', { details: { errors } })
      const owner = ownerKey(session.scope)
      if (!running.fits(owner))
        throw new ArcpFault(
          'RESOURCE_EXHAUSTED',
          `You have ${running.limit} running jobs, the most that one principal may have here. Wait until one of them has ended, or cancel one.`,
          { retryable: true, details: { limit: running.limit } },
        )
      const recovery = heartbeatRecovery
      const id = options.id()
      session.note(callEntry({ jobId: id, invokeId, tool: name, asked, key }))
      const job = createJob({
        id,
        tool: name,
        session,
        invokeId,
        traceId,
        clock,
        endings,
        heartbeat,
        recovery,
        cancelTimeoutMs,
        onEnded,
      })
      const { context, interrupt } = createToolContext(job, options)
      remember(job, places, asked)
      own.set(id, { job, interrupt })
      running.take(owner)
      busy.set(session, (busy.get(session) ?? 0) + 1)
      void start(job, () => runTool(run, given, job, context, report))
      return { job, isNew: true }
    },
    interrupt(id, prompt = 'The job was interrupted. What should it know?', interruptId) {
      const job = find(id)
      if (!isGoing(job.state)) throw new ArcpFault('FAILED_PRECONDITION', 'The job has ended.')
      own.get(id)?.interrupt(prompt, interruptId)
    },
    restore(session, logged) {
      for (const before of logged) {
        if (all.has(before.jobId)) continue
        const job = restoreJob(session, before)
        // What was invoked again before its session was resumed is the one that counts.
        const places = placesOf(session, before.invokeId, before.key).filter((place) => !byKey.has(place))
        remember(job, places, before.asked)
        keepEnded(job)
      }
    },
    isBusy: (session) => busy.has(session),
    async cancelAll(session, reason, source) {
      for (const { job } of [...own.values()]) if (job.session === session) job.end({ type: 'cancel', reason, source })
      if (!busy.has(session)) return
      await new Promise<void>((resolve) => waiting.set(session, [...(waiting.get(session) ?? []), resolve]))
    },
    async close(reason) {
      const jobs = [...own.values()].map(({ job }) => job)
      for (const job of jobs) job.end({ type: 'cancel', reason, source: 'runtime' })
      await Promise.all([...busy.keys()].map((session) => session.settled()))
      for (const job of jobs) job.abandon()
    },
  }
}

/** Runs a tool once its call is logged: a call that a process has lost with its life is one that it has not begun. */
async function start(job: RuntimeJob, run: () => Promise<void>): Promise<void> {
  await job.session.settled()
  if (isGoing(job.state)) await run()
  job.returned()
}

/** Where a call is looked up that is repeated. */
function placesOf(session: RuntimeSession, invokeId: string, key: string | undefined): readonly string[] {
  const places = [['id', invokeId], ...(key === undefined ? [] : [['key', key]])]
  return ownerKeys(session.scope).flatMap((owner) => places.map((place) => JSON.stringify([owner, ...place])))
}

/** Runs a tool until it has ended, and ends its job. Never rejects. @param onFault called with errors other than protocol errors */
async function runTool(
  run: ArcpToolFunction,
  given: JsonObject,
  job: RuntimeJob,
  context: ArcpToolContext,
  onFault: (cause: unknown) => void,
): Promise<void> {
  try {
    const returned: unknown = await run(given, context)
    const value = isGenerator(returned) ? await follow(returned, context) : returned
    job.end({ type: 'complete', result: toResultPayload(toJson(value)) })
  } catch (cause) {
    const fault: ArcpFault = faultOf(cause)
    const isOwn = job.end({ type: 'fail', by: 'tool', fault })
    // A tool that was stopped may well throw.
    if (isOwn && fault !== cause) onFault(cause)
  }
}

/** Streams what a generator yields; gives what it returns. It is left where its job has ended. */
async function follow(generator: AsyncGenerator<unknown, unknown, void>, context: ArcpToolContext): Promise<unknown> {
  let text: ArcpStreamWriter<string> | undefined
  let events: ArcpStreamWriter<unknown> | undefined
  for (;;) {
    const turn = await generator.next()
    if (turn.done === true) return turn.value
    if (context.signal.aborted) {
      await generator.return(undefined)
      return undefined
    }
    if (typeof turn.value === 'string') await (text ??= context.stream('text')).write(turn.value)
    else await (events ??= context.stream('event')).write(turn.value)
  }
}

function isGenerator(value: unknown): value is AsyncGenerator<unknown, unknown, void> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value && 'next' in value
}

/** A value as JSON has it, so that what the tool does to it later changes nothing. @throws TypeError where it is none */
function toJson(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}

/** What the context of a tool is made of. */
interface ToolServices {
  readonly streams: Streams
  readonly prompts: Prompts
  readonly leases: Leases
  readonly artifacts: Artifacts
}

/** A job whose user may interrupt it. */
interface Interruptible {
  readonly context: ArcpToolContext
  /** The user wants to say something: it is asked for at once, and the tool waits at its next safe point. */
  interrupt(prompt: string, interruptId: string): void
}

/** What a tool is given beside its arguments. */
function createToolContext(job: RuntimeJob, { streams, prompts, leases, artifacts }: ToolServices): Interruptible {
  const { session } = job
  const interruptions: Promise<ArcpAnswered<unknown> | undefined>[] = []

  function metric(name: string, value: number, { unit, dims }: { unit?: string; dims?: JsonObject } = {}): void {
    job.emit('metric', { name, value, unit: unit ?? RESERVED_UNITS[name] ?? 'count', ...(dims && { dims }) })
  }

  const context: ArcpToolContext = {
    jobId: job.id,
    sessionId: session.id,
    principal: principalOf(session.scope),
    traceId: job.traceId,
    signal: job.signal,
    progress: (progress) => void job.emit('job.progress', progressOf(progress)),
    log: (level, message, attributes) =>
      void job.emit('log', { level, message, ...(attributes === undefined ? {} : { attributes }) }),
    metric,
    usage({ inputTokens, outputTokens, cost }) {
      if (inputTokens !== undefined) metric('tokens.used', inputTokens, { dims: { kind: 'input' } })
      if (outputTokens !== undefined) metric('tokens.used', outputTokens, { dims: { kind: 'output' } })
      if (cost !== undefined) metric('cost.usd', cost)
    },
    stream: (kind, { contentType } = {}) => streams.open(job, kind, contentType),
    askHuman: (question) => prompts.askInput(job, question),
    choose: (question) => prompts.askChoice(job, question),
    async requestPermission(question) {
      const { seconds, grantId, requestId } = await prompts.askPermission(job, question)
      const lease = leases.grant(job, question, seconds)
      const { permission, resource, operation } = lease
      const expires = new Date(lease.expiresAt).toISOString()
      job.emit(
        'lease.granted',
        { lease_id: lease.id, permission, resource, operation, expires_at: expires },
        { correlation_id: requestId, causation_id: grantId },
      )
      return lease.granted
    },
    async artifact(content, { mediaType, ttlSeconds }) {
      const ref = await artifacts.put(session, { content, mediaType, ttlSeconds })
      job.emit('artifact.ref', ref)
      return ref
    },
    emit(name, payload) {
      if (isExtensionName(name)) job.emit(name, payload)
      else job.emit('event.emit', { name, attrs: payload })
    },
    heartbeat: () => job.beat(),
    safePoint: async () => interruptions.shift(),
  }

  return {
    context,
    interrupt(prompt, interruptId) {
      const answered = prompts.askInput(job, { prompt, schema: {} }, interruptId)
      // Without an answer the job continues.
      interruptions.push(answered.catch(() => undefined))
    },
  }
}

function progressOf({ percent, message, current, total }: ArcpProgress): JsonObject {
  const members = { percent, message, current, total }
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}
