'use client'
import { useContext, useEffect, useState } from 'react'
import { systemEnvironment } from '../base/environment.ts'
import { AgentContext } from './agent-context.ts'

/** `Clock.now()`, read again every `everyMs` milliseconds while `active`: for countdowns and durations. */
export function useNow(active: boolean, everyMs = 200): number {
  const { clock } = useContext(AgentContext)?.client.environment ?? systemEnvironment
  const [now, setNow] = useState(() => clock.now())
  useEffect(() => {
    if (!active) return undefined
    let cancel = (): void => {}
    const tick = (): void => {
      setNow(clock.now())
      cancel = clock.after(everyMs, tick)
    }
    tick()
    return () => cancel()
  }, [active, everyMs, clock])
  return now
}
