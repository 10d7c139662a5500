import { assertNumbers } from '../../../base/assert-options.ts'
import { type RetryPolicy, backoff } from '../../../base/backoff.ts'
import { type Environment, systemEnvironment } from '../../../base/ports/environment.ts'
import { agUiProtocol, type AgUiRun } from '../adapter.ts'
import { createAgUiError } from '../errors.ts'
import type { AgUiRequest, AgUiRunInput } from '../request.ts'
import type { AgUiEvent } from '../events.ts'
import type { ChatInput, HistoryMessage } from '../../../seam/chat-input.ts'
import type { AgentProtocol } from '../../../seam/protocol.ts'
import { type AgentClient, createRetryBudget, type SessionObserver } from '../../../session/agent-client.ts'
import type { AnswerLimits } from '../../../session/stream-ledger.ts'
import { createCredential, type ApiKey, type HeaderSource } from '../../../wire/credential.ts'
import { fetchTransport, type Fetch, mediaTypeOf } from '../../../wire/fetch-transport.ts'
import { UNENDED_FRAME } from '../read-stream.ts'
import { readHandle } from '../handle.ts'
import type { PageTool } from '../interrupt-prompt.ts'
import { sharedIn } from '../../../seam/shared-in.ts'
import type { Answers } from './answers.ts'
import { isForeign, settledThread, toThread } from './thread-messages.ts'
import type { JsonObject } from '../../../base/json-object.ts'
import type { CustomPart } from '../run-reading.ts'

type RequestOptions = Pick<AgUiClientOptions, 'tools' | 'context' | 'state' | 'forwardedProps' | 'prepareInput'>

/** Its interrupts come with the end of a run. */
const UNREAD_QUESTION = {
  kind: 'protocol',
  code: 'invalid_request',
  severity: 'FATAL',
  message: 'Nothing was sent: the run that asks was not read to its end, so it cannot be answered.',
} as const

const NO_ANSWERS: Answers = { resume: [], results: [], answered: {} }

/** The outputs of a tool of the page may be anything, the arguments an object. */
const ANY_ARGUMENTS = { type: 'object', properties: {} }

/**
 * A user's message, the thread before it and the state, as an AG-UI request. Every interrupt of the previous run is answered: with
 * the user's answer, else it is cancelled.
 */
async function createAgUiRequest(input: ChatInput, options: RequestOptions): Promise<AgUiRequest> {
  const { text, files = [], conversationId: threadId, requestId: runId, history = [], isRegeneration = false } = input
  const last = history.at(-1)
  const before = last?.role === 'assistant' ? readHandle(last.handle) : undefined
  const isNew = !isRegeneration && (text !== '' || files.length > 0)
  const asked = before?.interrupts ?? []
  // A message in place of an answer: an unanswered call gets a result that says so, and is not continued.
  const interrupts = isNew ? asked.filter(({ toolCallId }) => toolCallId === undefined) : asked
  const waiting = new Set(interrupts.flatMap(({ toolCallId }) => toolCallId ?? []))
  // What answers is loaded with the first answer.
  const { resume, command, results, answered } =
    before !== undefined && (!isNew || interrupts.length > 0)
      ? (await import('./answers.ts')).answerInterrupts(before, interrupts, isNew ? [] : history)
      : NO_ANSWERS
  if (input.answers !== undefined && resume.length + results.length === 0 && command === undefined)
    throw createAgUiError(UNREAD_QUESTION)
  // The same id whenever this message is sent.
  const question: HistoryMessage = { id: `user-${runId}`, role: 'user', parts: [{ type: 'text', id: '', text }], files }
  const all = isNew ? [...history, question] : history
  const foreign = all.some(isForeign) ? (await import('./foreign-messages.ts')).foreignMessages : undefined
  const known = new Map(results.map((result) => [result.toolCallId, result]))
  const thread = toThread(all, foreign).flatMap((message) => [
    message,
    ...(message.toolCalls ?? []).flatMap(({ id }) => known.get(id) ?? []),
  ])
  const messages = settledThread(thread, (id) => waiting.has(id))
  const { current, edit } = await sharedIn(input)
  const state = current === undefined ? await stateOf(input, options.state) : current.state
  const forwarded = await resolve(options.forwardedProps, input)
  const body: AgUiRunInput = {
    threadId,
    runId,
    protocolVersion: '1.0',
    ...(before !== undefined && resume.length > 0 && { parentRunId: before.runId }),
    messages,
    state,
    tools: toolsOf(options.tools),
    context: (await resolve(options.context, input)) ?? [],
    forwardedProps: {
      ...forwarded,
      // Under a name of its own: a key of an app must not be one that the agent takes for a command.
      ...(input.metadata && { metadata: Object.assign({}, forwarded?.['metadata'], input.metadata) }),
      ...(command && { command }),
    },
    ...(resume.length > 0 && { resume }),
  }
  const prepared = (await options.prepareInput?.(body, input)) ?? body
  return { body: prepared, answered, results: results.length, ...(edit && { stateEdit: edit.id }) }
}

