import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  AgentCard,
  formatSSEErrorEvent,
  formatSSEEvent,
  Task,
  TaskArtifactUpdateEvent,
  TaskStatusUpdateEvent,
  Message,
} from '@a2a-js/sdk'
import type { AgentExecutor, ExecutionEventBus, RequestContext } from '@a2a-js/sdk/server'
import {
  AgentEvent,
  DefaultRequestHandler,
  InMemoryPushNotificationStore,
  InMemoryTaskStore,
  JsonRpcTransportHandler,
  ServerCallContext,
} from '@a2a-js/sdk/server'
import { serve } from '../server/peer.ts'

/** What breaks an event stream: after so many events the socket is reset, ended, stalled, or cut within the next event. */
export interface StreamFault {
  readonly how: 'reset' | 'end' | 'stall' | 'mid-frame'
  readonly afterEvents: number
}

/** How every event of every stream is written. */
export type Writing = 'plain' | 'crlf' | 'cr' | 'bytewise' | 'bom'

export interface SdkAgentOptions {
  /** Of the n-th stream, in order; later streams are whole. A function is asked for every stream. Absent: none. */
  readonly faults?: readonly (StreamFault | undefined)[] | ((stream: number) => StreamFault | undefined)
  readonly writing?: Writing
  /** Before every load and save of the store. @default 0 */
  readonly storeMs?: number
  /** Between two events of the agent. @default 2 */
  readonly tickMs?: number
  /** @default true */
  readonly streaming?: boolean
}

/** The server of the official SDK on loopback, with a scripted agent. */
export interface SdkAgent {
  readonly url: string
  readonly origin: string
  /** Methods of all requests in order, with the ids of messages. */
  readonly calls: readonly { readonly method: string; readonly messageId: string | undefined }[]
  /** How often the agent was given a message. */
  readonly runs: number
  /** How often a method was called. */
  count(method: string): number
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** The text that `stream n` answers with. */
export const wordsOf = (count: number): string => Array.from({ length: count }, (_, at) => `[${at}] `).join('')

/** Answers by the first word of the message: `stream n`, `multi n`, `ask`, `auth`, `fail`, `reject`, `message`, `files`, `big bytes`, `slow`, `replace`. */
class ScriptedExecutor implements AgentExecutor {
  runs = 0
  readonly #tickMs: number
  readonly #cancelled = new Set<string>()

  constructor(tickMs: number) {
    this.#tickMs = tickMs
  }

  async cancelTask(taskId: string, bus: ExecutionEventBus): Promise<void> {
    this.#cancelled.add(taskId)
    bus.publish(AgentEvent.statusUpdate(statusOf(taskId, '', 'TASK_STATE_CANCELED')))
    bus.finished()
  }

