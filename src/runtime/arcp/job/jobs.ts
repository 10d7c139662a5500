import { canonicalJson } from '../../../server/run/canonical-json.ts'
import { checkJson } from '../../../server/run/json-schema-check.ts'
import type { Clock } from '../../../base/ports/clock.ts'
import { ArcpFault } from '../message/arcp-fault.ts'
import type { RuntimeJob, JobEndings } from './runtime-job.ts'
import { createJob } from './runtime-job.ts'
import { isGoing } from './job-state.ts'
import type { CommandOf } from '../message/read-command.ts'
import { restoreJob } from './restore-job.ts'
import { runTool } from './run-tool.ts'
import type { LoggedJob } from '../session/logged-session.ts'
import { callEntry } from '../session/logged-session.ts'
import type { RuntimeSession } from '../session/runtime-session.ts'
import { createFairMemory } from '../session/fair-memory.ts'
import { createQuota } from '../session/quota.ts'
import { ownerKey, ownerKeys } from '../session/scope.ts'
import type { ToolServices } from './tool-context.ts'
import { createToolContext } from './tool-context.ts'
import type { ArcpTool, ArcpToolDefinition } from './tool.ts'

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
  /** Whether jobs of a session go on. */
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
