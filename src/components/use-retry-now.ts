'use client'
import { useState } from 'react'
import { BLINK_MS } from './internals/reconnect-attempt.ts'
import { useLongerThan } from './internals/use-longer-than.ts'

/** "Retry now", and whether it had no effect. */
export interface RetryNow {
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
