import type { ChatStorage } from './chat-storage.ts'
import type { LeaderElection } from './leader-election.ts'
import { createLeaderElection } from './leader-election.ts'
import type { TabChannel } from './tab-channel.ts'
import type { TabMessage } from './tab-message.ts'
import { isTabMessage } from './tab-message.ts'

/** The tabs that share a conversation: one lock for the one that leads, and one channel. */
export interface TabGroup {
  /** Undefined if {@link TabGroupOptions.generation} is: the group of the tabs without a disk. */
  readonly generation: string | undefined
  /** Undefined without locks or without channels: then the tabs do not communicate. */
  readonly channel: TabChannel | undefined
  /** Waits for the lock. */
  queue(): void
  /** Takes the lock from the tab that has it. */
  steal(): void
  /** Gives the lock back if it is held, and waits for it again behind the others. */
  requeue(): void
  /** Leaves the group: immediately, or once `after` has settled. */
  leave(after?: Promise<void>): void
}

export interface TabGroupOptions {
  readonly storage: ChatStorage
  readonly conversationId: string
  /**
   * Generation of the data on the disk. It is part of the names, so that tabs that did not receive a sign-out form a
   * group of their own. Undefined: the disk could not be opened; these tabs form a group too.
   */
  readonly generation: string | undefined
  onMessage(message: TabMessage): void
  /** The lock is held here. */
  onElected(): void
  /** Another tab has taken the lock. */
  onLost(): void
}

export function joinTabGroup({
  storage,
  conversationId,
  generation,
  onMessage,
  onElected,
  onLost,
}: TabGroupOptions): TabGroup {
  const name = `${storage.name} ${generation ?? ''} ${conversationId}`
  const { clock } = storage.ports
  const { locks, openChannel } = storage.isOver() ? {} : storage.ports
  let channel = locks && openChannel?.(name)
  channel?.onMessage((message) => (isTabMessage(message) ? onMessage(message) : undefined))
  let election: LeaderElection | undefined

  function closeChannel(): void {
    channel?.close()
    channel = undefined
  }

  return {
    generation,
    get channel() {
      return channel
    },
    queue() {
      election = createLeaderElection({
        locks: channel && locks,
        clock,
        name,
        onElected,
        onLost,
        onUnavailable: closeChannel,
      })
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
