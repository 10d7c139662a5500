import type { AgentClient } from '../session/agent-client.ts'
import type { Chat } from './chat-snapshot.ts'
import type { ChatCallbacks, ChatMaker, ChatOptions } from './chat-options.ts'
import { createChat } from './chat.ts'
import type { Message } from './message.ts'

/** What one user of a chat brings along, asked for whenever it is needed. */
export type ChatSource = () => { readonly client: AgentClient; readonly callbacks: ChatCallbacks }

export interface ChatSeed {
  readonly conversationId: string
  readonly client: AgentClient
  readonly initialMessages?: readonly Message[] | undefined
  /** Makes the chat, where it is to be kept beyond the page. */
  readonly store?: ChatMaker | undefined
}

/**
 * The chats of one provider, one per conversation however many components show it. When the last one goes,
 * the line is left and the run is not: who comes back finds the answer where it was, and it goes on.
 */
export interface ChatRegistry {
  /** The chat of the conversation; made on first call. */
  obtain(seed: ChatSeed): Chat
  /** Counts a user of the chat; the returned function lets go of it. */
  retain(chat: Chat, source: ChatSource): () => void
}

interface Entry {
  readonly chat: Chat
  readonly sources: Set<ChatSource>
  readonly client: AgentClient
  cancelLeaving: () => void
  left: boolean
}

export function createChatRegistry(): ChatRegistry {
  const entries = new Map<string, Entry>()

  function create({ conversationId, client, initialMessages, store }: ChatSeed): Entry {
    const sources = new Set<ChatSource>()
    const each = <Value>(value: Value, pick: (callbacks: ChatCallbacks) => ((value: Value) => void) | undefined): void => {
      for (const source of [...sources]) pick(source().callbacks)?.(value)
    }
    const callbacks: ChatCallbacks = {
      onFinish: (message) => each(message, ({ onFinish }) => onFinish),
      onWarning: (warning) => each(warning, ({ onWarning }) => onWarning),
      onError: (error) => each(error, ({ onError }) => onError),
    }
    const newest = (): AgentClient => [...sources].at(-1)?.().client ?? client
    const options: ChatOptions = { conversationId, initialMessages, client: newest, callbacks: () => callbacks }
    // As if left before: whoever shows it first takes up what another page began.
    return { chat: store === undefined ? createChat(options) : store.open(options), sources, client, cancelLeaving: () => {}, left: store !== undefined }
  }

  return {
    obtain(seed) {
      const entry = entries.get(seed.conversationId) ?? create(seed)
      entries.set(seed.conversationId, entry)
      return entry.chat
    },
    retain(chat, source) {
      const entry = entries.get(chat.conversationId)
      if (entry?.chat !== chat) return () => {}
      entry.sources.add(source)
      entry.cancelLeaving()
      if (entry.left) void chat.resume()
      entry.left = false
      return () => {
        entry.sources.delete(source)
        if (entry.sources.size > 0) return
        // A remount in the same task (StrictMode, a moved component) is no leaving.
        entry.cancelLeaving = entry.client.environment.clock.after(0, () => {
          entry.left = true
          void chat.disconnect()
        })
      }
    },
  }
}
