import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'
import { ConnectionStatus } from '../../../src/components.ts'
import { useChatSelector } from '../../../src/react.ts'
import { useBench } from '../bench.ts'

const TICK_MS = 100

/** The kit's pill, with the seconds left in it. `short`: the figure alone, where room is scarce. */
export function LinePill({ short = false }: { readonly short?: boolean }): ReactNode {
  const nextRetryAt = useChatSelector(({ connection }) => connection.nextRetryAt)
  const seconds = useSecondsLeft(nextRetryAt)
  return (
    <ConnectionStatus
      bare
      render={(props, { state }) => {
        if (state !== 'reconnecting' || seconds === undefined) return <span {...props} />
        return <span {...props}>{short ? `${seconds} s` : `Reconnecting in ${seconds} s`}</span>
      }}
    />
  )
}

function useSecondsLeft(until: number | undefined): string | undefined {
  const { clock } = useBench().environment
  const [now, setNow] = useState(() => clock.now())
  useEffect(() => {
    if (until === undefined) return
    const timer = setInterval(() => setNow(clock.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [until, clock])
  return until === undefined ? undefined : Math.max(0, (until - now) / 1000).toFixed(1)
}
