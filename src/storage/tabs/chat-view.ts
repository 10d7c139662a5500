import type { PromptOutcome } from '../../seam/prompt.ts'
import { idleConnection } from '../../session/connection.ts'
import type { ChatSnapshot, ChatState } from '../../state/chat-snapshot.ts'
import type { ChatMessage } from '../../state/turn.ts'
import { keepOutcomes } from '../../state/prompts.ts'
import { uniqueMessages } from '../../state/conversation.ts'
import type { CreateError } from '../records/stored-message.ts'
import { isNewer } from '../records/stored-state.ts'
import { statusOf } from '../records/restore-run.ts'
import type { ThreadRecord } from '../records/thread-disk.ts'
import type { VersionedState } from '../records/versioned-state.ts'
import { EMPTY_STATE, createStateReader, saidAfter, withEqualsOf } from '../records/versioned-state.ts'
import type { StateMessage } from './tab-message.ts'

/** The view of a conversation in a tab, whether it leads or follows. */
export interface ChatView {
  /** The newest state known here: of the disk, heard from a leader, or our own. */
  newest: VersionedState
  getSnapshot(): ChatSnapshot
  subscribe(listener: () => void): () => void
  show(next: ChatSnapshot): void
  /** What a chat of this state shows while nothing runs here. */
  snapshotOf(state: ChatState): ChatSnapshot
  /** Applies the state of the record if it is newer than the current one; returns true when it was. */
  adopt(record: ThreadRecord): boolean
  /** The state of a record; undefined when there is none. */
  read(record: ThreadRecord): VersionedState | undefined
  /** Applies an update of the leader; undefined when an update is missing. */
  learn(message: StateMessage): LearnedState | undefined
  /** The conversation was deleted at that time, epoch milliseconds: its messages until then are gone. */
  forget(at: number): void
}

/** An update of the leader as it is shown. */
export interface LearnedState {
  /** Without its connection. */
  readonly snapshot: ChatSnapshot
  /** How prompts have ended that the leader does not know of. */
  readonly outcomes: readonly PromptOutcome[]
}

export interface ChatViewOptions {
  readonly conversationId: string
  readonly initialMessages: readonly ChatMessage[]
  readonly maxAttempts: number
  readonly createError: CreateError
}

export function createChatView({
  conversationId,
  initialMessages,
  maxAttempts,
  createError,
}: ChatViewOptions): ChatView {
  const reader = createStateReader(createError)
  const listeners = new Set<() => void>()
  let newest: VersionedState = {
    ...EMPTY_STATE,
    state: { ...EMPTY_STATE.state, messages: uniqueMessages(initialMessages) },
  }
  let snapshot = snapshotOf(newest.state)

  function snapshotOf(state: ChatState): ChatSnapshot {
    const { messages, queued, error, warnings, stateEdit } = state
    return {
      conversationId,
      messages,
      queued,
      error,
      warnings,
      stateEdit,
      status: statusOf(state),
      connection: idleConnection(maxAttempts),
    }
  }

  function read({ state, messages }: ThreadRecord): VersionedState | undefined {
    return state && reader.read({ ...state, order: state.order.filter((id) => messages.has(id)) }, messages)
  }

  /** A state of another page, without forgetting how prompts have ended here. */
  function withOutcomes(state: VersionedState): {
    readonly known: VersionedState
    readonly outcomes: readonly PromptOutcome[]
  } {
    const { messages, outcomes } = keepOutcomes(newest.state.messages, state.state.messages)
    return { known: outcomes.length === 0 ? state : { ...state, state: { ...state.state, messages } }, outcomes }
  }

  return {
    get newest() {
      return newest
    },
    set newest(state) {
      newest = state
    },
    getSnapshot: () => snapshot,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    show(next) {
      // Both are snapshots of a chat, with its keys.
      if ((Object.keys(next) as (keyof ChatSnapshot)[]).every((key) => next[key] === snapshot[key])) return
      snapshot = next
      for (const listener of [...listeners]) listener()
    },
    snapshotOf,
    adopt(record) {
      if (record.state === undefined || !isNewer(record.state, newest)) return false
      const found = read(record)
      if (found !== undefined) newest = withOutcomes(found).known
      return true
    },
    read,
    learn({ state, messages, status }) {
      const read = reader.read(state, messages)
      if (read === undefined) return undefined
      const { known, outcomes } = withOutcomes(read)
      newest = known
      const shown = snapshotOf(known.state)
      return { snapshot: withEqualsOf(snapshot, outcomes.length === 0 ? { ...shown, status } : shown), outcomes }
    },
    forget(at) {
      newest = saidAfter(newest, at)
      reader.forget()
    },
  }
}
