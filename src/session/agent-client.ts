import type { Environment } from '../base/environment.ts'
import type { AgentProtocol, ChatInput } from '../protocols/protocol.ts'
import type { RetryPolicy } from './retry-policy.ts'

/** What a chat needs to reach an agent, whatever protocol it speaks. Clients are long-lived and hold no conversation. */
export interface AgentClient<Request = unknown, Source = unknown> {
  readonly protocol: AgentProtocol<Request, Source>
  readonly retry: RetryPolicy
  /** Longest silence on the line, in milliseconds, before it counts as dropped. */
  readonly timeoutMs: number
  readonly environment: Environment
  /** Turns what a person said into a request of the protocol. Called once per run; retries repeat the same request. */
  createRequest(input: ChatInput): Request | Promise<Request>
}
