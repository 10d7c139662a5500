'use client'
import { useState } from 'react'
import { useNow } from '../../react/use-now.ts'

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
