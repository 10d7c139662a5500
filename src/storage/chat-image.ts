import type { ChatSnapshot } from '../state/chat-snapshot.ts'
import type { Message } from '../state/message.ts'
import type { ChatState } from '../state/chat-state.ts'
import type { CreateError, StoredMessage } from './stored-message.ts'
import { packError, unpackMessage } from './stored-message.ts'
import type { MessageChanges, StoredState } from './stored-state.ts'
import { unpackState } from './stored-state.ts'

/** A chat as it was kept or told: a state and how new it is. */
export interface ChatImage {
  readonly state: ChatState
  readonly revision: number
}

export const NO_IMAGE: ChatImage = { state: { messages: [], queued: [], warnings: [] }, revision: 0 }

/** Makes states out of what comes from the disk or another tab; a message that did not change stays the same object. */
export interface ImageReader {
  /** Undefined when a message is missing that the state names. */
  read(state: StoredState, messages: MessageChanges): ChatImage | undefined
  forget(): void
}

export function createImageReader(createError: CreateError): ImageReader {
  const known = new Map<string, { readonly stored: string; readonly message: Message }>()

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
      return { state: unpackState(state, (id) => known.get(id)?.message, createError), revision: state.revision }
    },
    forget: () => known.clear(),
  }
}

/** A snapshot in which equal things that came anew are the objects there were before, so that nothing renders for them. */
export function withEqualsOf(before: ChatSnapshot, next: ChatSnapshot): ChatSnapshot {
  return {
    ...next,
    messages: same(before.messages, next.messages),
    warnings: same(before.warnings, next.warnings),
    queued: isAlike(before.queued, next.queued) ? before.queued : next.queued,
    error: isAlike(toPlain(before), toPlain(next)) ? before.error : next.error,
    connection: isAlike([before.connection, toPlain(before.connection)], [next.connection, toPlain(next.connection)]) ? before.connection : next.connection,
  }
}

function same<Item>(before: readonly Item[], after: readonly Item[]): readonly Item[] {
  return before.length === after.length && after.every((item, index) => item === before[index]) ? before : after
}

function isAlike(before: unknown, after: unknown): boolean {
  return JSON.stringify(before) === JSON.stringify(after)
}

function toPlain({ error }: Pick<ChatSnapshot, 'error'>): unknown {
  return error && packError(error)
}
