import type { CapClient } from '../../../src/clients/cap-client.ts'
import type { AgentClient } from '../../../src/session/agent-client.ts'

/** The client as it is, with an eye on each attempt: 0 is the first of a run. */
export function watched(cap: CapClient, onAttempt: (requestId: string, attempt: number) => void): AgentClient {
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
    createRequest: (input) => cap.createRequest(input),
  }
}
