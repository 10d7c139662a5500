import { Message } from '@a2a-js/sdk'
import type { AgentExecutor, ExecutionEventBus, RequestContext } from '@a2a-js/sdk/server'
import type { Clock } from '../../../src/base/ports/clock.ts'
import type { ServiceRequest } from '../../../src/protocols/cap/schema/request.ts'
import type { Agent } from '../../../src/server.ts'
import type { FileStore } from '../files/file-store.ts'
import { isA2AScenarioId } from './a2a-scenarios.ts'
import type { A2AScenarioId } from './a2a-scenarios.ts'
import type { AgentTask } from './agent-task.ts'
import { createAgentTask } from './agent-task.ts'
import type { TaskPart } from './task-voice.ts'
import { taskVoice } from './task-voice.ts'

export interface A2AExecutorOptions {
  readonly agents: Readonly<Record<A2AScenarioId, Agent>>
  readonly files: FileStore
  readonly clock: Clock
  readonly uuid: () => string
  /** Origin of the page, for links to it. */
  readonly origin: () => URL
  signedIn(signal: AbortSignal): Promise<void>
  /** A message is worked on. */
  onRun(requestId: string, taskId: string): void
}

/** Tasks that are kept while they wait: the oldest goes when there are too many. */
const MOST_TASKS = 100
/** What the docs agent may say: it shows all of it as parts of a task. */
const EVENTS = ['PROGRESS_INDICATOR', 'CITATION_BLOCK', 'TOOL_CALL']

/** The agents of the playground behind the server of the official SDK. */
export function createA2AExecutor(options: A2AExecutorOptions): AgentExecutor {
  const { agents, files, clock, uuid, onRun } = options
  const tasks = new Map<string, AgentTask>()

  return {
    async execute({ taskId, contextId, userMessage, task }: RequestContext, bus: ExecutionEventBus) {
      const voice = taskVoice(taskId, contextId, bus, uuid)
      // The JSON of a message is what the specification says it is.
      const sent = Message.toJSON(userMessage) as {
        readonly parts?: readonly TaskPart[]
        readonly metadata?: { readonly scenario?: unknown }
      }
      const { parts = [], metadata } = sent
      const known = tasks.get(taskId)
      onRun(userMessage.messageId, taskId)
      if (task !== undefined && known !== undefined) {
        voice.again(task)
        return known.answer(voice, parts.find(({ data }) => data !== undefined)?.data ?? textOf(parts))
      }
      const scenario = isA2AScenarioId(metadata?.scenario) ? metadata.scenario : 'a2a'
      const own = createAgentTask({
        agent: agents[scenario],
        request: requestOf(contextId, userMessage.messageId, parts, files),
        requestId: userMessage.messageId,
        url: options.origin(),
        clock,
        uuid,
        signedIn: options.signedIn,
      })
      tasks.set(taskId, own)
      const [oldest] = tasks.keys()
      if (tasks.size > MOST_TASKS && oldest !== undefined) tasks.delete(oldest)
      voice.task(userMessage)
      voice.status('WORKING')
      await own.begin(voice)
    },
    async cancelTask(taskId: string, bus: ExecutionEventBus) {
      tasks.get(taskId)?.cancel()
      tasks.delete(taskId)
      const voice = taskVoice(taskId, '', bus, uuid)
      voice.status('CANCELED')
      voice.finished()
    },
  }
}

function textOf(parts: readonly TaskPart[]): string {
  return parts.map(({ text = '' }) => text).join('')
}

/** The request that the agents of the playground are given; files that came as bytes are kept like those that were uploaded. */
function requestOf(contextId: string, requestId: string, parts: readonly TaskPart[], files: FileStore): ServiceRequest {
  const ids = parts.flatMap(({ raw, filename }) =>
    raw === undefined ? [] : [files.add(filename ?? 'file.txt', Buffer.from(raw, 'base64').toString()).id],
  )
  return {
    request_id: requestId,
    context: {},
    payload: {
      session_id: contextId,
      payload: { query: textOf(parts), ...(ids.length > 0 && { files: ids }) },
      capabilities: { supported_events: EVENTS, prefers_markdown: true },
      metadata: {},
    },
  } as unknown as ServiceRequest // its agents read these members alone
}
