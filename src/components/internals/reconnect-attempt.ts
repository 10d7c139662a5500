'use client'

import { useState } from 'react'
import type { Connection } from '../../session/connection.ts'
import { useLongerThan } from './live-time.tsx'

/** A drop shorter than this is not worth a message. */
export const BLINK_MS = 400

/** Lost, and being tried again: waiting for the next attempt, or in the middle of one. */
export function isDown(connection: Connection): boolean {
  return connection.phase === 'waiting' || (connection.phase === 'connecting' && connection.attempt > 0)
}

/** The attempt as people count: from one, never above the limit. */
export function attemptOf(connection: Connection): number {
  return Math.min(Math.max(1, connection.attempt), Math.max(1, connection.maxAttempts))
}

/** "Retry now", and whether it had no effect. */
interface RetryNow {
  readonly press: () => void
  /** It was pressed and the plan stayed as it was: a run makes at most 20 attempts a minute, however often it is asked. */
  readonly tooSoon: boolean
}

/** An attempt that goes out changes `nextRetryAt`; one that is refused leaves it, which is how the refusal shows. */
export function useRetryNow(nextRetryAt: number | undefined, retry: (() => void) | undefined): RetryNow {
  const [pressedAt, setPressedAt] = useState<number>()
  const tooSoon = useLongerThan(Boolean(nextRetryAt) && pressedAt === nextRetryAt, BLINK_MS)
  return {
    tooSoon,
    press() {
      setPressedAt(nextRetryAt)
      retry?.()
    },
  }
}
