import type { AgentClient } from '../session/agent-client.ts'
import type { Message } from '../state/message.ts'
import type { LeadingChat } from './leading-chat.ts'
import type { PendingCall } from './pending-calls.ts'
import { takeUp } from './take-up.ts'
import type { VersionedState } from './versioned-state.ts'

/** Messages of the last leader that the disk did not take: the next leader may not know them, and is given them. */
export interface UnsavedMessages {
  /** This tab led, and has been overtaken in this state. */
  keepOwn(state: VersionedState, own: LeadingChat): void
  /** What the leader that was followed told, and which of it was not on the disk. */
  keepHeard(state: VersionedState, ids: readonly string[]): void
  /** Takes out what a newer state lacks, without what will be asked again. */
  missingIn(newest: VersionedState, calls: readonly PendingCall[]): readonly Message[]
  /** The conversation was deleted at that time, epoch milliseconds. */
  forget(at: number): void
}

export function createUnsavedMessages(protocol: AgentClient['protocol']): UnsavedMessages {
  let unsaved: readonly Message[] = []

  /** Nobody goes on with their run. */
  function endedMessages({ state, revision }: VersionedState): readonly Message[] {
    return takeUp(state, { protocol, now: revision, isOld: true }).messages
  }

  return {
    keepOwn(state, { replicator, isPerforming }) {
      // A call that has not settled is made again by its own tab.
      unsaved = endedMessages(state).filter(({ id, requestId = '' }) => !replicator.isStored(id) && !isPerforming(requestId))
    },
    keepHeard(state, ids) {
      if (ids.length > 0) unsaved = endedMessages(state).filter(({ id }) => ids.includes(id))
    },
    missingIn({ state: { messages, queued } }, calls) {
      const known = new Set(messages.map(({ id }) => id))
      const asked = new Set([...queued, ...calls].map(({ id }) => id))
      const missing = unsaved.filter(({ id, requestId = '' }) => !known.has(id) && !asked.has(requestId))
      unsaved = []
      return missing
    },
    forget(at) {
      unsaved = unsaved.filter(({ createdAt = 0 }) => createdAt > at)
    },
  }
}
