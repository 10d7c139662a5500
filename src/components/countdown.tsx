'use client'
import type { ReactNode } from 'react'
import { useNow } from '../hooks/use-now.ts'
import { useDictionary } from './dictionary-context.tsx'

const TICK_MS = 100

export interface CountdownProps {
  /** Clock time (`Clock.now()`) of the next attempt. */
  readonly until: number | undefined
}

/**
 * "Reconnecting in 1.4 s", ticking. A screen reader hears the plain sentence once; the running
 * figure is for eyes only, in a place of fixed width.
 */
export function Countdown({ until }: CountdownProps): ReactNode {
  const words = useDictionary().line
  const now = useNow(until !== undefined, TICK_MS)
  const left = until === undefined ? 0 : until - now
  return (
    <span className="cs-countdown">
      <span className="cs-hidden">{words.reconnecting}</span>
      <span aria-hidden="true">{left > 0 ? words.reconnectingIn(left) : words.reconnectingNow}</span>
    </span>
  )
}
