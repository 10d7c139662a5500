import type { StateMessage } from './tab-message.ts'

/** The highest term of a conversation that was received; 0 before the first. Shared by all members that this tab has had. */
export interface HeardTerm {
  term: number
}

/** Messages that a follower received from the current leader. They are counted, so that a missing one is detected. */
export interface HeardLeader {
  /** No message of the current leader has arrived yet. */
  readonly isNew: boolean
  /** Ids of messages that the leader sent last and had not saved. */
  readonly unsaved: readonly string[]
  /** Makes the leader of this term the current leader; returns false when it already is. */
  begin(term: number): boolean
  /** Whether the message follows the last one, or needs none before it. */
  canApply(message: StateMessage): boolean
  applied(message: StateMessage): void
  /** Invalidates the messages received so far: only a message with the full state can be applied next. */
  miss(): void
  forgetUnsaved(): void
  /** Forgets the leader and its term, which says nothing about the leaders of other tabs. */
  forget(): void
}

export function createHeardLeader(heard: HeardTerm): HeardLeader {
  let count = 0
  let unsaved: readonly string[] = []
  return {
    get isNew() {
      return count === 0
    },
    get unsaved() {
      return unsaved
    },
    begin(term) {
      if (term === heard.term) return false
      heard.term = term
      count = 0
      return true
    },
    canApply: (message) => message.whole || (count > 0 && message.count === count + 1),
    applied(message) {
      count = message.count
      unsaved = message.unsaved
    },
    miss() {
      count = 0
    },
    forgetUnsaved() {
      unsaved = []
    },
    forget() {
      heard.term = 0
      count = 0
    },
  }
}
