import type { Clock } from '../../base/clock.ts'
import type { AgentClient } from '../../session/agent-client.ts'
import { inTime } from './in-time.ts'

/** A disk that takes longer does not hold up what a person sends, milliseconds. */
export const LONGEST_WRITE_MS = 1000

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
        await inTime(save(), clock, LONGEST_WRITE_MS)
        return client.createRequest(input)
      },
    }
    known.set(client, own)
    return own
  }
}
