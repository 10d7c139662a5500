import type { ChatSnapshot, ChatState } from '../../state/chat-snapshot.ts'
import type { ChatMessage } from '../../state/turn.ts'
import type { CreateError, StoredMessage } from './stored-message.ts'
import { packError, unpackMessage } from './stored-message.ts'
import type { MessageChanges, StoredState, Version } from './stored-state.ts'
import { unpackState } from './stored-state.ts'

/** A versioned state of a chat: the state, the term of its leader, its revision, and the calls it contains. */
export interface VersionedState extends Version {
  readonly state: ChatState
  /** Ids of the calls that have been performed, oldest first. */
  readonly performed: readonly string[]
}

export const EMPTY_STATE: VersionedState = {
  state: { messages: [], queued: [], warnings: [] },
  term: 0,
  revision: 0,
  performed: [],
}

/** What is left of a state whose conversation was deleted at that time, by a tab that did not know of later messages. */
export function saidAfter({ state, revision, performed }: VersionedState, at: number): VersionedState {
  const messages = state.messages.filter(({ createdAt = 0 }) => createdAt > at)
  if (messages.length === 0) return EMPTY_STATE
  const run = messages.some(({ id }) => id === state.run?.turn.answerId) ? state.run : undefined
  return { ...EMPTY_STATE, state: { ...EMPTY_STATE.state, messages, run }, revision, performed }
}

/** Makes states from records of the disk or messages of another tab; a message that did not change stays the same object. */
export interface StateReader {
  /** Undefined when a message is missing that the state names. */
  read(state: StoredState, messages: MessageChanges): VersionedState | undefined
  forget(): void
}

export function createStateReader(createError: CreateError): StateReader {
  const known = new Map<string, { readonly stored: string; readonly message: ChatMessage }>()

  function learn(id: string, message: StoredMessage): void {
    const stored = JSON.stringify(message)
    if (known.get(id)?.stored !== stored) known.set(id, { stored, message: unpackMessage(message, createError) })
  }

  return {
    read(state, messages) {
      for (const [id, message] of messages) {
        if (message === undefined) known.delete(id)
        else learn(id, message)
      }
      if (!state.order.every((id) => known.has(id))) return undefined
      const { term = 0, revision, performed = [] } = state
      return { state: unpackState(state, (id) => known.get(id)?.message, createError), term, revision, performed }
    },
    forget: () => known.clear(),
  }
}

/** A snapshot in which equal things that came again are the objects there were before, so that nothing renders for them. */
export function withEqualsOf(before: ChatSnapshot, next: ChatSnapshot): ChatSnapshot {
  return {
    ...next,
    messages: same(before.messages, next.messages),
    warnings: same(before.warnings, next.warnings),
    queued: isAlike(before.queued, next.queued) ? before.queued : next.queued,
    stateEdit: before.stateEdit?.id === next.stateEdit?.id ? before.stateEdit : next.stateEdit,
    error: isAlike(toPlain(before), toPlain(next)) ? before.error : next.error,
  }
}

function same<Item>(before: readonly Item[], after: readonly Item[]): readonly Item[] {
  return before.length === after.length && after.every((item, index) => item === before[index]) ? before : after
}

function isAlike(before: unknown, after: unknown): boolean {
  return JSON.stringify(before) === JSON.stringify(after)
}

function toPlain({ error }: ChatSnapshot): unknown {
  return error && packError(error)
}
