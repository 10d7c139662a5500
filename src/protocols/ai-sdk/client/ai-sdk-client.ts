import { assertNumbers } from '../../../base/assert-options.ts'
import { type RetryPolicy, backoff } from '../../../base/backoff.ts'
import { type Environment, systemEnvironment } from '../../../base/ports/environment.ts'
import { type ChatUrl, aiSdkProtocol } from '../adapter.ts'
import { createAiSdkError } from '../errors.ts'
import type { AiSdkRequest } from '../request.ts'
import type { UiMessageChunk } from '../chunks.ts'
import type { ChatInput } from '../../../seam/chat-input.ts'
import type { AgentProtocol } from '../../../seam/protocol.ts'
import { type AgentClient, createRetryBudget, type SessionObserver } from '../../../session/agent-client.ts'
import type { AnswerLimits } from '../../../session/stream-ledger.ts'
import { createCredential, type ApiKey, type HeaderSource } from '../../../wire/credential.ts'
import { fetchTransport, type Fetch } from '../../../wire/fetch-transport.ts'
import { createAiSdkRequest, type AiSdkBody, type AiSdkCall } from './ai-sdk-request.ts'
import { eventStreamFetch } from './text-stream-fetch.ts'
import type { JsonObject } from '../../../base/json-object.ts'
import type { ClientTool } from '../call-prompt.ts'

/**
 * A client of a server that speaks the UI message stream of the AI SDK 5, 6 or 7, as `toUIMessageStreamResponse()` writes it. Posts each
 * message once, resumes the stream of the chat where the server keeps one, and counts an answer as complete only when its server says so.
 * It holds no conversation, so one client serves a whole app.
 *
 * @example
 * ```tsx
 * import { AiSdkClient } from 'capstan/ai-sdk'
 * import { Chat } from 'capstan/components'
 * import { AgentProvider } from 'capstan/react'
 *
 * const client = new AiSdkClient({ api: '/api/chat' })
 * export const App = () => <AgentProvider client={client}><Chat /></AgentProvider>
 * ```
 */
export class AiSdkClient implements AgentClient<AiSdkRequest, UiMessageChunk> {
  readonly protocol: AgentProtocol<AiSdkRequest, UiMessageChunk>
  readonly retry: RetryPolicy
  readonly timeoutMs: number
  readonly environment: Environment
  readonly budget = createRetryBudget()
  readonly limits: AnswerLimits | undefined
  readonly observer: SessionObserver | undefined
  readonly #options: AiSdkClientOptions

  /** @throws AiSdkError `invalid_config` when an option cannot work */
  constructor(options: AiSdkClientOptions = {}) {
    const { api = '/api/chat', timeoutMs = 60_000, maxRetries = 3, mode = 'tolerant', clientTools = {} } = options
    assertNumbers(createAiSdkError, { timeoutMs }, { maxRetries }, options.limits)
    const { maxFrameBytes } = options
    const fetch = eventStreamFetch(options.fetch)
    this.#options = options
    this.protocol = aiSdkProtocol({
      transport: fetchTransport({ fetch, maxFrameBytes }),
      credential: createCredential(options.apiKey),
      headers: options.headers,
      api,
      resumeUrl: resumeUrlOf(api, options),
      stopUrl: options.stopUrl,
      isTolerant: mode === 'tolerant',
      namesRuns: options.namesRuns ?? /^\/(?!\/)/.test(api),
      clientTools,
    })
    this.retry = options.retry ?? backoff({ maxAttempts: maxRetries })
    this.timeoutMs = timeoutMs
    this.limits = options.limits
    this.observer = options.observer
    this.environment = { ...systemEnvironment, ...options.environment }
  }

  createRequest(input: ChatInput): Promise<AiSdkRequest> {
    return createAiSdkRequest(input, this.#options)
  }
}

function resumeUrlOf(api: string, { resumeUrl }: AiSdkClientOptions): ChatUrl | undefined {
  if (resumeUrl === false) return undefined
  return resumeUrl ?? ((chatId) => `${api.replace(/\/+$/, '')}/${encodeURIComponent(chatId)}/stream`)
}

/** Options of an `AiSdkClient`. */
export interface AiSdkClientOptions {
  /** Where messages are posted: absolute, or a path on the page's own origin. @default '/api/chat' */
  readonly api?: string | undefined
  /** Credential for `Authorization: Bearer`, or a function that gets one, asked before every attempt. Absent: none. */
  readonly apiKey?: ApiKey | undefined
  /** Extra request headers, or a function that makes them, asked before every attempt. Absent: none. */
  readonly headers?: HeaderSource | undefined
  /** Added to the body of every request: fixed, or asked for at each. `id`, `messages` and `trigger` win. Absent: nothing is added. */
  readonly body?: AiSdkBody | undefined
  /** What of the conversation goes along: `messages` with all of it, or `message` with the last alone. @default 'all' */
  readonly history?: 'all' | 'last' | undefined
  /** Makes the whole body, in place of `body` and `history`. Absent: the body is that of the AI SDK. */
  readonly prepareBody?: ((call: AiSdkCall, input: ChatInput) => JsonObject | Promise<JsonObject>) | undefined
  /**
   * Where the stream of a chat is resumed by GET after a dropped connection. False: the server keeps no streams.
   *
   * @default `{api}/{id}/stream`
   */
  readonly resumeUrl?: ChatUrl | false | undefined
  /**
   * Whether requests say by the header `X-Run-Id` which run of their chat they are about. A server that keeps streams by run, as
   * `createAgentProxy` does, then never gives an older answer for this one. A server of another origin has to allow the header.
   *
   * @default true where `api` is a path on the page's own origin
   */
  readonly namesRuns?: boolean | undefined
  /** Where the run of a chat is stopped by POST. The AI SDK has no endpoint for that. Absent: a stopped run is left, and may continue. */
  readonly stopUrl?: ChatUrl | undefined
  /**
   * What counts as the end of an answer. `strict`: the chunk `finish`. `tolerant`: `[DONE]` as well, when every part is closed; LangChain
   * and LlamaIndex send only this.
   *
   * @default 'tolerant'
   */
  readonly mode?: 'strict' | 'tolerant' | undefined
  /** Tools without a function on the server, by name: what their outputs look like, and how the user is asked. @default {} */
  readonly clientTools?: Readonly<Record<string, ClientTool>> | undefined
  /** Longest silence of a stream, in milliseconds, before it is dropped and resumed. @default 60_000 */
  readonly timeoutMs?: number | undefined
  /** Consecutive reconnects without new content or a heartbeat before a run fails. @default 3 */
  readonly maxRetries?: number | undefined
  /** A whole retry policy in place of `maxRetries`. @default `backoff({ maxAttempts: maxRetries })` */
  readonly retry?: RetryPolicy | undefined
  /** Another fetch than the platform's. @default the global `fetch`, looked up at each call */
  readonly fetch?: Fetch | undefined
  /** Longest single chunk, in bytes of UTF-8. @default 10_000_000 */
  readonly maxFrameBytes?: number | undefined
  /** How large one answer may become. What is left out has its default. @default the defaults of `AnswerLimits` */
  readonly limits?: AnswerLimits | undefined
  /** Notified of every transition and event, for logs: `createDebugLog()` prints them. Default: no callback. */
  readonly observer?: SessionObserver | undefined
  /** Clock, randomness, network state: replaced in tests. @default the platform's */
  readonly environment?: Partial<Environment> | undefined
}
