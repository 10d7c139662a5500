'use client'

import { type ReactNode, useState, useEffect } from 'react'
import { useNow } from '../../react/use-now.ts'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { useHydrated } from './use-hydrated.ts'

const TICK_MS = 100

export interface CountdownProps {
  /** Clock time (`Clock.now()`) of the next attempt. */
  readonly until: number | undefined
  /** False: the agent has not answered in this run yet, so there is nothing to reconnect to. @default true */
  readonly hasOpened?: boolean | undefined
}

/**
 * "Reconnecting in 4 s", or before the first answer "No connection yet, trying again in 4 s", ticking. A screen reader
 * reads the plain sentence once; the running figure is visual only.
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

const SECOND = 1000

/** Milliseconds a part has been live, by the second; constant once it no longer is; undefined if it never was. */
export function useLiveTime(live: boolean): number | undefined {
  const now = useNow(live, SECOND)
  const [startedAt, setStartedAt] = useState(live ? now : undefined)
  const [lastAt, setLastAt] = useState(now)
  if (live && lastAt !== now) {
    // Before the first tick the time is that of an earlier render.
    if (startedAt === undefined) setStartedAt(now)
    setLastAt(now)
  }
  return startedAt === undefined ? undefined : Math.max(0, lastAt - startedAt)
}

/** True once `active` has held without a break for `ms` milliseconds: blinks stay unseen. */
export function useLongerThan(active: boolean, ms: number): boolean {
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (!active) return
    const timer = setTimeout(() => setHeld(true), ms)
    return () => {
      clearTimeout(timer)
      setHeld(false)
    }
  }, [active, ms])
  return active && held
}

/** Making a format takes as long as showing a whole message. */
const formats = new Map<string | undefined, Intl.DateTimeFormat>()

function formatOf(lang: string | undefined): Intl.DateTimeFormat {
  const format = formats.get(lang) ?? new Intl.DateTimeFormat(lang, { hour: 'numeric', minute: '2-digit' })
  formats.set(lang, format)
  return format
}

/** The time of day. Empty until hydration: the server does not know the user's time zone. */
export function ClockTime({ at }: { /** Epoch milliseconds. */ readonly at: number }): ReactNode {
  const { lang } = useDictionary().language
  const hydrated = useHydrated()
  const date = new Date(at)
  return (
    <time className="cs-meta" dateTime={date.toISOString()}>
      {hydrated ? formatOf(lang).format(date) : ''}
    </time>
  )
}