  async execute(context: RequestContext, bus: ExecutionEventBus): Promise<void> {
    this.runs += 1
    const { taskId, contextId, userMessage, task } = context
    const words = Message.toJSON(userMessage) as { readonly parts: readonly { readonly text?: string }[] }
    const [word = '', argument = '3'] = (words.parts[0]?.text ?? 'file').split(' ')
    const count = Number(argument)
    const status = (state: string, text?: string, id = `${taskId}-${state}`): void =>
      bus.publish(AgentEvent.statusUpdate(statusOf(taskId, contextId, state, text, id)))
    const artifact = (id: string, parts: readonly object[], append: boolean, lastChunk = false): void =>
      bus.publish(
        AgentEvent.artifactUpdate(
          TaskArtifactUpdateEvent.fromJSON({
            taskId,
            contextId,
            artifact: { artifactId: id, name: id, parts },
            append,
            lastChunk,
          }),
        ),
      )
    const tick = (): Promise<void> => sleep(this.#tickMs)

    if (word === 'message') {
      const message = { messageId: `reply-${taskId}`, role: 'ROLE_AGENT', contextId, parts: [{ text: 'Hello there.' }] }
      bus.publish(AgentEvent.message(Message.fromJSON(message)))
      return bus.finished()
    }
    bus.publish(
      AgentEvent.task(
        task ??
          Task.fromJSON({
            id: taskId,
            contextId,
            status: { state: 'TASK_STATE_SUBMITTED' },
            history: [Message.toJSON(userMessage)],
          }),
      ),
    )
    status('TASK_STATE_WORKING', 'Reading…')
    await tick()
    if (task !== undefined) {
      artifact('reply', [{ text: `You said ${words.parts[0]?.text}.` }], false, true)
      status('TASK_STATE_COMPLETED')
      return bus.finished()
    }
    switch (word) {
      case 'stream':
        for (let at = 0; at < count && !this.#cancelled.has(taskId); at++) {
          artifact('reply', [{ text: `[${at}] ` }], at > 0, at === count - 1)
          await tick()
        }
        break
      case 'multi':
        for (let at = 0; at < count; at++) {
          artifact('one', [{ text: `[${at}] ` }], at > 0)
          artifact('two', [{ text: `(${at}) ` }], at > 0)
          await tick()
        }
        break
      case 'replace':
        artifact('reply', [{ text: 'Draft' }], false, true)
        await tick()
        artifact('reply', [{ text: 'Final' }], false, true)
        break
      case 'ask':
        status('TASK_STATE_INPUT_REQUIRED', 'Which river?', `${taskId}-question`)
        return bus.finished()
      case 'auth':
        status('TASK_STATE_AUTH_REQUIRED', 'Sign in to Maps.', `${taskId}-sign-in`)
        await sleep(60)
        status('TASK_STATE_WORKING', 'Thank you', `${taskId}-thanks`)
        artifact('reply', [{ text: 'Signed in.' }], false, true)
        break
      case 'fail':
      case 'reject':
        status(word === 'fail' ? 'TASK_STATE_FAILED' : 'TASK_STATE_REJECTED', 'No map of this river.')
        return bus.finished()
      case 'files':
        artifact('reply', [{ text: 'See the files.' }], false)
        artifact('raw', [{ raw: 'SGVsbG8=', mediaType: 'text/plain', filename: 'hello.txt' }], false)
        artifact('url', [{ url: 'https://files.example/a.pdf', mediaType: 'application/pdf' }], false)
        artifact('data', [{ data: { depth: [1, 2] } }], false, true)
        break
      case 'big':
        artifact('reply', [{ text: 'x'.repeat(count) }], false, true)
        break
      case 'slow':
        for (let at = 0; at < 500 && !this.#cancelled.has(taskId); at++) await sleep(10)
        if (this.#cancelled.has(taskId)) return
        break
    }
    if (this.#cancelled.has(taskId)) return
    status('TASK_STATE_COMPLETED')
    bus.finished()
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
export async function serveSdkAgent(options: SdkAgentOptions = {}): Promise<SdkAgent> {
  const { faults = [], writing = 'plain', storeMs = 0, tickMs = 2, streaming = true } = options
  const executor = new ScriptedExecutor(tickMs)
  const card = (url: string): AgentCard =>
    AgentCard.fromJSON({
      name: 'Rivers',
      description: 'Knows rivers',
      version: '1.0.0',
      supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      capabilities: { streaming, pushNotifications: true, extendedAgentCard: true },
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      skills: [],
    })
  const handler = new JsonRpcTransportHandler(
    new DefaultRequestHandler(
      card('http://127.0.0.1/rpc'),
      new SlowTaskStore(storeMs),
      executor,
      undefined,
      new InMemoryPushNotificationStore(),
      undefined,
      card('http://127.0.0.1/rpc'),
    ),
  )
  const calls: { method: string; messageId: string | undefined }[] = []
  let streams = 0

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (req.url === '/.well-known/agent-card.json') {
      if (req.headers['if-none-match'] === '"1"') return void res.writeHead(304).end()
      res.writeHead(200, { 'content-type': 'application/json', etag: '"1"' })
      return void res.end(JSON.stringify(AgentCard.toJSON(card(`http://${req.headers.host}/rpc`))))
    }
    const body = JSON.parse(await textOf(req)) as {
      readonly id: number
      readonly method: string
      readonly params?: { readonly message?: { readonly messageId?: string } }
    }
    calls.push({ method: body.method, messageId: body.params?.message?.messageId })
    const fail = (error: unknown): object => ({
      jsonrpc: '2.0',
      id: body.id,
      error: JsonRpcTransportHandler.mapToJSONRPCError(error),
    })
    const context = new ServerCallContext({ requestedVersion: String(req.headers['a2a-version'] ?? '0.3') })
    const result = await handler.handle({ ...body }, context)
    if (!(Symbol.asyncIterator in result)) {
      res.writeHead(200, { 'content-type': 'application/json' })
      return void res.end(JSON.stringify(result))
    }
    // As the routes of the SDK do: an error before the first event is JSON.
    const first = await result.next().catch(fail)
    if (!('done' in first)) {
      res.writeHead(200, { 'content-type': 'application/json' })
      return void res.end(JSON.stringify(first))
    }
    const fault = typeof faults === 'function' ? faults(streams) : faults[streams]
    streams += 1
    res.writeHead(200, { 'content-type': 'text/event-stream' })
    if (writing === 'bom') res.write('\uFEFF')
    let sent = 0
    let isBroken = false
    // The agent works on, whether or not anybody listens.
    const breakOff = (): void => {
      if (fault?.afterEvents !== sent || isBroken) return
      isBroken = true
      if (fault.how === 'end') res.end()
      // The last bytes are on their way before the reset overtakes them.
      else if (fault.how !== 'stall') setImmediate(() => res.destroy())
    }
    const write = async (text: string): Promise<void> => {
      if (fault?.how === 'mid-frame' && fault.afterEvents === sent && !isBroken) res.write(text.slice(0, 30))
      breakOff()
      if (!isBroken && !res.destroyed) await writeAs(writing, text, res)
      sent += 1
      if (fault?.how !== 'mid-frame') breakOff()
    }
    try {
      for (let event = first; event.done !== true; event = await result.next()) await write(formatSSEEvent(event.value))
    } catch (error) {
      await write(formatSSEErrorEvent(fail(error)))
    }
    if (fault?.how !== 'stall' && !res.writableEnded) res.end()
  }

  const origin = await serve((req, res) => void answer(req, res).catch(() => res.destroy()))
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

async function writeAs(writing: Writing, text: string, res: ServerResponse): Promise<void> {
  if (writing === 'crlf') res.write(text.replaceAll('\n', '\r\n'))
  else if (writing === 'cr') res.write(text.replaceAll('\n', '\r'))
  else if (writing === 'bytewise')
    for (const byte of Buffer.from(text)) await new Promise((resolve) => res.write(Buffer.of(byte), resolve))
  else res.write(text)
}

async function textOf(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk as Buffer) // a request without an encoding gives bytes
  return Buffer.concat(chunks).toString()
}
