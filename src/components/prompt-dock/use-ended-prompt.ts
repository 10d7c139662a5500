'use client'
import { useEffect, useRef, useState } from 'react'
import { useChatContext } from '../../react/chat-context.ts'
import type { Prompt, PromptState } from '../../seam/prompt.ts'
import { findPrompt } from '../../state/conversation/prompts.ts'

/** Ends that the user here has not brought about. */
export type UnexpectedEnd = 'answered-elsewhere' | 'expired' | 'withdrawn'

function isUnexpected(state: PromptState | undefined): state is UnexpectedEnd {
  return state === 'answered-elsewhere' || state === 'expired' || state === 'withdrawn'
}

/** How the prompt that was removed last ended, if not by an answer given here. Undefined as soon as others wait. */
export function useEndedPrompt(prompts: readonly Prompt[]): UnexpectedEnd | undefined {
  const chat = useChatContext()
  const before = useRef<readonly Prompt[]>([])
  const [end, setEnd] = useState<UnexpectedEnd>()
  useEffect(() => {
    const gone = before.current.findLast(({ id }) => prompts.every((prompt) => prompt.id !== id))
    const isNew = prompts.some(({ id }) => before.current.every((prompt) => prompt.id !== id))
    before.current = prompts
    if (gone === undefined && !isNew) return
    const state = gone && findPrompt(chat.getSnapshot().messages, gone.id)?.prompt.state
    setEnd(isUnexpected(state) ? state : undefined)
  }, [chat, prompts])
  return end
}
