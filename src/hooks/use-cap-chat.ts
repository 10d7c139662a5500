'use client'
import { useMemo } from 'react'
import type { Chat, ChatActions, ChatSnapshot } from '../state/chat-snapshot.ts'
import type { AgentChatOptions } from './use-agent-chat.ts'
import { useAgentChat } from './use-agent-chat.ts'
import { useTracked } from './use-tracked.ts'

export type CapChatOptions = AgentChatOptions

/** Snapshot, verbs, and the chat itself to pass to `useChatSelector` or `<Chat chat={…}>`. */
export interface CapChat extends ChatSnapshot, ChatActions {
  readonly chat: Chat
}

/**
 * A conversation with a CAP agent, in the words of the AI SDK's `useChat`. Renders again only when a field
 * that was read changes, at most once a frame. Verbs never change identity; options are read when they are used.
 */
export function useCapChat(options: CapChatOptions = {}): CapChat {
  const chat = useAgentChat(options)
  const snapshot = useTracked(chat)
  return useMemo(() => {
    const { sendMessage, edit, regenerate, stop, disconnect, resume, retry, discard, prepend, clearError } = chat
    const actions = { chat, sendMessage, edit, regenerate, stop, disconnect, resume, retry, discard, prepend, clearError }
    // Descriptors, not values: copying the fields must not count as reading them.
    return Object.defineProperties({ ...actions }, Object.getOwnPropertyDescriptors(snapshot)) as typeof actions & ChatSnapshot
  }, [chat, snapshot])
}