async function resolve<Value>(source: PerRun<Value> | undefined, input: ChatInput): Promise<Value | undefined> {
  // What is sent cannot be a function.
  return typeof source === 'function' ? (source as (from: ChatInput) => Value | Promise<Value>)(input) : source
}

/** For answers stored without a state part: the agent's last state, else the app's initial one. */
async function stateOf(input: ChatInput, initial: unknown): Promise<unknown> {
  const { history = [] } = input
  for (const { handle } of history.toReversed()) {
    const known = readHandle(handle)
    if (known !== undefined && 'state' in known) return known.state
  }
  // A state cannot be a function.
  return (typeof initial === 'function' ? await (initial as (from: ChatInput) => unknown)(input) : initial) ?? {}
}

function toolsOf(tools: Readonly<Record<string, PageTool>> = {}): AgUiRunInput['tools'] {
  return Object.entries(tools).map(([name, { description, parameters = ANY_ARGUMENTS }]) => ({
    name,
    description,
    parameters,
  }))
}

/**
 * A client of an agent that speaks AG-UI 1.0, as those of TanStack AI, Pydantic AI, LangGraph, CopilotKit and Mastra do. Posts each run
 * once, resumes it where the server numbers its frames and keeps a log, and counts an answer as complete only when its server says so.
 * It holds no conversation, so one client serves a whole app.
 *
 * @example
 * ```tsx
 * import { AgUiClient } from 'capstan/ag-ui'
 * import { Chat } from 'capstan/components'
 * import { AgentProvider } from 'capstan/react'
 *
 * const client = new AgUiClient({ url: '/api/agent' })
 * export const App = () => <AgentProvider client={client}><Chat /></AgentProvider>
 * ```
 */
export class AgUiClient implements AgentClient<AgUiRequest, AgUiEvent> {
  readonly protocol: AgentProtocol<AgUiRequest, AgUiEvent>
  readonly retry: RetryPolicy
  readonly timeoutMs: number
  readonly environment: Environment
  readonly budget = createRetryBudget()
  readonly limits: AnswerLimits | undefined
  readonly observer: SessionObserver | undefined
  readonly #options: AgUiClientOptions

  /** @throws AgUiError `invalid_config` when an option cannot work */
  constructor(options: AgUiClientOptions) {
    const {
      url,
      timeoutMs = 60_000,
      maxRetries = 3,
      mode = 'tolerant',
      resume = 'get',
      tools = {},
      custom = {},
    } = options
    assertNumbers(createAgUiError, { timeoutMs }, { maxRetries }, options.limits)
    const { maxFrameBytes } = options
    this.#options = options
    this.protocol = agUiProtocol({
      transport: fetchTransport({ fetch: wholeFramesFetch(options.fetch), maxFrameBytes }),
      credential: createCredential(options.apiKey),
      headers: options.headers,
      url,
      resume,
      stopUrl: options.stopUrl,
      isStrict: mode === 'strict',
      tools,
      custom,
    })
    this.retry = options.retry ?? backoff({ maxAttempts: maxRetries })
    this.timeoutMs = timeoutMs
    this.limits = options.limits
    this.observer = options.observer
    this.environment = { ...systemEnvironment, ...options.environment }
  }

