import type { Environment } from '../base/environment.ts'
import type { AgentProtocol, ChatInput } from '../protocols/protocol.ts'
import type { AnswerLimits } from './answer-limits.ts'
import type { RetryBudget } from './retry-budget.ts'
import type { RetryPolicy } from '../base/backoff.ts'

/** What a chat needs to reach an agent, whatever protocol it speaks. Clients are long-lived and hold no conversation. */
export interface AgentClient<Request = unknown, Source = unknown> {
  readonly protocol: AgentProtocol<Request, Source>
  readonly retry: RetryPolicy
  /** Longest silence on the line, in milliseconds, before it counts as dropped. */
  readonly timeoutMs: number
  readonly environment: Environment
  /** Shared by all runs of the client: when it is empty, attempts come late. */
  readonly budget?: RetryBudget | undefined
  /** How large one answer may become; the defaults hold for what is left out. */
  readonly limits?: AnswerLimits | undefined
  /** Turns what a person said into a request of the protocol. Called once per run; retries repeat the same request. */
  createRequest(input: ChatInput): Request | Promise<Request>
}
