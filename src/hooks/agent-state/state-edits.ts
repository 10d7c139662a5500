import type { StateEdit } from '../../protocols/state-edit.ts'
import type { ChatInstance } from '../../state/chat.ts'

/**
 * Edits of the shared state, shown before the chat has them: a chat over several tabs has them once the tab that leads has, and an
 * input of the page cannot wait.
 */
export interface StateEdits {
  /** The newest edit. Undefined: there is none. */
  get(): StateEdit | undefined
  /** False: the protocol carries no state, so nothing has changed. */
  set(edit: StateEdit | undefined): boolean
  subscribe(listener: () => void): () => void
}

const known = new WeakMap<ChatInstance, StateEdits>()

/** The edits of a chat: the same ones for all who read it. */
export function stateEditsOf(chat: ChatInstance): StateEdits {
  const edits = known.get(chat) ?? createStateEdits(chat)
  known.set(chat, edits)
  return edits
}

interface Ahead {
  readonly edit: StateEdit | undefined
  /** Ids that the chat may still show: of the edit before, and of those made here since. */
  readonly passed: Set<string | undefined>
}

function createStateEdits(chat: ChatInstance): StateEdits {
  const listeners = new Set<() => void>()
  /** Absent: the chat has all of it. */
  let ahead: Ahead | undefined

  function get(): StateEdit | undefined {
    const { stateEdit } = chat.getSnapshot()
    if (ahead !== undefined && stateEdit?.id !== ahead.edit?.id && ahead.passed.has(stateEdit?.id)) return ahead.edit
    // The chat has it, or a later one of another tab.
    ahead = undefined
    return stateEdit
  }

  return {
    get,
    set(edit) {
      const before = get()
      const passed = ahead?.passed ?? new Set<string | undefined>()
      passed.add(before?.id)
      ahead = { edit, passed }
      if (!chat.changeState(edit)) {
        ahead = undefined
        return false
      }
      for (const listener of [...listeners]) listener()
      return true
    },
    subscribe(listener) {
      listeners.add(listener)
      const unsubscribe = chat.subscribe(listener)
      return () => {
        listeners.delete(listener)
        unsubscribe()
      }
    },
  }
}
