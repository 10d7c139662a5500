import { assertNumbers } from '../../../base/assert-options.ts'
import { type RetryPolicy, backoff } from '../../../base/backoff.ts'
import type { JsonObject } from '../../../base/json-object.ts'
import { type Environment, systemEnvironment } from '../../../base/ports/environment.ts'
import type { A2ATransport } from '../a2a-transport.ts'
import { a2aProtocol } from '../adapter.ts'
import { createA2AError } from '../errors.ts'
import { type A2ARequest, type MessageRequest, sendParams, type SendConfiguration } from '../request.ts'
import type { AgentCard, AgentInterface } from '../agent-card.ts'
import type { StreamResponse, Task } from '../messages.ts'
import type { ChatInput } from '../../../seam/chat-input.ts'
import type { AgentProtocol } from '../../../seam/protocol.ts'
import { type AgentClient, createRetryBudget, type SessionObserver } from '../../../session/agent-client.ts'
import type { AnswerLimits } from '../../../session/stream-ledger.ts'
import { iterateRun, type RunLog } from '../../../session/iterate-run.ts'
import { createA2ARequest, type A2AContextSource } from './a2a-request.ts'
import type { A2AMessageInput } from './message-input.ts'
import type {
  A2AAnswers,
  PushNotificationConfig,
  PushNotificationConfigPage,
  TaskFilter,
  TaskPage,
} from './read-answers.ts'
import { bindCard, trustedUrl } from './agent-card-resolver.ts'
import { jsonRpcTransport, type A2ABindings } from './json-rpc-transport.ts'
import type { CitationReaders } from '../citations.ts'
import type { A2AHttpOptions } from './http-calls.ts'

/** A stream is probed two times before its silence counts as lost. */
const PROBES_PER_TIMEOUT = 2.4

const LONGEST_PROBE_MS = 25_000

/**
 * A client of one A2A agent. Follows a task over dropped connections; sends each message once. It holds no conversation, so one client
 * serves a whole app.
 *
 * @example
 * ```ts
 * import { A2AClient } from 'capstan/a2a'
 *
 * const client = A2AClient.fromUrl('https://agent.example/a2a', { apiKey: async () => 'a key of this user' })
 * for await (const { artifactUpdate } of client.sendMessageStream('Why do rivers meander?'))
 *   console.log(artifactUpdate?.artifact.parts)
 * ```
 */
export class A2AClient implements AgentClient<A2ARequest, StreamResponse> {
  readonly protocol: AgentProtocol<A2ARequest, StreamResponse>
  readonly retry: RetryPolicy
  readonly timeoutMs: number
  readonly environment: Environment
  readonly budget = createRetryBudget()
  readonly limits: AnswerLimits | undefined
  readonly observer: SessionObserver | undefined
  readonly #options: A2AClientOptions
  readonly #transport: A2ATransport
  readonly #callTimeoutMs: number

  /** @throws A2AError `invalid_config` when an option cannot work */
  constructor(options: A2AClientOptions) {
    const { timeoutMs = 60_000, maxRetries = 3, callTimeoutMs = 180_000, pollMs = 2_000 } = options
    assertNumbers(createA2AError, { timeoutMs, callTimeoutMs, pollMs }, { maxRetries }, options.limits)
    this.#callTimeoutMs = callTimeoutMs
    this.#options = options
    this.#transport = options.transport
    this.protocol = a2aProtocol({
      ...options,
      probeMs: Math.min(LONGEST_PROBE_MS, timeoutMs / PROBES_PER_TIMEOUT),
    })
    this.retry = options.retry ?? backoff({ maxAttempts: maxRetries })
    this.timeoutMs = timeoutMs
    this.limits = options.limits
    this.observer = options.observer
    this.environment = { ...systemEnvironment, ...options.environment }
  }

