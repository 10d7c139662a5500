import type { CapClient } from '../../../src/protocols/cap/client/cap-client.ts'
import type { AgentClient } from '../../../src/session/agent-client.ts'

export interface Watcher {
  onRequest(requestId: string, conversationId: string): void
  /** 0 is the first attempt of a run. */
  onAttempt(requestId: string, attempt: number): void
}

/** The client as it is, with an eye on each request it makes and each attempt. */
export function watched(cap: CapClient, { onRequest, onAttempt }: Watcher): AgentClient {
  return {
    protocol: {
      ...cap.protocol,
      open(opening) {
        onAttempt(opening.requestId, opening.attempt)
        // The adapter takes what its own createRequest made.
        return cap.protocol.open(opening as Parameters<typeof cap.protocol.open>[0])
      },
    },
    retry: cap.retry,
    timeoutMs: cap.timeoutMs,
    environment: cap.environment,
    budget: cap.budget,
    createRequest(input) {
      onRequest(input.requestId, input.conversationId)
      return cap.createRequest(input)
    },
  }
}
