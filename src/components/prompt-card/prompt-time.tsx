'use client'
import type { ReactNode } from 'react'
import { useClock } from '../../react/use-clock.ts'
import { useNow } from '../../react/use-now.ts'
import { usePromptStrings } from '../dictionary/prompt-strings-context.tsx'

/** How long a prompt can still be answered, ticking for eyes only. Only the agent says that it is over. */
export function PromptTime({ until }: { readonly until: number }): ReactNode {
  const strings = usePromptStrings().card
  const clock = useClock()
  useNow(true, 1000)
  const left = until - clock.date()
  return (
    <span className="cs-prompt-time" role="timer">
      {left > 0 ? strings.timeLeft(left) : strings.timeOver}
    </span>
  )
}