  createRequest(input: ChatInput): Promise<AgUiRequest> {
    return createAgUiRequest(input, this.#options)
  }
}

/**
 * A fetch whose event streams end with whole frames. Some servers leave the blank line behind the last frame out, and without it a frame
 * does not count; the type of the frame says that it was ended here, since it may also have been cut.
 */
function wholeFramesFetch(fetch: Fetch | undefined): Fetch {
  return async (url, init) => {
    const response = await (fetch ?? globalThis.fetch)(url, init)
    const isStream = mediaTypeOf(response.headers.get('content-type')) === 'text/event-stream'
    if (!response.ok || !isStream || response.body === null) return response
    const { status, statusText, headers } = response
    const end = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      flush: (controller) => controller.enqueue(new TextEncoder().encode(`\nevent: ${UNENDED_FRAME}\n\n`)),
    })
    return new Response(response.body.pipeThrough(end), { status, statusText, headers })
  }
}

/** Something that is asked for at every run, or fixed. */
type PerRun<Value> = Value | ((input: ChatInput) => Value | Promise<Value>)

/** Options of an `AgUiClient`. */
export interface AgUiClientOptions {
  /** Where runs are posted: absolute, or a path on the page's own origin. */
  readonly url: string
  /** Credential for `Authorization: Bearer`, or a function that gets one, asked before every attempt. Absent: none. */
  readonly apiKey?: ApiKey | undefined
  /** Extra request headers, or a function that makes them, asked before every attempt. Absent: none. */
  readonly headers?: HeaderSource | undefined
  /** Tools of the page by name, offered with every run: their outputs are asked of the user, or given by the app. @default {} */
  readonly tools?: Readonly<Record<string, PageTool>> | undefined
  /** What the agent is told about the page. @default [] */
  readonly context?: PerRun<AgUiRunInput['context']> | undefined
  /** The state that a thread begins with: any JSON, or a function that makes it. @default {} */
  readonly state?: unknown
  /** Passed on to the agent unchanged; metadata of a message is added as its `metadata`, key by key. @default {} */
  readonly forwardedProps?: PerRun<JsonObject> | undefined
  /** Changes the whole body before it is posted. Absent: it is that of AG-UI 1.0. */
  readonly prepareInput?: ((input: AgUiRunInput, from: ChatInput) => AgUiRunInput | Promise<AgUiRunInput>) | undefined
  /** Shows events `CUSTOM` of the server by name, each as a part of its answer. @default {} */
  readonly custom?: Readonly<Record<string, CustomPart>> | undefined
  /**
   * How a run is resumed after a dropped connection, where the server numbers its frames. `get`: GET with `?runId=…` and
   * `Last-Event-ID`. `post`: the same POST with `Last-Event-ID`, only for servers that never run an id twice. False: not at all.
   *
   * @default 'get'
   */
  readonly resume?: 'get' | 'post' | false | undefined
  /**
   * Where a run is stopped by POST with its `runId`, and with its `threadId` where the address does not name it. AG-UI has no endpoint
   * for that. Absent: a stopped run is left, and may continue.
   */
  readonly stopUrl?: ((run: AgUiRun) => string) | undefined
  /**
   * How the stream is read. `strict`: by the letter of AG-UI 1.0. `tolerant`: with what servers are known to do otherwise.
   *
   * @default 'tolerant'
   */
  readonly mode?: 'strict' | 'tolerant' | undefined
  /** Longest silence of a stream, in milliseconds, before it is dropped and resumed. @default 60_000 */
  readonly timeoutMs?: number | undefined
  /** Consecutive reconnects without new content or a heartbeat before a run fails. @default 3 */
  readonly maxRetries?: number | undefined
  /** A whole retry policy in place of `maxRetries`. @default `backoff({ maxAttempts: maxRetries })` */
  readonly retry?: RetryPolicy | undefined
  /** Another fetch than the platform's. @default the global `fetch`, looked up at each call */
  readonly fetch?: Fetch | undefined
  /** Longest single event, in bytes of UTF-8. @default 10_000_000 */
  readonly maxFrameBytes?: number | undefined
  /** How large one answer may become. What is left out has its default. @default the defaults of `AnswerLimits` */
  readonly limits?: AnswerLimits | undefined
  /** Notified of every transition and event, for logs: `createDebugLog()` prints them. Default: no callback. */
  readonly observer?: SessionObserver | undefined
  /** Clock, randomness, network state: replaced in tests. @default the platform's */
  readonly environment?: Partial<Environment> | undefined
}
