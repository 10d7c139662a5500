'use client'
import { useEffect } from 'react'
import { useThreadsStore } from '../react/use-threads.ts'
import type { ChatInstance } from '../state/chat.ts'
import type { Threads } from '../state/thread.ts'
import { draftOf } from './composer/draft-context.ts'

/**
 * Saves the text in the composer of a chat, without its files, and brings it back with the chat.
 *
 * @param given the store to keep it in; undefined: the provider's
 *
 * @example
 * ```tsx
 * import { useChatContext, useSavedDraft } from 'capstan/react'
 * import type { ThreadStore } from 'capstan/storage'
 *
 * export function SavedDraft({ store }: { store: ThreadStore }) {
 *   useSavedDraft(store, useChatContext())
 *   return null
 * }
 * ```
 */
export function useSavedDraft(given: Threads | undefined, chat: ChatInstance): void {
  const store = useThreadsStore(given)
  useEffect(() => {
    const { conversationId } = chat
    const draft = draftOf(chat)
    let { text } = draft.getSnapshot()
    let isOver = false
    const bringBack = async (): Promise<void> => {
      const kept = await store.readDraft(conversationId)
      // What has been written since is newer.
      if (!isOver && kept !== '' && draft.getSnapshot().text === '') draft.write(kept)
    }
    void bringBack()
    const stop = draft.subscribe(() => {
      const { text: written } = draft.getSnapshot()
      if (written !== text) store.writeDraft(conversationId, written)
      text = written
    })
    return () => {
      isOver = true
      stop()
    }
  }, [store, chat])
}
