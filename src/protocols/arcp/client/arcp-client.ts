import { warnDeveloper } from '../../../base/warn-developer.ts'
import { attempt } from '../../../base/attempt.ts'
import type { JsonObject } from '../../../base/json-object.ts'
import { noop } from '../../../base/noop.ts'
import { onAbort } from '../../../base/on-abort.ts'
import type { ArcpState } from '../fold/arcp-state.ts'
import { loadOnDemand } from '../load-on-demand.ts'
import type { ArcpHandle } from '../read/handle.ts'
import type { ArcpMessage } from '../read/message.ts'
import type { ArcpRequest, ArcpJobBounds } from '../send-command.ts'
import type { ArcpArtifactRef, ArcpFilter } from '../schema/payloads.ts'
import type { CommandResult } from '../../../seam/command.ts'
import type { PromptAnswer } from '../../../seam/prompt.ts'
import type { AgentClient, StopResult } from '../../../session/agent-client.ts'
import type { Connection } from '../../../session/connection.ts'
import { sendCommand } from '../../../session/send-command.ts'
import {
  type ArcpCallOptions,
  type ArcpClientOptions,
  type ArcpInvokeOptions,
  type ArcpPutOptions,
  type ArcpSubscribeOptions,
  type ArcpConnection,
  createArcpConnection,
} from './arcp-connection.ts'
import type { ArcpSubscription, Subscribing, createSubscription, SubscribingOptions } from './arcp-subscription.ts'
import type { ArcpJobFilter, ArcpJobList } from './runtime-calls.ts'
import type { ChatInput } from '../../../seam/chat-input.ts'
import type { AgentError } from '../../../base/agent-error.ts'
import { createArcpError, isUnconfirmedEnd } from '../errors.ts'
import type { Exchange } from '../exchange.ts'
import { openRun } from '../../../session/session.ts'

/** Calls that many pages never make. */
const runtimeCalls = () => loadOnDemand(() => import('./runtime-calls.ts'))

/**
 * A client of one ARCP runtime, of version 1.0 or, as `dialect` says, 1.1: one session over one socket, which carries many jobs. A socket that breaks is replaced once,
 * with all its jobs, and their later messages are replayed. It holds no conversation, so one client serves a whole app.
 *
 * @example
 * ```ts
 * import { ArcpClient, webSocketTransport } from 'capstan/arcp'
 *
 * const arcp = new ArcpClient({
 *   transport: webSocketTransport({ url: 'wss://agent.example/arcp' }),
 *   auth: { scheme: 'bearer', token: async () => 'a token of this user' },
 * })
 * const { value } = await arcp.invoke('summarise', { url: 'https://example.com' }).result
 * console.log(value)
 * ```
 */
export class ArcpClient {
  /** For the runs of this client: what `toolClient` makes an `AgentClient` of. */
  readonly runs: Omit<AgentClient<ArcpRequest, ArcpMessage>, 'createRequest'>
  readonly #own: ArcpConnection
  readonly #hasSortedIds: boolean
  readonly #listeners = new Set<() => void>()
  readonly #messages = new Set<(message: ArcpMessage, requestId: string | undefined) => void>()
  readonly #subscriptions = new Set<Subscribing>()
  #isScheduled = false
  #phase: Connection['phase'] = 'idle'
  #release = noop

