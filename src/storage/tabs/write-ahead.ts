import type { Clock } from '../../base/ports/clock.ts'
import type { AgentClient } from '../../session/agent-client.ts'

/** A disk that takes longer does not hold up what a user sends, milliseconds. */
export const LONGEST_WRITE_MS = 1000

const STOPPED = {
  kind: 'runtime',
  code: 'app_error',
  severity: 'FATAL',
  message: 'The answer was not sent: the run was stopped before.',
} as const

export interface WriteAheadOptions {
  readonly clock: Clock
  save(): Promise<void>
  /** Whether the user has stopped a run: an answer that is still being written is then not sent any more. */
  isStopped(requestId: string): boolean
}

/**
 * Write-ahead client for a saved chat: a question, and an answer to a prompt, is on the disk before the agent receives it, so that
 * no reload, however early, can lose a message whose answer is on its way, or a consent. Each client gets the same one every time.
 */
export function createWriteAhead({ clock, save, isStopped }: WriteAheadOptions): (client: AgentClient) => AgentClient {
  const known = new WeakMap<AgentClient, AgentClient>()
  return (client) => {
    const { retry, timeoutMs, environment, budget, limits, observer } = client
    const own: AgentClient = known.get(client) ?? {
      protocol: withSavedCommands(client.protocol, () => inTime(save(), clock, LONGEST_WRITE_MS), isStopped),
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
function withSavedCommands(
  protocol: AgentClient['protocol'],
  saved: () => Promise<unknown>,
  isStopped: WriteAheadOptions['isStopped'],
): AgentClient['protocol'] {
  if (protocol.act === undefined) return protocol
  const act = protocol.act.bind(protocol)
  const { name, server, firstSeq, followsUp, sharesState } = protocol
  return {
    name,
    server,
    firstSeq,
    followsUp,
    sharesState,
    open: (opening) => protocol.open(opening),
    canResume: (cursors, handle) => protocol.canResume?.(cursors, handle) ?? true,
    conversationIdFault: (id) => protocol.conversationIdFault?.(id),
    createError: (init) => protocol.createError(init),
    async act(command, options) {
      // A cancel is worth nothing after a reload, and must not wait.
      if (command.type === 'cancel' || command.type === 'interrupt') return act(command, options)
      const wasStopped = isStopped(command.requestId)
      await saved()
      if (command.type === 'answer' && !wasStopped && isStopped(command.requestId)) throw protocol.createError(STOPPED)
      return act(command, options)
    },
  }
}

/** Resolves when `promise` has settled, however it did, and at the latest after `ms`. Resolves with whether it has. */
export function inTime(promise: Promise<unknown>, clock: Clock, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, () => resolve(false))
    const settled = (): void => {
      cancel()
      resolve(true)
    }
    promise.then(settled, settled)
  })
}
