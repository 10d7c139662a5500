import { AgentCard, Message, Task, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from '@a2a-js/sdk'
import type { AgentCardSignatureGenerator } from '@a2a-js/sdk'
import type { AgentExecutor, ExecutionEventBus, RequestContext } from '@a2a-js/sdk/server'
import { AgentEvent, DefaultRequestHandler, InMemoryPushNotificationStore, InMemoryTaskStore } from '@a2a-js/sdk/server'
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express'
import type { RequestHandler } from 'express'
import express from 'express'
import { serve } from '../../server/peer.ts'
import type { SeenCall } from './count-calls.ts'
import { countCalls } from './count-calls.ts'
import { playScript, sleep } from './script.ts'

export { wordsOf } from './script.ts'

export interface SdkAgentOptions {
  /** Before every load and save of the store. @default 0 */
  readonly storeMs?: number
  /** Between two events of the agent. @default 2 */
  readonly tickMs?: number
  /** @default true */
  readonly streaming?: boolean
  /** What the agent does about a cancel: it stops, it works on and says nothing, or it works on and ends its answer. @default 'stop' */
  readonly onCancel?: 'stop' | 'ignore' | 'refuse'
  /** Signs the card. Absent: it is not signed. */
  readonly sign?: AgentCardSignatureGenerator
  /** Sees every request first, and may answer it. Absent: nobody does. */
  readonly first?: RequestHandler
}

/** The server of the official SDK on loopback, with a scripted agent: JSON-RPC at /rpc, HTTP+JSON at /rest, each of 1.0 and 0.3. */
export interface SdkAgent {
  readonly url: string
  readonly origin: string
  /** Methods of all requests in order, with the ids of messages. */
  readonly calls: readonly SeenCall[]
  /** How often the agent was given a message. */
  readonly runs: number
  /** How often a method was called. */
  count(method: string): number
}

class ScriptedExecutor implements AgentExecutor {
  runs = 0
  readonly #tickMs: number
  readonly #onCancel: SdkAgentOptions['onCancel']
  readonly #cancelled = new Set<string>()
  returns = 0

  constructor(tickMs: number, onCancel: SdkAgentOptions['onCancel']) {
    this.#tickMs = tickMs
    this.#onCancel = onCancel
  }

  async cancelTask(taskId: string, bus: ExecutionEventBus): Promise<void> {
    if (this.#onCancel === 'ignore') return
    if (this.#onCancel === 'refuse') return bus.finished()
    this.#cancelled.add(taskId)
    bus.publish(AgentEvent.statusUpdate(statusOf(taskId, '', 'TASK_STATE_CANCELED')))
    bus.finished()
  }

  async execute({ taskId, contextId, userMessage, task }: RequestContext, bus: ExecutionEventBus): Promise<void> {
    this.runs += 1
    // As JSON a message has the parts that the specification names.
    const sent = Message.toJSON(userMessage) as { readonly parts: readonly { readonly text?: string }[] }
    const first = Task.fromJSON({
      id: taskId,
      contextId,
      status: { state: 'TASK_STATE_SUBMITTED' },
      history: [Message.toJSON(userMessage)],
    })
    await playScript(
      {
        taskId,
        text: sent.parts[0]?.text,
        parts: sent.parts,
        isAnswer: task !== undefined,
        tickMs: this.#tickMs,
        isCancelled: () => this.#cancelled.has(taskId),
      },
      {
        task: () => bus.publish(AgentEvent.task(task ?? first)),
        status: (state, text, id) => bus.publish(AgentEvent.statusUpdate(statusOf(taskId, contextId, state, text, id))),
        artifact: (artifactId, parts, append, lastChunk = false) =>
          bus.publish(
            AgentEvent.artifactUpdate(
              TaskArtifactUpdateEvent.fromJSON({
                taskId,
                contextId,
                artifact: { artifactId, name: artifactId, parts },
                append,
                lastChunk,
              }),
            ),
          ),
        message: (text) =>
          bus.publish(
            AgentEvent.message(
              Message.fromJSON({ messageId: `reply-${taskId}`, role: 'ROLE_AGENT', contextId, parts: [{ text }] }),
            ),
          ),
        finish: () => bus.finished(),
      },
    )
    this.returns += 1
  }
}

function statusOf(
  taskId: string,
  contextId: string,
  state: string,
  text?: string,
  messageId = '',
): TaskStatusUpdateEvent {
  const message = text === undefined ? undefined : { messageId, role: 'ROLE_AGENT', parts: [{ text }] }
  const timestamp = new Date().toISOString()
  return TaskStatusUpdateEvent.fromJSON({ taskId, contextId, status: { state, message, timestamp } })
}

class SlowTaskStore extends InMemoryTaskStore {
  readonly #ms: number

  constructor(ms: number) {
    super()
    this.#ms = ms
  }

  override async load(...args: Parameters<InMemoryTaskStore['load']>): ReturnType<InMemoryTaskStore['load']> {
    if (this.#ms > 0) await sleep(this.#ms)
    return super.load(...args)
  }

  override async save(...args: Parameters<InMemoryTaskStore['save']>): Promise<void> {
    if (this.#ms > 0) await sleep(this.#ms)
    return super.save(...args)
  }
}

/** Serves the scripted agent until the test ends. */
export async function serveSdkAgent(
  options: SdkAgentOptions = {},
): Promise<SdkAgent & { /** How often the agent has returned from a message. */ readonly returns: number }> {
  const { storeMs = 0, tickMs = 2, streaming = true, onCancel, sign, first } = options
  const executor = new ScriptedExecutor(tickMs, onCancel)
  const calls: SeenCall[] = []
  const app = express()
  const origin = await serve(app)
  const card = AgentCard.fromJSON({
    name: 'Rivers',
    description: 'Knows rivers',
    version: '1.0.0',
    supportedInterfaces: ['1.0', '0.3'].flatMap((protocolVersion) => [
      { url: `${origin}/rpc`, protocolBinding: 'JSONRPC', protocolVersion },
      { url: `${origin}/rest`, protocolBinding: 'HTTP+JSON', protocolVersion },
    ]),
    capabilities: { streaming, pushNotifications: true, extendedAgentCard: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'explain', name: 'Explain', description: 'Explains rivers', tags: ['rivers'] }],
  })
  const requestHandler = new DefaultRequestHandler(
    card,
    new SlowTaskStore(storeMs),
    executor,
    undefined,
    new InMemoryPushNotificationStore(),
    undefined,
    card,
    sign,
  )
  const routes = { requestHandler, userBuilder: UserBuilder.noAuthentication, legacyCompat: { enabled: true } }
  app.use(countCalls(calls))
  if (first !== undefined) app.use(first)
  app.use(
    '/.well-known/agent-card.json',
    agentCardHandler({ agentCardProvider: requestHandler, legacyCompat: { enabled: true } }),
  )
  app.use('/rpc', jsonRpcHandler(routes))
  app.use('/rest', restHandler(routes))
  return {
    origin,
    url: `${origin}/rpc`,
    calls,
    get runs() {
      return executor.runs
    },
    get returns() {
      return executor.returns
    },
    count: (method) => calls.filter((call) => call.method === method).length,
  }
}
