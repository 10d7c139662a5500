'use client'
import type { ReactNode } from 'react'
import { useNow } from '../../react/use-now.ts'
import { useDictionary } from '../dictionary/dictionary-context.tsx'

const TICK_MS = 100

export interface CountdownProps {
  /** Clock time (`Clock.now()`) of the next attempt. */
  readonly until: number | undefined
  /** False: the agent has not answered in this run yet, so there is nothing to reconnect to. @default true */
  readonly hasOpened?: boolean | undefined
}

/**
 * "Reconnecting in 4 s", or before the first answer "No connection yet, trying again in 4 s", ticking. A screen reader
 * hears the plain sentence once; the running figure is for eyes only.
 */
export function Countdown({ until, hasOpened = true }: CountdownProps): ReactNode {
  const strings = useDictionary().reconnection
  const now = useNow(until !== undefined, TICK_MS)
  const [plain, wait, attempt] = hasOpened
    ? [strings.reconnecting, strings.reconnectingIn, strings.reconnectingNow]
    : [strings.connecting, strings.connectingIn, strings.connectingNow]
  const left = until === undefined ? 0 : until - now
  return (
    <span className="cs-countdown">
      <span className="cs-hidden">{plain}</span>
      <span aria-hidden="true">{left > 0 ? wait(left) : attempt}</span>
    </span>
  )
}
