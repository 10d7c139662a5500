'use client'

import { useEffect, useState, useContext } from 'react'
import type { Clock } from '../base/ports/clock.ts'
import { systemEnvironment } from '../base/ports/environment.ts'
import { AgentContext } from './agent-provider.tsx'

type Listener = (now: number) => void

/** One timer for all readers of a clock at one interval: everything that counts down shows the same time. */
interface Ticker {
  /** The time that the others show; without others, the clock's. */
  read(): number
  subscribe(listener: Listener): () => void
}

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
  let shown = 0
  let cancel = (): void => {}
  const tick = (): void => {
    cancel()
    shown = clock.now()
    for (const listener of listeners) listener(shown)
    cancel = clock.after(everyMs, tick)
  }
  return {
    read: () => (listeners.size === 0 ? clock.now() : shown),
    subscribe(listener) {
      listeners.add(listener)
      // Read again for all of them, so that a new reader is neither late nor ahead of the others.
      tick()
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) cancel()
      }
    },
  }
}

/**
 * `Clock.now()`, read again every `everyMs` milliseconds while `active`, for all readers at the same moment: for countdowns and durations.
 *
 * @param clock another clock than that of the nearest client
 */
export function useNow(active: boolean, everyMs = 200, clock?: Clock): number {
  const nearest = useClock()
  const ticker = tickerOf(clock ?? nearest, everyMs)
  const [reading, setReading] = useState(() => ({ now: ticker.read(), active }))
  // A reader that begins shows what the others show, and not the time of an earlier render, already in its first frame.
  if (reading.active !== active) setReading({ now: active ? ticker.read() : reading.now, active })
  useEffect(() => (active ? ticker.subscribe((now) => setReading({ now, active: true })) : undefined), [active, ticker])
  return reading.now
}

/** The clock of the nearest client; that of the machine without one. */
export function useClock(): Clock {
  return (useContext(AgentContext)?.client.environment ?? systemEnvironment).clock
}
