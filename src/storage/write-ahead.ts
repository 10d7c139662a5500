import type { Clock } from '../base/clock.ts'
import type { AgentClient } from '../session/agent-client.ts'

/** A disk that takes longer does not hold up what a person sends. */
const MOST_MS = 1000

/**
 * The client for a kept chat: what is asked stands on the disk before the agent hears of it, so that no reload, however
 * early, can lose a message whose answer is on its way. Each client gets the same one every time.
 */
export function createWriteAhead(clock: Clock, save: () => Promise<void>): (client: AgentClient) => AgentClient {
  const known = new WeakMap<AgentClient, AgentClient>()
  return (client) => {
    const { protocol, retry, timeoutMs, environment, budget } = client
    const own: AgentClient = known.get(client) ?? {
      protocol,
      retry,
      timeoutMs,
      environment,
      budget,
      async createRequest(input) {
        await inTime(save(), clock)
        return client.createRequest(input)
      },
    }
    known.set(client, own)
    return own
  }
}

function inTime(saved: Promise<void>, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(MOST_MS, resolve)
    void saved.then(resolve).finally(cancel)
  })
}