  /**
   * A client of the agent of a card, over its JSON-RPC interface of A2A 1.0. `bindings` adds others, for agents that have none. The
   * interface has to be on the origin of the card, or on one of `origins`.
   *
   * @throws A2AError `invalid_config` when the card has no such interface
   */
  static fromAgentCard(card: AgentCard, options: A2ACardClientOptions = {}): A2AClient {
    const { transport, found } = transportFor(card, options)
    return new A2AClient({ streaming: card.capabilities?.streaming, tenant: found.tenant, ...options, transport })
  }

  /** A client of the agent whose JSON-RPC interface has this address: absolute, or a path on the page's own origin. */
  static fromUrl(url: string, options: A2AHttpClientOptions = {}): A2AClient {
    return new A2AClient({ ...options, transport: jsonRpcTransport({ ...options, url }) })
  }

  /** The same client for a conversation that begins in this context. */
  inContext(contextId: string): A2AClient {
    const { context } = this.#options
    return new A2AClient({
      ...this.#options,
      context: async (input) => ({ ...(typeof context === 'function' ? await context(input) : context), contextId }),
    })
  }

  /**
   * SendMessage, once and without retries: gives the task or the message. A message that fails on its way may have arrived.
   * @throws A2AError `invalid_request`, before anything is sent, when the message is malformed
   */
  async sendMessage(message: string | A2AMessageInput, options: A2ASendOptions = {}): Promise<StreamResponse> {
    const request = await this.#requestOf(message, this.environment.uuid(), options)
    return this.#call('sendMessage', sendParams(request), options)
  }

  /**
   * SendStreamingMessage: the events of the task, over as many connections as it takes. The message is sent once; after a dropped
   * connection comes the whole task again, as `task`, and what follows. Aborting ends the iteration and cancels the task. The first
   * `next` of a malformed message throws an A2AError `invalid_request`, and nothing is sent.
   */
  sendMessageStream(
    message: string | A2AMessageInput,
    options: A2ASendOptions = {},
  ): AsyncIterableIterator<StreamResponse, undefined> {
    const requestId = (typeof message === 'object' && message?.messageId) || this.environment.uuid()
    return this.#iterate(() => this.#requestOf(message, requestId, options), requestId, options.signal)
  }

  /** SubscribeToTask, over as many connections as it takes: the task as it is, and what follows. Aborting cancels the task. */
  resubscribe(taskId: string, options: A2ACallOptions = {}): AsyncIterableIterator<StreamResponse, undefined> {
    return this.#iterate(() => ({ taskId }), this.environment.uuid(), options.signal)
  }

  /** GetTask. @throws A2AError `not_found` */
  getTask(taskId: string, options: A2AGetTaskOptions = {}): Promise<Task> {
    return this.#call('getTask', { id: taskId, historyLength: options.historyLength }, options)
  }

  /** ListTasks, newest first, a page at a time: `nextPageToken` gives the next. @throws A2AError */
  listTasks(filter: TaskFilter = {}, options: A2ACallOptions = {}): Promise<TaskPage> {
    return this.#call('listTasks', { ...filter }, options)
  }

  /** CancelTask: gives the task. @throws A2AError with `agentCode` `-32002` when it has ended */
  cancelTask(taskId: string, options: A2ACallOptions = {}): Promise<Task> {
    return this.#call('cancelTask', { id: taskId }, options)
  }

