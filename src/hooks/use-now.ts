'use client'
import { useContext, useEffect, useState } from 'react'
import type { Clock } from '../base/clock.ts'
import { systemEnvironment } from '../base/environment.ts'
import { AgentContext } from './agent-context.ts'

type Listener = (now: number) => void

/** One timer for all readers of a clock at one interval: everything that counts down shows the same time. */
type Ticker = (listener: Listener) => () => void

const tickers = new WeakMap<Clock, Map<number, Ticker>>()

function tickerOf(clock: Clock, everyMs: number): Ticker {
  const known = tickers.get(clock) ?? new Map<number, Ticker>()
  tickers.set(clock, known)
  const ticker = known.get(everyMs) ?? createTicker(clock, everyMs)
  known.set(everyMs, ticker)
  return ticker
}

function createTicker(clock: Clock, everyMs: number): Ticker {
  const listeners = new Set<Listener>()
  let cancel = (): void => {}
  const tick = (): void => {
    cancel()
    const now = clock.now()
    for (const listener of listeners) listener(now)
    cancel = clock.after(everyMs, tick)
  }
  return (listener) => {
    listeners.add(listener)
    // Read again for all of them, so that a new reader is neither late nor ahead of the others.
    tick()
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) cancel()
    }
  }
}

/** `Clock.now()`, read again every `everyMs` milliseconds while `active`, for all readers at the same moment: for countdowns and durations. */
export function useNow(active: boolean, everyMs = 200): number {
  const { clock } = useContext(AgentContext)?.client.environment ?? systemEnvironment
  const [now, setNow] = useState(() => clock.now())
  useEffect(() => (active ? tickerOf(clock, everyMs)(setNow) : undefined), [active, everyMs, clock])
  return now
}
