import type { AgentError } from '../../base/agent-error.ts'
import { isAgentError } from '../../base/agent-error.ts'
import type { Chat } from '../../state/chat-snapshot.ts'

/** What is being written, and why the last try to send it was refused. */
export interface DraftSnapshot {
  readonly text: string
  /** `unknown`: something that is no {@link AgentError} was thrown. */
  readonly refusal: AgentError | 'unknown' | undefined
}

/**
 * The text of one composer, kept outside of React so that writing renders nothing but the box, and so
 * that a message that could not be sent can come back into it. Never loses words: what comes back is
 * put before what has been written since.
 */
export interface Draft {
  getSnapshot(): DraftSnapshot
  subscribe(listener: () => void): () => void
  /** Replaces the text: the person is writing. */
  write(text: string): void
  /** Empties the box and sends what was in it; gives it back when the chat refuses it. Nothing happens without words. */
  send(chat: Chat, text?: string): void
  /** Brings text back for editing and asks the box to take the focus. With an empty text, only that. */
  edit(text: string): void
  /** Calls back when the box should take the focus; the returned function stops that. */
  onFocusWanted(listener: () => void): () => void
}

/** A new draft, empty or with a text to start from. */
export function createDraft(initialText = ''): Draft {
  let snapshot: DraftSnapshot = { text: initialText, refusal: undefined }
  const listeners = new Set<() => void>()
  const focusListeners = new Set<() => void>()

  function publish(next: DraftSnapshot): void {
    if (next.text === snapshot.text && next.refusal === snapshot.refusal) return
    snapshot = next
    for (const listener of [...listeners]) listener()
  }
  function bringBack(text: string, refusal: DraftSnapshot['refusal']): void {
    const written = snapshot.text
    publish({ text: text === '' ? written : written.trim() === '' ? text : `${text}\n\n${written}`, refusal })
  }

  return {
    getSnapshot: () => snapshot,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    write: (text) => publish({ text, refusal: undefined }),
    send(chat, text) {
      const words = text ?? snapshot.text
      if (words.trim() === '') return
      // Emptied before anything else happens: a second Enter finds nothing to send.
      publish({ text: text === undefined ? '' : snapshot.text, refusal: undefined })
      chat.sendMessage(words.trim()).catch((error: unknown) => bringBack(words, isAgentError(error) ? error : 'unknown'))
    },
    edit(text) {
      bringBack(text, undefined)
      for (const listener of [...focusListeners]) listener()
    },
    onFocusWanted(listener) {
      focusListeners.add(listener)
      return () => focusListeners.delete(listener)
    },
  }
}