  /** GetExtendedAgentCard: the card that the agent shows to this user. @throws A2AError */
  async getExtendedAgentCard(options: A2ACallOptions = {}): Promise<AgentCard> {
    return bindCard(await this.#call('getExtendedAgentCard', {}, options), this.#transport.server ?? '')
  }

  /** CreateTaskPushNotificationConfig. @throws A2AError */
  createPushNotificationConfig(
    config: PushNotificationConfig,
    options: A2ACallOptions = {},
  ): Promise<PushNotificationConfig> {
    return this.#call('createTaskPushNotificationConfig', { ...config }, options)
  }

  /** GetTaskPushNotificationConfig. @throws A2AError */
  getPushNotificationConfig(taskId: string, id: string, options: A2ACallOptions = {}): Promise<PushNotificationConfig> {
    return this.#call('getTaskPushNotificationConfig', { taskId, id }, options)
  }

  /** ListTaskPushNotificationConfigs, a page at a time: `nextPageToken` gives the next. @throws A2AError */
  listPushNotificationConfigs(taskId: string, options: A2APageOptions = {}): Promise<PushNotificationConfigPage> {
    const { pageSize, pageToken } = options
    return this.#call('listTaskPushNotificationConfigs', { taskId, pageSize, pageToken }, options)
  }

  /** DeleteTaskPushNotificationConfig. @throws A2AError */
  deletePushNotificationConfig(taskId: string, id: string, options: A2ACallOptions = {}): Promise<void> {
    return this.#call('deleteTaskPushNotificationConfig', { taskId, id }, options)
  }

  createRequest(input: ChatInput): Promise<MessageRequest> {
    return createA2ARequest(input, this.#options.context, this.#options.tenant)
  }

  #params(params: JsonObject): JsonObject {
    return { tenant: this.#options.tenant, ...params }
  }

  /** A message that an app writes itself, which a chat never does: the code that checks it is loaded with the first. */
  async #requestOf(
    message: string | A2AMessageInput,
    newId: string,
    { configuration, metadata }: A2ASendOptions,
  ): Promise<MessageRequest> {
    const { toMessage } = await import('./call-agent.ts')
    const { tenant } = this.#options
    return { tenant, message: toMessage(message, newId), configuration, metadata }
  }

  #iterate(
    createRequest: () => A2ARequest | Promise<A2ARequest>,
    requestId: string,
    signal: AbortSignal | undefined,
  ): AsyncIterableIterator<StreamResponse, undefined> {
    let last: StreamResponse | undefined
    return iterateRun({
      client: this,
      requestId,
      signal,
      log: this.#options,
      createRequest,
      // One that means several things comes with each of them.
      read: ({ source }) => (source === last ? undefined : (last = source)),
    })
  }

  /** A call of which an app wants the answer, which a chat never makes: its code is loaded with the first. */
  async #call<Name extends keyof A2AAnswers>(
    name: Name,
    params: JsonObject,
    { signal }: A2ACallOptions,
  ): Promise<A2AAnswers[Name]> {
    const { callAgent } = await import('./call-agent.ts')
    const { clock } = this.environment
    return callAgent(this.#transport, name, this.#params(params), { signal, clock, timeoutMs: this.#callTimeoutMs })
  }
}

/** `JSONRPC` for an interface of A2A 1.x, `JSONRPC 0.3` for one of 0.3.0. */
function bindingOf({ protocolBinding, protocolVersion = '1.0' }: AgentInterface): string {
  if (protocolVersion.startsWith('1')) return protocolBinding
  return `${protocolBinding} ${protocolVersion.split('.', 2).join('.')}`
}

/**
 * A transport for the interface of a card with the first binding that the card has on a trusted origin: JSON-RPC of A2A 1.x, then those of
 * `bindings` in their order.
 *
 * @throws A2AError `invalid_config` when there is none
 */
function transportFor(
  card: AgentCard,
  { bindings: others = {}, origins = [], ...options }: A2ACardClientOptions,
): { readonly transport: A2ATransport; readonly found: AgentInterface } {
  const { name, supportedInterfaces } = card
  const bindings: A2ABindings = { JSONRPC: jsonRpcTransport, ...others }
  let untrusted: AgentInterface | undefined
  for (const [binding, create] of Object.entries(bindings)) {
    for (const found of supportedInterfaces.filter((each) => bindingOf(each) === binding)) {
      const url = trustedUrl(card, found, origins)
      if (url !== undefined) return { found, transport: create({ ...options, url }) }
      untrusted ??= found
    }
  }
  const named = JSON.stringify(name)
  throw createA2AError({
    kind: 'protocol',
    code: 'invalid_config',
    severity: 'FATAL',
    message:
      untrusted === undefined
        ? `The agent ${named} has no interface for ${Object.keys(bindings).join(' or ')}. Its card names: ${supportedInterfaces.map(bindingOf).join(', ') || 'none'}. Others are named by \`bindings\`.`
        : `The card of the agent ${named} names an interface on another origin than its own: ${JSON.stringify(untrusted.url)}. The key, the headers and the messages would go there, so it is not used. If you trust it, name its origin in \`origins\`.`,
  })
}

