import type { AgentCard, Message, Task, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from '@a2a-js/sdk-0.3'
import type { AgentExecutor, ExecutionEventBus, RequestContext } from '@a2a-js/sdk-0.3/server'
import { DefaultRequestHandler, InMemoryPushNotificationStore, InMemoryTaskStore } from '@a2a-js/sdk-0.3/server'
import { agentCardHandler, jsonRpcHandler, UserBuilder } from '@a2a-js/sdk-0.3/server/express'
import express from 'express'
import { serve } from '../../server/peer.ts'
import type { SeenCall } from './count-calls.ts'
import { countCalls } from './count-calls.ts'
import { playScript } from './script.ts'
import type { SdkAgent } from './sdk-agent.ts'

type OlderState = TaskStatusUpdateEvent['status']['state']
type OlderPart = Message['parts'][number]

/** The state and the part as 0.3 writes them. */
const olderState = (state: string): OlderState =>
  state.replace('TASK_STATE_', '').replace('_', '-').toLowerCase() as OlderState // the names differ in nothing else

interface ScriptPart {
  readonly text?: string
  readonly raw?: string
  readonly url?: string
  readonly data?: Record<string, unknown>
  readonly mediaType?: string
  readonly filename?: string
}

function olderPart({ text, raw, url, data = {}, mediaType, filename }: ScriptPart): OlderPart {
  const named = { ...(mediaType && { mimeType: mediaType }), ...(filename && { name: filename }) }
  if (text !== undefined) return { kind: 'text', text }
  if (raw !== undefined) return { kind: 'file', file: { bytes: raw, ...named } }
  if (url !== undefined) return { kind: 'file', file: { uri: url, ...named } }
  return { kind: 'data', data }
}

function scriptPart(part: OlderPart): ScriptPart {
  if (part.kind === 'text') return { text: part.text }
  if (part.kind === 'data') return { data: part.data }
  const { mimeType, name } = part.file
  return {
    ...('bytes' in part.file ? { raw: part.file.bytes } : { url: part.file.uri }),
    ...(mimeType && { mediaType: mimeType }),
    ...(name && { filename: name }),
  }
}

class ScriptedExecutor implements AgentExecutor {
  runs = 0
  readonly #tickMs: number
  readonly #cancelled = new Set<string>()

  constructor(tickMs: number) {
    this.#tickMs = tickMs
  }

  cancelTask = async (taskId: string, bus: ExecutionEventBus): Promise<void> => {
    this.#cancelled.add(taskId)
    bus.publish({ kind: 'status-update', taskId, contextId: '', status: { state: 'canceled' }, final: true })
    bus.finished()
  }

  execute = async ({ taskId, contextId, userMessage, task }: RequestContext, bus: ExecutionEventBus): Promise<void> => {
    this.runs += 1
    const first: Task = { kind: 'task', id: taskId, contextId, status: { state: 'submitted' }, history: [userMessage] }
    const [part] = userMessage.parts
    await playScript(
      {
        taskId,
        text: part?.kind === 'text' ? part.text : undefined,
        parts: userMessage.parts.map(scriptPart),
        isAnswer: task !== undefined,
        tickMs: this.#tickMs,
        isCancelled: () => this.#cancelled.has(taskId),
      },
      {
        task: () => bus.publish(task ?? first),
        status(state, text, id = '') {
          const older = olderState(state)
          const final = !['submitted', 'working', 'auth-required'].includes(older)
          const message: Message = {
            kind: 'message',
            messageId: id,
            role: 'agent',
            parts: [{ kind: 'text', text: text ?? '' }],
          }
          const status = { state: older, timestamp: new Date().toISOString(), ...(text !== undefined && { message }) }
          bus.publish({ kind: 'status-update', taskId, contextId, status, final } satisfies TaskStatusUpdateEvent)
        },
        artifact(artifactId, parts, append, lastChunk = false) {
          const artifact = { artifactId, name: artifactId, parts: parts.map(olderPart) }
          bus.publish({
            kind: 'artifact-update',
            taskId,
            contextId,
            artifact,
            append,
            lastChunk,
          } satisfies TaskArtifactUpdateEvent)
        },
        message: (text) =>
          bus.publish({
            kind: 'message',
            messageId: `reply-${taskId}`,
            role: 'agent',
            contextId,
            parts: [{ kind: 'text', text }],
          }),
        finish: () => bus.finished(),
      },
    )
  }
}

/** Serves the scripted agent with the server of the official SDK of A2A 0.3, until the test ends. */
export async function serveOlderAgent({ tickMs = 2 }: { readonly tickMs?: number } = {}): Promise<SdkAgent> {
  const executor = new ScriptedExecutor(tickMs)
  const calls: SeenCall[] = []
  const app = express()
  const origin = await serve(app)
  const card: AgentCard = {
    name: 'Older rivers',
    description: 'Knows rivers',
    version: '1.0.0',
    protocolVersion: '0.3.0',
    url: `${origin}/rpc`,
    preferredTransport: 'JSONRPC',
    capabilities: { streaming: true, pushNotifications: true },
    supportsAuthenticatedExtendedCard: true,
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'explain', name: 'Explain', description: 'Explains rivers', tags: ['rivers'] }],
  }
  const requestHandler = new DefaultRequestHandler(
    card,
    new InMemoryTaskStore(),
    executor,
    undefined,
    new InMemoryPushNotificationStore(),
    undefined,
    card,
  )
  app.use(countCalls(calls))
  app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler }))
  app.use('/rpc', jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }))
  return {
    origin,
    url: `${origin}/rpc`,
    calls,
    get runs() {
      return executor.runs
    },
    count: (method) => calls.filter((call) => call.method === method).length,
  }
}
