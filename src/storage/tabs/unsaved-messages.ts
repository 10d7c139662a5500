import type { PromptOutcome } from '../../seam/prompt.ts'
import type { AgentClient } from '../../session/agent-client.ts'
import type { ChatMessage, QueuedMessage } from '../../state/turn.ts'
import { movePrompt, changePrompts } from '../../state/prompts.ts'
import type { LeadingChat } from './leading-chat.ts'
import type { PendingCall } from './pending-calls.ts'
import { packMessage, packOutgoing } from '../records/stored-message.ts'
import type { ChatCall } from './tab-message.ts'
import { restoreRun } from '../records/restore-run.ts'
import type { VersionedState } from '../records/versioned-state.ts'

/**
 * Messages of the last leader that are not on the disk, queued ones included. The next leader may not have them, so
 * they are sent to it.
 */
export interface UnsavedMessages {
  /** This tab led, and has been overtaken in this state. */
  keepOwn(state: VersionedState, own: LeadingChat): void
  /** The last state of the followed leader, and which messages of it were not on the disk. */
  keepHeard(state: VersionedState, ids: readonly string[]): void
  /**
   * Removes the messages that a newer state lacks, and returns them as calls that restore them, with the id that a
   * queued message had. Messages of pending calls are left out.
   * @param outcomes how prompts have ended that the next leader does not know of
   */
  take(
    newest: VersionedState,
    calls: readonly PendingCall[],
    outcomes: readonly PromptOutcome[],
  ): readonly { readonly id?: string; readonly call: ChatCall }[]
  /** The conversation was deleted at that time, epoch milliseconds. */
  forget(at: number): void
}

export function createUnsavedMessages(protocol: AgentClient['protocol']): UnsavedMessages {
  let unsaved: readonly ChatMessage[] = []
  let queued: readonly QueuedMessage[] = []

  function keep({ state, revision }: VersionedState, isUnsaved: (id: string, requestId: string) => boolean): void {
    // Their run is not continued, so that nobody can hear an answer to what it asked.
    const { messages } = restoreRun(state, { protocol, now: revision, isOld: true })
    unsaved = messages
      .filter(({ id, requestId = '' }) => isUnsaved(id, requestId))
      .map((message) =>
        changePrompts(message, (prompt) =>
          // An answer that was on its way may have arrived.
          prompt.state === 'unconfirmed' ? prompt : movePrompt(prompt, 'withdrawn'),
        ),
      )
    queued = state.queued.filter(({ id }) => isUnsaved(id, id))
  }

  return {
    keepOwn(state, { replicator, isPerforming }) {
      // A call that has not settled is made again by its own tab.
      keep(state, (id, requestId) => !replicator.isStored(id) && !isPerforming(requestId))
    },
    keepHeard(state, ids) {
      if (ids.length > 0) keep(state, (id) => ids.includes(id))
    },
    take({ state }, calls, outcomes) {
      const known = new Set(state.messages.map(({ id }) => id))
      const asked = new Set([...state.queued, ...calls].map(({ id }) => id))
      const messages = unsaved
        .filter(({ id, requestId = '' }) => !known.has(id) && !asked.has(requestId))
        .map(packMessage)
      const waiting = queued.filter(({ id }) => !asked.has(id))
      unsaved = []
      queued = []
      return [
        ...(messages.length === 0 ? [] : [{ call: { action: 'prepend' as const, messages } }]),
        ...(outcomes.length === 0 ? [] : [{ call: { action: 'settlePrompts' as const, outcomes } }]),
        ...waiting.map(({ id, message }) => ({
          id,
          call: {
            action: 'sendMessage' as const,
            message: packOutgoing(message),
            options: { whenBusy: 'queue' as const },
          },
        })),
      ]
    },
    forget(at) {
      unsaved = unsaved.filter(({ createdAt = 0 }) => createdAt > at)
      queued = []
    },
  }
}
