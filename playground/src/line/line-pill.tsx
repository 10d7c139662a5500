import type { ReactNode } from 'react'
import { ConnectionStatus } from 'capstan/components'
import { useChatSelector } from 'capstan/react'
import { useNow } from '../use-now.ts'

/** The kit's pill, with the seconds left in it. `short`: the figure alone, where room is scarce. */
export function LinePill({ short = false }: { readonly short?: boolean }): ReactNode {
  const nextRetryAt = useChatSelector(({ connection }) => connection.nextRetryAt)
  const now = useNow(nextRetryAt !== undefined)
  return (
    <ConnectionStatus
      bare
      render={(props, { state }) => {
        if (state !== 'reconnecting' || nextRetryAt === undefined) return <span {...props} />
        const seconds = `${Math.max(0, (nextRetryAt - now) / 1000).toFixed(1)} s`
        return (
          <span {...props}>
            <bdi>{short ? seconds : `Reconnecting in ${seconds}`}</bdi>
          </span>
        )
      }}
    />
  )
}
