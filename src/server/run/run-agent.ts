import { isAgentError } from '../../base/agent-error.ts'
import { noop } from '../../base/noop.ts'
import type { Clock } from '../../base/ports/clock.ts'
import type { ServiceRequest } from '../../protocols/cap/schema/request.ts'
import { stringifyWellFormed } from '../../base/bounded-json.ts'
import type { Agent, AgentAnswer, AgentEnding, AgentRun } from './agent.ts'
import { type AgentOutput, type StreamErrorBody, checkServiceResponse, checkEnding } from './agent-output.ts'
import { ANSWER_TOO_LARGE, CANCEL_UNCONFIRMED, publicModelError, SERVER_STOPPING } from './run-verdicts.ts'
import type { LogWriter } from '../event-log/event-log.ts'
import { isRunCancelled, type AgentRunEnd } from './run-commands.ts'
import type { RunMemory } from './run-memory.ts'
import type { RunStop } from './run-stop.ts'
import type { RunWriter } from './run-writer.ts'

export interface AgentTask {
  readonly agent: Agent
  readonly request: ServiceRequest
  readonly run: AgentRun
  readonly stop: RunStop
  readonly writer: RunWriter
  readonly log: LogWriter
  readonly memory: RunMemory
  /** How long the end of a run waits for the agent function to return. */
  readonly cancelTimeoutMs: number
  onError(error: unknown): void
}

/**
 * Runs an agent to its end, with or without readers, and says how it ended. Never rejects: errors go to `onError` and, without
 * details, to the client.
 */
export async function runAgent(task: AgentTask): Promise<AgentRunEnd> {
  const { writer, log, memory, stop, cancelTimeoutMs } = task
  const work = createAgentWork(task.run.clock)
  const told = new Set<unknown>()
  const tell = (error: unknown): void => {
    // A log that failed once gives the same error from then on.
    if (!told.has(error)) task.onError(error)
    told.add(error)
  }
  let how: AgentRunEnd
  const end = async (as: AgentRunEnd, written: Promise<void>): Promise<void> => {
    how = as
    await written.catch((error: unknown) => {
      how = undefined
      tell(error)
    })
  }
  try {
    const reason = await ending(task, work)
    // After FATAL a generator may still clean up.
    await work.returned(cancelTimeoutMs)
    // Before the client learns of the end: its next message is to find the answer in the conversation.
    await memory.finish('complete')
    await writer.finish(reason)
    how = 'finished'
  } catch (error) {
    const isCancelled = isRunCancelled(stop.reason)
    const verdict = isCancelled ? CANCEL_UNCONFIRMED : publicError(error, stop)
    if (!isCancelled) tell(error)
    await memory.finish(isCancelled ? 'stopped' : 'failed')
    // A server that is going down has no time, and a log that is lost has no reader.
    const hasReturned = await work.returned(stop.aborted && !isCancelled ? 0 : cancelTimeoutMs)
    const failed = hasReturned ? 'failed' : 'unconfirmed'
    if (isCancelled && hasReturned) await end('cancelled', writer.cancel())
    else await end(failed, writer.fail(verdict, failed))
  }
  await (how === undefined ? log.discard() : log.close()).catch((error: unknown) => {
    how = undefined
    tell(error)
  })
  return how
}

/** What an agent function has begun: knows when all of it has settled. */
interface AgentWork {
  /** Counts a promise of the agent, whatever becomes of it. */
  track(promise: PromiseLike<unknown>): void
  /** Whether the agent function has returned, after at most `limitMs`. */
  returned(limitMs: number): Promise<boolean>
}

function createAgentWork(clock: Clock): AgentWork {
  let unsettled = 0
  let notify = noop
  const settle = (): void => {
    unsettled -= 1
    if (unsettled === 0) notify()
  }
  return {
    track(promise) {
      unsettled += 1
      promise.then(settle, settle)
    },
    async returned(limitMs) {
      if (unsettled === 0) return true
      // A timer of 0 ms would let other work run first.
      if (limitMs <= 0) return false
      return new Promise((resolve) => {
        const cancel = clock.after(limitMs, () => resolve(false))
        notify = () => {
          cancel()
          resolve(true)
        }
      })
    },
  }
}

async function ending(task: AgentTask, work: AgentWork): Promise<string | undefined> {
  const { agent, request, run, stop, writer } = task
  const said = agent(request, run)
  if (isIterable(said)) return checkEnding(await pump(said, task, work))
  // In JavaScript an agent may return something that is not a promise.
  const returned = Promise.resolve(said)
  work.track(returned)
  const result = await stop.orStopped(returned)
  if (isIterable(result)) return checkEnding(await pump(result, task, work))
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return checkEnding(result)
  await writer.answer(serviceResponse(result, run))
  return undefined
}

async function pump(
  iterable: AsyncIterable<AgentOutput, AgentEnding>,
  { stop, writer }: AgentTask,
  work: AgentWork,
): Promise<AgentEnding> {
  // The headers can go out before the agent has written its first text.
  await writer.openStream()
  const iterator = iterable[Symbol.asyncIterator]()
  let finished = false
  let pending: Promise<unknown> = Promise.resolve()
  try {
    while (!writer.over) {
      const next = Promise.resolve(iterator.next())
      pending = next
      const step = await stop.orStopped(next)
      finished = step.done === true
      if (step.done) return step.value
      // The agent continues while its output is on its way into the log; when that is lost it is stopped.
      await writer.say(step.value)
    }
  } finally {
    if (!finished) {
      work.track(pending)
      work.track(Promise.resolve(iterator.return?.()))
    }
  }
}

function serviceResponse({ output, metrics }: AgentAnswer, run: AgentRun): string {
  const created = new Date(run.clock.date()).toISOString()
  return checkServiceResponse(stringifyWellFormed({ request_id: run.requestId, created_at: created, output, metrics }))
}

/** The error for the client, which must not disclose internal details. */
function publicError(error: unknown, stop: RunStop): StreamErrorBody {
  if (isAgentError(error) && error.code === 'response_too_large') return ANSWER_TOO_LARGE
  if (stop.aborted) return SERVER_STOPPING
  return (
    publicModelError(error) ?? {
      code: 'internal_error',
      message: 'The agent failed. Ask again, or ask the operator, whose log has the details.',
      severity: 'FATAL',
    }
  )
}

function isIterable(value: unknown): value is AsyncIterable<AgentOutput, AgentEnding> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}
