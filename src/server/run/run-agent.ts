import { isAgentError } from '../../base/agent-error.ts'
import type { ServiceRequest } from '../../protocols/cap/schema/request.ts'
import { stringifyWellFormed } from '../../base/well-formed-json.ts'
import type { Agent, AgentAnswer, AgentEnding, AgentRun } from './agent.ts'
import type { AgentOutput, StreamErrorBody } from './agent-output.ts'
import { checkServiceResponse, checkEnding } from './check-output.ts'
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
  onError(error: unknown): void
}

/**
 * Runs an agent to its end, with or without readers, and says how it ended. Never rejects: errors go to `onError` and, without
 * details, to the client.
 */
export async function runAgent(task: AgentTask): Promise<AgentRunEnd> {
  const { writer, log, memory } = task
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
    const reason = await ending(task)
    // Before the client learns of the end: its next message is to find the answer in the conversation.
    await memory.finish('complete')
    await writer.finish(reason)
    how = 'finished'
  } catch (error) {
    if (isRunCancelled(task.stop.reason)) {
      await memory.finish('stopped')
      await end('cancelled', writer.cancel())
    } else {
      tell(error)
      await memory.finish('failed')
      await end('failed', writer.fail(publicError(error, task.stop)))
    }
  }
  await (how === undefined ? log.discard() : log.close()).catch((error: unknown) => {
    how = undefined
    tell(error)
  })
  return how
}

async function ending(task: AgentTask): Promise<string | undefined> {
  const { agent, request, run, stop, writer } = task
  const said = agent(request, run)
  // In JavaScript an agent may return something that is no promise.
  const result = isIterable(said) ? said : await stop.orStopped(Promise.resolve(said))
  if (isIterable(result)) return checkEnding(await pump(result, task))
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return checkEnding(result)
  await writer.answer(serviceResponse(result, run))
  return undefined
}

async function pump(
  iterable: AsyncIterable<AgentOutput, AgentEnding>,
  { stop, writer }: AgentTask,
): Promise<AgentEnding> {
  // The headers can go out before the agent has written its first text.
  await writer.openStream()
  const iterator = iterable[Symbol.asyncIterator]()
  let finished = false
  try {
    while (!writer.over) {
      const step = await stop.orStopped(Promise.resolve(iterator.next()))
      finished = step.done === true
      if (step.done) return step.value
      // The agent goes on while its output is on its way into the log; when that is lost it is stopped.
      await writer.say(step.value)
    }
  } finally {
    // Not awaited: an agent stuck in a promise of its own must not hold up the end of its run.
    if (!finished) iterator.return?.().then(undefined, () => {})
  }
}

function serviceResponse({ output, metrics }: AgentAnswer, run: AgentRun): string {
  const created = new Date(run.clock.date()).toISOString()
  return checkServiceResponse(stringifyWellFormed({ request_id: run.requestId, created_at: created, output, metrics }))
}

/** The error for the client, which must not disclose internal details. */
function publicError(error: unknown, stop: RunStop): StreamErrorBody {
  if (isAgentError(error) && error.code === 'response_too_large') {
    return {
      code: 'answer_too_large',
      message: 'The answer exceeds what this server stores for one run.',
      severity: 'FATAL',
    }
  }
  if (stop.aborted)
    return {
      code: 'server_stopping',
      message: 'The server stopped before the answer was complete. Ask again.',
      severity: 'FATAL',
    }
  return {
    code: 'internal_error',
    message: 'The agent failed. Ask again, or ask the operator, whose log has the details.',
    severity: 'FATAL',
  }
}

function isIterable(value: unknown): value is AsyncIterable<AgentOutput, AgentEnding> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}
