'use client'
import { useEffect } from 'react'
import type { Chat } from '../../state/chat-snapshot.ts'
import type { Threads } from '../../state/thread.ts'
import { draftOf } from '../composer/draft-context.ts'

/** Keeps what stands in the composer of a chat, without its files, and brings it back with the chat. */
export function useKeptDraft(store: Threads, chat: Chat): void {
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
