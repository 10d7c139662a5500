import type { AgentClient } from '../session/agent-client.ts'
import type { ChatInstance } from './chat.ts'
import type { ChatCallbacks, ChatMaker, ChatOptions } from './chat-options.ts'
import { createChat } from './chat.ts'
import type { ChatMessage } from './message.ts'
import { isUnsent } from './conversation.ts'

/** Options of one component that uses a chat, read at each use. */
export type ChatSource = () => { readonly client: AgentClient; readonly callbacks: ChatCallbacks }

export interface ChatSeed {
  readonly conversationId: string
  readonly client: AgentClient
  readonly initialMessages?: readonly ChatMessage[] | undefined
  /** Makes the chat, where it is to be kept beyond the page. */
  readonly store?: ChatMaker | undefined
}

/**
 * The chats of one provider, one per conversation however many components show it. When the last component unmounts,
 * the connection is closed and the run stays open: the next component that shows the conversation resumes the answer.
 *
 * Chats that no component shows are kept while something is unfinished in them: a run, a queued or an unsent message.
 * Of all others the {@link KEPT_CHATS} left last are kept; those left before are disposed of. The messages of a
 * disposed chat without a store are lost, and its conversation starts with `initialMessages` again; with a store they
 * are loaded again.
 */
export interface ChatRegistry {
  /** The chat of the conversation; made on first call. */
  obtain(seed: ChatSeed): ChatInstance
  /** Counts a user of the chat; the returned function lets go of it. */
  retain(chat: ChatInstance, source: ChatSource): () => void
}

/** Finished chats that no component shows, so that they are there again when shown, and memory stays bounded. */
export const KEPT_CHATS = 16

interface Entry {
  readonly chat: ChatInstance
  readonly sources: Set<ChatSource>
  readonly client: AgentClient
  cancelLeaving: () => void
  left: boolean
}

export function createChatRegistry(): ChatRegistry {
  const entries = new Map<string, Entry>()
  /** Chats that no component shows, the most recent last. */
  const idle = new Set<Entry>()

  function leave(entry: Entry): void {
    entry.left = true
    void entry.chat.disconnect()
    idle.add(entry)
    for (const old of idle) {
      if (idle.size <= KEPT_CHATS) return
      if (isUnfinished(old.chat)) continue
      idle.delete(old)
      entries.delete(old.chat.conversationId)
      void old.chat.dispose()
    }
  }

  function create({ conversationId, client, initialMessages, store }: ChatSeed): Entry {
    const sources = new Set<ChatSource>()
    const each = <Value>(
      value: Value,
      pick: (callbacks: ChatCallbacks) => ((value: Value) => void) | undefined,
    ): void => {
      for (const source of [...sources]) pick(source().callbacks)?.(value)
    }
    const callbacks: ChatCallbacks = {
      onFinish: (message) => each(message, ({ onFinish }) => onFinish),
      onWarning: (warning) => each(warning, ({ onWarning }) => onWarning),
      onError: (error) => each(error, ({ onError }) => onError),
      onEnd: (end) => each(end, ({ onEnd }) => onEnd),
    }
    const newest = (): AgentClient => [...sources].at(-1)?.().client ?? client
    const options: ChatOptions = { conversationId, initialMessages, client: newest, callbacks: () => callbacks }
    // As if disconnected: the first component that shows it resumes what another page began.
    return {
      chat: store === undefined ? createChat(options) : store.open(options),
      sources,
      client,
      cancelLeaving: () => {},
      left: store !== undefined,
    }
  }

  return {
    obtain(seed) {
      const entry = entries.get(seed.conversationId) ?? create(seed)
      entries.set(seed.conversationId, entry)
      // About to be shown.
      if (idle.delete(entry)) idle.add(entry)
      return entry.chat
    },
    retain(chat, source) {
      const entry = entries.get(chat.conversationId)
      if (entry?.chat !== chat) return () => {}
      entry.sources.add(source)
      entry.cancelLeaving()
      idle.delete(entry)
      if (entry.left) void chat.resume()
      entry.left = false
      return () => {
        entry.sources.delete(source)
        if (entry.sources.size > 0) return
        // A remount in the same task (StrictMode, a moved component) does not count as unmounting.
        entry.cancelLeaving = entry.client.environment.clock.after(0, () => leave(entry))
      }
    },
  }
}

function isUnfinished(chat: ChatInstance): boolean {
  const { status, queued, messages } = chat.getSnapshot()
  return status === 'submitted' || status === 'streaming' || queued.length > 0 || messages.some(isUnsent)
}