/** Options of every `A2AClient`, however its agent is reached. */
interface A2AClientSettings extends RunLog {
  /** Longest silence of a stream, in milliseconds, before it is dropped and resumed. @default 60_000 */
  readonly timeoutMs?: number | undefined
  /** Longest time of a call that is not a stream, in milliseconds. @default 180_000 */
  readonly callTimeoutMs?: number | undefined
  /** Consecutive reconnects without new content or a heartbeat before a run fails. @default 3 */
  readonly maxRetries?: number | undefined
  /** A whole retry policy in place of `maxRetries`. @default `backoff({ maxAttempts: maxRetries })` */
  readonly retry?: RetryPolicy | undefined
  /** How large one answer may become. What is left out has its default. @default the defaults of `AnswerLimits` */
  readonly limits?: AnswerLimits | undefined
  /** Context, configuration and metadata of messages: fixed, or asked for at every message. Absent: none. */
  readonly context?: A2AContextSource | undefined
  /** Whether the agent streams. False: its tasks are polled. @default what the card says; without one, it is tried */
  readonly streaming?: boolean | undefined
  /** Interval of polls in milliseconds, where the agent does not stream. @default 2_000 */
  readonly pollMs?: number | undefined
  /** Readers of further citation extensions, by the URI that is their key in `metadata`. @default {} */
  readonly citations?: CitationReaders | undefined
  /** Of the path of the agent. @default that of its card; without one, none */
  readonly tenant?: string | undefined
  /** Notified of every transition and event, for logs: `createDebugLog()` prints them. Default: no callback. */
  readonly observer?: SessionObserver | undefined
  /** Clock, randomness, network state: replaced in tests. @default the platform's */
  readonly environment?: Partial<Environment> | undefined
}

/** Options of a client that reaches its agent over HTTP. */
export interface A2AHttpClientOptions extends A2AClientSettings, A2AHttpOptions {}

/** Options of a client that reaches its agent as the agent's card says. */
interface A2ACardClientOptions extends A2AHttpClientOptions {
  /**
   * Transports for other bindings than JSON-RPC, which is preferred: `{ 'HTTP+JSON': httpJsonTransport }`, or one of your own for
   * `GRPC`.
   *
   * @default {}
   */
  readonly bindings?: A2ABindings | undefined
  /**
   * Other origins than the card's whose interfaces may be given the key, the headers and the messages, such as
   * `https://api.agent.example`. The card alone cannot name them. For bindings other than HTTP: the address from the card.
   *
   * @default []
   */
  readonly origins?: readonly string[] | undefined
}

/** Options of a client with its own transport. */
export interface A2AClientOptions extends A2AClientSettings {
  /** What carries the calls: `jsonRpcTransport`, `httpJsonTransport`, or one of your own. */
  readonly transport: A2ATransport
}

/** What a call of the client may be given. */
interface A2ACallOptions {
  /** Aborting ends the call, and not the task. Absent: nothing aborts it. */
  readonly signal?: AbortSignal | undefined
}

/** Which page of a list is asked for. */
export interface A2APageOptions extends A2ACallOptions {
  /** Items on a page. Absent: as many as the agent gives. */
  readonly pageSize?: number | undefined
  /** The page after another one, by its `nextPageToken`. Absent: the first. */
  readonly pageToken?: string | undefined
}

/** Options of a message. */
interface A2ASendOptions extends A2ACallOptions {
  /** How the agent processes the message. Default: the agent's. */
  readonly configuration?: SendConfiguration | undefined
  /** Of the request, beside that of the message. Absent: none. */
  readonly metadata?: JsonObject | undefined
}

/** Options of `getTask`. */
export interface A2AGetTaskOptions extends A2ACallOptions {
  /** Messages of its history. Absent: as many as the agent gives. */
  readonly historyLength?: number | undefined
}
