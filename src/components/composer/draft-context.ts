'use client'
import { createContext, useContext } from 'react'
import { useChatContext } from '../../hooks/chat-context.ts'
import type { Chat } from '../../state/chat-snapshot.ts'
import type { Draft } from './draft.ts'
import { createDraft } from './draft.ts'

/** Another draft than the chat's own, for the composer and the messages inside. */
export const DraftContext = createContext<Draft | null>(null)

const drafts = new WeakMap<Chat, Draft>()

/**
 * The draft of a chat. It lives as long as the chat does, whatever is mounted: who leaves a conversation and comes back
 * finds what they had begun to write. To keep drafts beyond the page, `write` what was kept into it and `subscribe`.
 */
export function draftOf(chat: Chat): Draft {
  const draft = drafts.get(chat) ?? createDraft()
  drafts.set(chat, draft)
  return draft
}

/** The draft that the composer and the messages here share. */
export function useDraft(): Draft {
  const chat = useChatContext()
  return useContext(DraftContext) ?? draftOf(chat)
}
