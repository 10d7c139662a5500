'use client'
import { createContext, useContext } from 'react'
import { useChatContext } from '../../react/chat-context.ts'
import type { ChatInstance } from '../../state/chat.ts'
import type { Draft } from './draft.ts'
import { createDraft } from './draft.ts'

/** Another draft than the chat's own, for the composer and the messages inside. */
export const DraftContext = createContext<Draft | null>(null)

const drafts = new WeakMap<ChatInstance, Draft>()

/**
 * The draft of a chat. It exists as long as the chat does, whichever components are mounted: a user who leaves a
 * conversation and returns finds the unsent text. To persist drafts beyond the page, `write` the stored text into it
 * and `subscribe` to changes.
 */
export function draftOf(chat: ChatInstance): Draft {
  const draft = drafts.get(chat) ?? createDraft()
  drafts.set(chat, draft)
  return draft
}

/** The draft that the composer and the messages here share. */
export function useDraft(): Draft {
  const chat = useChatContext()
  return useContext(DraftContext) ?? draftOf(chat)
}
