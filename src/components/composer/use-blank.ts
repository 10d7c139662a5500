'use client'
import { useSyncExternalStore } from 'react'
import type { Draft } from './draft.ts'

/** Whether a draft has nothing in it that could be sent. */
export function useBlank(draft: Draft): boolean {
  const isBlank = (): boolean => {
    const { text, attachments } = draft.getSnapshot()
    return text.trim() === '' && attachments.length === 0
  }
  return useSyncExternalStore(draft.subscribe, isBlank, isBlank)
}
