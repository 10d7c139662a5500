import type { ChatStorage } from './chat-storage.ts'
import type { LeaderElection } from './leader-election.ts'
import { createLeaderElection } from './leader-election.ts'
import type { TabChannel } from './tab-channel.ts'
import type { TabMessage } from './tab-message.ts'
import { isTabMessage } from './tab-message.ts'

/** The tabs that share a conversation: one lock for the one that leads, and one channel. */
export interface TabGroup {
  /** Undefined where tabs cannot agree who leads: then they leave each other alone. */
  readonly channel: TabChannel | undefined
  /** Waits for the lock. */
  queue(): void
  /** Takes the lock from the tab that has it. */
  steal(): void
  /** Gives the lock back if it is held, and waits for it again behind the others. */
  requeue(): void
  /** Leaves the others: at once, or once `after` has settled. */
  leave(after?: Promise<void>): void
}

export interface TabGroupOptions {
  readonly home: ChatStorage
  readonly conversationId: string
  /**
   * Of the data on the disk, as a part of the names, so that tabs which did not hear of a sign-out are among themselves.
   * Undefined: the disk could not be opened, and the tabs for which that is so are among themselves too.
   */
  readonly generation: string | undefined
  onMessage(message: TabMessage): void
  /** The lock is held here. */
  onElected(): void
  /** Another tab has taken the lock. */
  onLost(): void
}

export function joinTabGroup({ home, conversationId, generation, onMessage, onElected, onLost }: TabGroupOptions): TabGroup {
  const name = `${home.name} ${generation ?? ''} ${conversationId}`
  const { locks, openChannel } = home.isOver() ? {} : home.ports
  let channel = locks && openChannel?.(name)
  channel?.onMessage((message) => (isTabMessage(message) ? onMessage(message) : undefined))
  let election: LeaderElection | undefined

  function closeChannel(): void {
    channel?.close()
    channel = undefined
  }

  return {
    get channel() {
      return channel
    },
    queue() {
      election = createLeaderElection({ locks: channel && locks, name, onElected, onLost, onUnavailable: closeChannel })
    },
    steal: () => election?.steal(),
    requeue: () => election?.requeue(),
    leave(after) {
      if (after === undefined) closeChannel()
      else void after.then(closeChannel, closeChannel)
      election?.leave(after)
    },
  }
}