  /** @throws ArcpError `invalid_config` when an option cannot work */
  constructor(options: ArcpClientOptions) {
    this.#hasSortedIds = options.dialect !== '1.1'
    this.#own = createArcpConnection(options, {
      onChange: () => this.#schedule(),
      onMessage: (message, requestId) => this.#hear(message, requestId),
      onConnection: (connection) => this.#follow(connection),
    })
    this.runs = this.#own.runs
  }

  /** The state that the runtime has reported: immutable, replaced at every change. */
  getState(): ArcpState {
    return this.#own.exchange.state
  }

  /** State of the connection, which all jobs share. */
  get connection(): Connection {
    return this.#own.shared.connection
  }

  /** How many milliseconds the clock of this device is ahead of the runtime's; 0 until a session was accepted, and for a few seconds of difference. */
  get clockOffsetMs(): number {
    return this.#own.exchange.offsetMs
  }

  /** Calls back when the state or the connection has changed, at most once per frame, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Calls back with each message of the runtime, once and in order, those of extensions too, until the returned function is called. */
  onMessage(listener: (message: ArcpMessage) => void): () => void {
    this.#messages.add(listener)
    return () => void this.#messages.delete(listener)
  }

  /** Opens the connection and keeps it open until `close`. Resolves when the session is accepted. @throws ArcpError */
  async connect({ signal }: ArcpCallOptions = {}): Promise<ArcpState['session']> {
    this.#release()
    this.#own.wake()
    this.#release = this.#own.shared.hold()
    const own = new AbortController()
    const release = signal && onAbort(signal, () => own.abort())
    try {
      await this.#own.exchange.link.ready(own.signal)
      return this.#own.exchange.state.session
    } finally {
      release?.()
    }
  }

  /** Closes the connection. Jobs continue at the runtime; runs that have not ended are left, and can be resumed. */
  close(): void {
    this.#release()
    this.#release = noop
    for (const subscription of this.#subscriptions) subscription.drop()
    this.#own.close()
  }

  /** Starts the next attempt now, while the connection waits for it. */
  retryNow(): void {
    this.#own.shared.retryNow()
  }

  /** Invokes a tool as a job. @param given its arguments */
  invoke(tool: string, given: JsonObject = {}, options: ArcpInvokeOptions = {}): ArcpJobHandle {
    const client = { ...this.runs, createRequest: () => ({ tool, arguments: given }) }
    const { onMessage } = options
    const handle = invokeTool(client, this.#own.exchange, tool, given, {
      ...options,
      onOver: () => void this.#messages.delete(listen),
    })
    const listen = (message: ArcpMessage, requestId: string | undefined): void => {
      if (requestId === handle.requestId) onMessage?.(message)
    }
    if (onMessage !== undefined) this.#messages.add(listen)
    return handle
  }

  /** Asks the runtime to end a job, of any client that shares the session. @throws ArcpError */
  cancelJob(jobId: string): Promise<CommandResult> {
    return sendCommand(this.#runClient(), { type: 'cancel', requestId: jobId, handle: { jobs: [jobId] } })
  }

  /** Interrupts what a job does, so that it asks the user. @throws ArcpError */
  interruptJob(jobId: string): Promise<CommandResult> {
    return sendCommand(this.#runClient(), { type: 'interrupt', requestId: jobId, handle: { jobs: [jobId] } })
  }

  /**
   * Answers a question by its id: `value` to one that asks for input, `option` with the id of a choice, `option` with `grant` or
   * `decline` to a permission. `invalid` says what was wrong with a value, and the question stays open.
   *
   * @param prompt its id; of a question that a subscription has shown, its message
   * @param answerId the same for the same answer, which then counts once. Absent: a new one
   * @throws ArcpError that is retryable when nobody knows whether it arrived
   */
  answer(
    prompt: string | ArcpMessage,
    answer: PromptAnswer,
    answerId: string = this.runs.environment.uuid(),
  ): Promise<CommandResult> {
    const promptId = typeof prompt === 'string' ? prompt : prompt.id
    const handle = typeof prompt === 'string' ? undefined : askedBy(prompt)
    return sendCommand(this.#runClient(), { type: 'answer', requestId: promptId, promptId, answerId, answer, handle })
  }

  /** Grants a permission. @param leaseSeconds for how long. Absent: as long as was asked for. @throws ArcpError */
  grant(promptId: string, leaseSeconds?: number): Promise<CommandResult> {
    return this.answer(promptId, { type: 'option', optionId: 'grant', edits: { leaseSeconds } })
  }

  /** Asks for a lease to be extended, to `seconds` from now on. Resolves with its new end, in the notation of RFC 3339. @throws ArcpError */
  async refreshLease(leaseId: string, seconds: number, options: ArcpCallOptions = {}): Promise<string> {
    return (await runtimeCalls()).refreshLease(this.#own, leaseId, seconds, options)
  }

  /**
   * Gives a lease back before its time has expired. The RFC has no word for it: `unsupported` where the runtime does not take it.
   * @throws ArcpError that is retryable when nobody knows whether it arrived
   */
  revokeLease(leaseId: string): Promise<CommandResult> {
    const changeId = this.runs.environment.uuid()
    const change = { type: 'revoke' } as const
    return sendCommand(this.#runClient(), { type: 'lease', requestId: leaseId, leaseId, changeId, change })
  }

  /** Subscribes to messages, also of jobs that others have begun. It continues over connections until it is closed. */
  subscribe(filter: ArcpFilter, options: ArcpSubscribeOptions): ArcpSubscription {
    const release = this.#own.shared.hold()
    const subscription = openSubscription({
      ...options,
      filter,
      writer: this.#own.writer,
      environment: this.runs.environment,
      hasSortedIds: this.#hasSortedIds,
      load: () => loadOnDemand(() => import('./arcp-subscription.ts')),
      isConnected: () => this.#phase === 'streaming',
      call: (call) => this.#own.call(call),
      onOver: () => {
        this.#subscriptions.delete(subscription)
        release()
      },
    })
    this.#subscriptions.add(subscription)
    return subscription
  }

  /** Lists jobs that the user may know of, also those of other sessions. In dialect 1.1. @throws ArcpError */
  async listJobs(filter: ArcpJobFilter = {}): Promise<ArcpJobList> {
    return (await runtimeCalls()).listJobs(this.#own, filter)
  }

  /** Stores an artifact. @throws ArcpError */
  async putArtifact(content: string | Uint8Array, options: ArcpPutOptions): Promise<ArcpArtifactRef> {
    return (await runtimeCalls()).putArtifact(this.#own, content, options)
  }

  /** Fetches the content of an artifact. @throws ArcpError `not_found` when it has expired or was released */
  async fetchArtifact(
    artifactId: string,
    options: ArcpCallOptions = {},
  ): Promise<{ readonly mediaType: string; readonly content: Uint8Array }> {
    return (await runtimeCalls()).fetchArtifact(this.#own, artifactId, options)
  }

  /** Releases an artifact: it can be fetched no more. @throws ArcpError */
  async releaseArtifact(artifactId: string, options: ArcpCallOptions = {}): Promise<void> {
    return (await runtimeCalls()).releaseArtifact(this.#own, artifactId, options)
  }

  /**
   * Sends a message of an extension, named as `arcpx.vendor.name.v1` or `com.vendor.name.v1`. Resolves when the runtime has read it.
   * @throws ArcpError what the runtime refused it with
   */
  async sendExtension(name: string, payload: JsonObject, options: ArcpCallOptions = {}): Promise<void> {
    return (await runtimeCalls()).sendExtension(this.#own, name, payload, options)
  }

  #runClient(): AgentClient<ArcpRequest, ArcpMessage> {
    this.#own.wake()
    return { ...this.runs, createRequest: () => ({ tool: '', arguments: {} }) }
  }

  #follow(connection: Connection): void {
    const isNew = connection.phase === 'streaming' && this.#phase !== 'streaming'
    this.#phase = connection.phase
    if (isNew) for (const subscription of this.#subscriptions) subscription.renew()
    this.#schedule()
  }

  #hear(message: ArcpMessage, requestId: string | undefined): void {
    for (const subscription of this.#subscriptions) subscription.hear(message)
    for (const listener of this.#messages) attempt(this.runs.environment.report, () => listener(message, requestId))
  }

  #schedule(): void {
    if (this.#isScheduled || this.#listeners.size === 0) return
    this.#isScheduled = true
    this.runs.environment.frames.next(() => {
      this.#isScheduled = false
      for (const listener of this.#listeners) attempt(this.runs.environment.report, listener)
    })
  }
}

/** A question of a job that belongs to others, as the handle of that job has it. */
function askedBy({ id, type, payload }: ArcpMessage): ArcpHandle {
  const kind = type === 'human.input.request' ? 'input' : type === 'permission.request' ? 'permission' : 'choice'
  return { prompts: { [id]: { ...payload, kind } } }
}

/** What the module of subscriptions exports. */
interface SubscriptionModule {
  readonly createSubscription: typeof createSubscription
}

interface OpenSubscriptionOptions extends SubscribingOptions {
  /** Loads it: many pages subscribe to nothing. */
  load(): Promise<SubscriptionModule>
  /** Whether `renew` was called for the connection that is open: it is asked on that one. */
  isConnected(): boolean
}

/** A subscription whose code is loaded with the first one. */
function openSubscription(options: OpenSubscriptionOptions): Subscribing {
  let loaded: Subscribing | undefined
  let isClosed = false

  async function begin(): Promise<string> {
    try {
      const { createSubscription } = await options.load()
      if (isClosed) return ''
      loaded = createSubscription(options)
    } catch (error) {
      options.onOver()
      throw error
    }
    if (options.isConnected()) loaded.renew()
    return loaded.accepted
  }

  function leave(how: 'close' | 'drop'): void {
    if (loaded !== undefined) return loaded[how]()
    if (!isClosed) options.onOver()
    isClosed = true
  }

  const accepted = begin()
  accepted.catch(noop)
  return {
    accepted,
    renew: () => loaded?.renew(),
    hear: (message) => loaded?.hear(message),
    close: () => leave('close'),
    drop: () => leave('drop'),
  }
}

interface ToolClientOptions {
  /** The tool that answers. */
  readonly tool: string
  /**
   * Its arguments, made from the user's message. ARCP has no other place for the metadata of a message or of `regenerate`: the tool
   * receives what this puts into its arguments. In development a warning says when `metadata` was given and not read.
   */
  toArguments(input: ChatInput): JsonObject | Promise<JsonObject>
  /** What a job may do, cost and take, in dialect 1.1. Absent: what the runtime allows. */
  readonly bounds?: ArcpJobBounds | undefined
}

/**
 * A chat with a tool: each message invokes it as a job, and what the job streams as text is the answer. Its questions are prompts,
 * stopping the answer cancels it. All chats and jobs of an `ArcpClient` share its connection.
 *
 * @example
 * ```ts
 * import { ArcpClient, toolClient, webSocketTransport } from 'capstan/arcp'
 *
 * const arcp = new ArcpClient({ transport: webSocketTransport({ url: 'wss://agent.example/arcp' }) })
 * const client = toolClient(arcp, { tool: 'assistant', toArguments: ({ text }) => ({ question: text }) })
 * console.log(client.timeoutMs)
 * ```
 */
export function toolClient(
  arcp: ArcpClient,
  { tool, toArguments, bounds }: ToolClientOptions,
): AgentClient<ArcpRequest, ArcpMessage> {
  let make = toArguments
  try {
    if (process.env.NODE_ENV !== 'production') make = watchMetadata(tool, toArguments)
  } catch {
    // A page without a bundler: nothing says that it is in development.
  }
  return {
    ...arcp.runs,
    async createRequest(input) {
      return { tool, arguments: await make(input), idempotencyKey: input.requestId, bounds }
    },
  }
}

/** Replaced by bundlers; absent on a page without one. */
declare const process: { readonly env: { readonly NODE_ENV?: string | undefined } }

/** Development only: warns when metadata was sent that the arguments are made without. */
function watchMetadata(tool: string, toArguments: ToolClientOptions['toArguments']): ToolClientOptions['toArguments'] {
  return async (input) => {
    const { metadata } = input
    let isRead = metadata === undefined
    const watched = {
      enumerable: true,
      get() {
        isRead = true
        return metadata
      },
    }
    // Descriptors, not values: the history is made when it is read. They have every member of the input.
    const given = Object.defineProperties({} as ChatInput, {
      ...Object.getOwnPropertyDescriptors(input),
      metadata: watched,
    })
    const made = await toArguments(given)
    if (!isRead)
      warnDeveloper(
        `A message to the tool ${JSON.stringify(tool)} has metadata, and toArguments does not read it, so the tool did not receive it. Put input.metadata into the arguments, as the tool wants it.`,
      )
    return made
  }
}

/** What a tool gave: a value, or an artifact that holds it. Neither: nothing. */
export interface ArcpResult {
  readonly value?: unknown
  readonly ref?: ArcpArtifactRef | undefined
}

/** A job that was invoked here. Its progress, streams and questions are in the state of the client, under its id. */
export interface ArcpJobHandle {
  /** Names the run, also before the runtime has named the job. */
  readonly requestId: string
  /** Resolves with the id of the job when the runtime has accepted it. Rejects when it never does. */
  readonly accepted: Promise<string>
  /**
   * Resolves with what the tool gave. Rejects with an ArcpError when the job failed or was cancelled: `agentCode` is `CANCELLED` once the
   * runtime has confirmed that, and `ABORTED` when it has not, so that the job may still be working.
   */
  readonly result: Promise<ArcpResult>
  /** Asks the runtime to end the job, and waits for no more of it. Resolves with what is known of that. Never rejects. */
  cancel(): Promise<StopResult>
  /** Interrupts what the job does, so that it asks the user. */
  interrupt(): Promise<CommandResult>
}

const CANCELLED = {
  kind: 'runtime',
  code: 'agent_error',
  severity: 'FATAL',
  message: 'The job was cancelled.',
  agentCode: 'CANCELLED',
} as const

const LEFT = {
  ...CANCELLED,
  message:
    'Nobody waits for the job any more. The runtime has not confirmed that it has ended, so it may still be working.',
  agentCode: 'ABORTED',
} as const

interface InvokingOptions extends Omit<ArcpInvokeOptions, 'onMessage'> {
  /** Called when nothing more comes of the job. */
  onOver(): void
}

/** Invokes a tool as its own run. */
function invokeTool(
  client: AgentClient<ArcpRequest, ArcpMessage>,
  exchange: Exchange,
  tool: string,
  given: JsonObject,
  { signal, onOver, ...options }: InvokingOptions,
): ArcpJobHandle {
  const requestId = client.environment.uuid()
  const request: ArcpRequest = {
    tool,
    arguments: given,
    ...options,
    idempotencyKey: options.idempotencyKey ?? requestId,
  }
  let jobId: string | undefined
  let isStopped = false
  let accept: { resolve(id: string): void; reject(error: unknown): void } | undefined
  let settle: { resolve(result: ArcpResult): void; reject(error: unknown): void } | undefined
  const accepted = new Promise<string>((resolve, reject) => {
    accept = { resolve, reject }
  })
  const result = new Promise<ArcpResult>((resolve, reject) => {
    settle = { resolve, reject }
  })
  // Callers that use neither get no unhandled rejection.
  accepted.catch(() => undefined)
  result.catch(() => undefined)

  const session = openRun({
    client,
    request,
    requestId,
    onEvents(events) {
      if (jobId !== undefined || events.length === 0) return
      jobId = exchange.jobOf(requestId)
      if (jobId !== undefined) accept?.resolve(jobId)
    },
    onEnded(ending) {
      release?.()
      onOver()
      const job = exchange.job(jobId)
      if (ending.type === 'finished' && ending.outcome !== 'cancelled') settle?.resolve(job?.result ?? {})
      else if (ending.type === 'failed') fail(ending.error)
      else if (ending.type === 'finished') fail(createArcpError(CANCELLED))
      else if (!isStopped) fail(createArcpError(LEFT))
    },
  })

  function fail(error: AgentError): void {
    accept?.reject(error)
    settle?.reject(error)
  }

  /** The first end holds: a job that has ended before is not cancelled any more. */
  async function cancel(): Promise<StopResult> {
    isStopped = true
    const stop = await session.stop()
    // A run that has failed has ended, and its tool perhaps not.
    const known = isUnconfirmedEnd(exchange.job(jobId)?.error?.code) ? 'left' : stop
    fail(createArcpError(known === 'cancelled' ? CANCELLED : LEFT))
    return known
  }
  const release = signal && onAbort(signal, () => void cancel())
  if (signal?.aborted !== true) session.start()

  return {
    requestId,
    accepted,
    result,
    cancel,
    interrupt: () => sendCommand(client, { type: 'interrupt', requestId, handle: exchange.handleOf(requestId) }),
  }
}
