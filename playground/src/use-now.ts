import { useEffect, useState } from 'react'
import { useBench } from './bench.ts'

/** `Clock.now()`, read again every `everyMs` milliseconds while `active`. */
export function useNow(active: boolean, everyMs = 100): number {
  const { clock } = useBench().environment
  const [now, setNow] = useState(() => clock.now())
  useEffect(() => {
    if (!active) return
    const tick = (): void => setNow(clock.now())
    const timers = [setTimeout(tick), setInterval(tick, everyMs)]
    return () => timers.forEach(clearTimeout)
  }, [active, clock, everyMs])
  return now
}
