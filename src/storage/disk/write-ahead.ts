import type { Clock } from '../../base/ports/clock.ts'
import type { AgentClient } from '../../session/agent-client.ts'
import { inTime } from './in-time.ts'

/** A disk that takes longer does not hold up what a user sends, milliseconds. */
export const LONGEST_WRITE_MS = 1000

/**
 * Write-ahead client for a saved chat: a question, and an answer to a prompt, is on the disk before the agent receives it, so that
 * no reload, however early, can lose a message whose answer is on its way, or a consent. Each client gets the same one every time.
 */
export function createWriteAhead(clock: Clock, save: () => Promise<void>): (client: AgentClient) => AgentClient {
  const known = new WeakMap<AgentClient, AgentClient>()
  return (client) => {
    const { retry, timeoutMs, environment, budget, limits, observer } = client
    const own: AgentClient = known.get(client) ?? {
      protocol: withSavedCommands(client.protocol, async () => inTime(save(), clock, LONGEST_WRITE_MS)),
      retry,
      timeoutMs,
      environment,
      budget,
      limits,
      observer,
      // Without it a client that shares one connection would open another for this chat.
      ...(client.openRun && { openRun: client.openRun.bind(client) }),
      async createRequest(input) {
        await inTime(save(), clock, LONGEST_WRITE_MS)
        return client.createRequest(input)
      },
    }
    known.set(client, own)
    return own
  }
}

/** The protocol, whose commands go out once they are saved. It may be an instance of a class, so its methods keep their object. */
function withSavedCommands(protocol: AgentClient['protocol'], saved: () => Promise<void>): AgentClient['protocol'] {
  if (protocol.act === undefined) return protocol
  const act = protocol.act.bind(protocol)
  const { name, server, firstSeq, followsUp } = protocol
  return {
    name,
    server,
    firstSeq,
    followsUp,
    open: (opening) => protocol.open(opening),
    canResume: (cursors, handle) => protocol.canResume?.(cursors, handle) ?? true,
    conversationIdFault: (id) => protocol.conversationIdFault?.(id),
    createError: (init) => protocol.createError(init),
    async act(command, options) {
      // A cancel is worth nothing after a reload, and must not wait.
      if (command.type !== 'cancel' && command.type !== 'interrupt') await saved()
      return act(command, options)
    },
  }
}
