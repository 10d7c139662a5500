import { isAgentError } from '../../base/agent-error.ts'
import type { ServiceRequest } from '../../protocols/cap/schema/request.ts'
import { stringifyWellFormed } from '../../base/well-formed-json.ts'
import type { Agent, AgentAnswer, AgentEnding, AgentRun } from './agent.ts'
import type { AgentOutput, StreamErrorBody } from './agent-output.ts'
import { checkAnswer, checkEnding } from './check-output.ts'
import type { LogWriter } from '../event-log/event-log.ts'
import type { RunWriter } from './run-writer.ts'

export interface AgentTask {
  readonly agent: Agent
  readonly request: ServiceRequest
  readonly run: AgentRun
  readonly writer: RunWriter
  readonly log: LogWriter
  onError(error: unknown): void
}

/** Runs an agent to its end, whoever listens. Never rejects: what goes wrong is told to `onError` and, without details, to the client. */
export async function runAgent(task: AgentTask): Promise<void> {
  const { writer, log } = task
  const told = new Set<unknown>()
  const tell = (error: unknown): void => {
    // A log that failed once gives the same error from then on.
    if (!told.has(error)) task.onError(error)
    told.add(error)
  }
  let complete = true
  try {
    await writer.finish(await ending(task))
  } catch (error) {
    tell(error)
    await writer.fail(publicError(error, task.run.signal)).catch((secondary: unknown) => {
      complete = false
      tell(secondary)
    })
  }
  await (complete ? log.close() : log.discard()).catch(tell)
}

async function ending(task: AgentTask): Promise<string | undefined> {
  const { agent, request, run, writer } = task
  const said = agent(request, run)
  const result = isIterable(said) ? said : await untilAborted(said, run.signal)
  if (isIterable(result)) return checkEnding(await pump(result, task))
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return checkEnding(result)
  await writer.answer(serviceResponse(result, run))
  return undefined
}

async function pump(iterable: AsyncIterable<AgentOutput, AgentEnding>, { run, writer }: AgentTask): Promise<AgentEnding> {
  // The headers can go out before the agent has thought of its first word.
  await writer.openStream()
  const iterator = iterable[Symbol.asyncIterator]()
  let finished = false
  try {
    while (!writer.over) {
      const step = await untilAborted(iterator.next(), run.signal)
      finished = step.done === true
      if (step.done) return step.value
      await writer.write(step.value)
    }
  } finally {
    // Not awaited: an agent stuck in a promise of its own must not hold up the end of its run.
    if (!finished) iterator.return?.().then(undefined, () => {})
  }
}

function serviceResponse({ output, metrics }: AgentAnswer, run: AgentRun): string {
  const created = new Date(run.clock.date()).toISOString()
  return checkAnswer(stringifyWellFormed({ request_id: run.requestId, created_at: created, output, metrics }))
}

/** Only what cannot give anything away. */
function publicError(error: unknown, signal: AbortSignal): StreamErrorBody {
  if (isAgentError(error) && error.code === 'response_too_large') {
    return { code: 'answer_too_large', message: 'The answer grew over what this server keeps of one run.', severity: 'FATAL' }
  }
  if (signal.aborted) return { code: 'server_stopping', message: 'The server stopped before the answer was complete. Ask again.', severity: 'FATAL' }
  return { code: 'internal_error', message: 'The agent failed. Ask again, or ask the operator, whose log has the details.', severity: 'FATAL' }
}

function isIterable(value: unknown): value is AsyncIterable<AgentOutput, AgentEnding> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

function untilAborted<Value>(awaited: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('The run was aborted.'))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    // In JavaScript an agent may return something that is no promise.
    Promise.resolve(awaited).then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
