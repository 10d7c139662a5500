import { assertNumbers } from '../../../base/assert-options.ts'
import type { RetryPolicy } from '../../../base/backoff.ts'
import { backoff } from '../../../base/backoff.ts'
import type { Environment } from '../../../base/ports/environment.ts'
import { systemEnvironment } from '../../../base/ports/environment.ts'
import type { ChatUrl } from '../adapter.ts'
import { aiSdkProtocol } from '../adapter.ts'
import { createAiSdkError } from '../errors.ts'
import type { AiSdkRequest } from '../request.ts'
import type { UiMessageChunk } from '../chunks.ts'
import type { ChatInput } from '../../../seam/chat-input.ts'
import type { AgentProtocol } from '../../../seam/protocol.ts'
import { type AgentClient, createRetryBudget, type SessionObserver } from '../../../session/agent-client.ts'
import type { AnswerLimits } from '../../../session/answer-limits.ts'
import { createCredential } from '../../../wire/credential.ts'
import { fetchTransport } from '../../../wire/fetch-transport.ts'
import type { AiSdkClientOptions } from './ai-sdk-client-options.ts'
import { createAiSdkRequest } from './ai-sdk-request.ts'
import { eventStreamFetch } from './event-stream-fetch.ts'

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
