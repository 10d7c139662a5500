import type { Environment } from '../base/ports/environment.ts'
import type { AgentProtocol } from '../seam/protocol.ts'
import type { ChatInput } from '../seam/chat-input.ts'
import type { AnswerLimits } from './answer-limits.ts'
import type { RetryBudget } from './retry-budget.ts'
import type { RetryPolicy } from '../base/backoff.ts'
import type { Session } from './session.ts'
import type { SessionObserver } from './session-observer.ts'
import type { SessionOptions } from './session-options.ts'

/** What a chat needs to reach an agent, whatever protocol it speaks. Clients are long-lived and hold no conversation. */
export interface AgentClient<Request = unknown, Source = unknown> {
  readonly protocol: AgentProtocol<Request, Source>
  readonly retry: RetryPolicy
  /** Longest silence on the connection, in milliseconds, before it counts as dropped. */
  readonly timeoutMs: number
  readonly environment: Environment
  /** Shared by all runs of the client: when it is empty, attempts come late. */
  readonly budget?: RetryBudget | undefined
  /** How large one answer may become; the defaults hold for what is left out. */
  readonly limits?: AnswerLimits | undefined
  /** Notified of every transition and packet of the client's runs, for logs. */
  readonly observer?: SessionObserver | undefined
  /** Opens a run on a connection that the client shares between its runs. Absent: each run has connections of its own. */
  openRun?(options: SessionOptions<Request, Source>): Session
  /** Turns what a user said into a request of the protocol. Called once per run; retries repeat the same request. */
  createRequest(input: ChatInput): Request | Promise<Request>
}
