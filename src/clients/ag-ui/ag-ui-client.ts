import { assertNumbers } from '../../base/assert-numbers.ts'
import type { RetryPolicy } from '../../base/backoff.ts'
import { backoff } from '../../base/backoff.ts'
import type { Environment } from '../../base/ports/environment.ts'
import { systemEnvironment } from '../../base/ports/environment.ts'
import { agUiProtocol } from '../../protocols/ag-ui/adapter.ts'
import { createAgUiError } from '../../protocols/ag-ui/errors.ts'
import type { AgUiRequest } from '../../protocols/ag-ui/request.ts'
import type { AgUiEvent } from '../../protocols/ag-ui/schema/event.ts'
import type { ChatInput } from '../../protocols/chat-input.ts'
import type { AgentProtocol } from '../../protocols/protocol.ts'
import type { AgentClient } from '../../session/agent-client.ts'
import type { AnswerLimits } from '../../session/answer-limits.ts'
import { createRetryBudget } from '../../session/retry-budget.ts'
import type { SessionObserver } from '../../session/session-observer.ts'
import { createCredential } from '../../wire/credential.ts'
import { fetchTransport } from '../../wire/fetch-transport.ts'
import type { AgUiClientOptions } from './ag-ui-client-options.ts'
import { createAgUiRequest } from './ag-ui-request.ts'
import { wholeFramesFetch } from './whole-frames-fetch.ts'

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
