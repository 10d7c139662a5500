import type { ReactNode } from 'react'
import { ConnectionStatus } from 'capstan/components'
import { useChatSelector } from 'capstan/react'
import { useNow, wholeSeconds } from '../wire/inner.ts'

/** capstan's pill, with the time left in it as the chat shows it. `short`: the figure alone, where space is scarce. */
export function ConnectionPill({ short = false }: { readonly short?: boolean }): ReactNode {
  const nextRetryAt = useChatSelector(({ connection }) => connection.nextRetryAt)
  return (
    <ConnectionStatus
      bare
      render={(props, { state }) => (
        <span {...props}>
          {state === 'reconnecting' && nextRetryAt !== undefined ? (
            <TimeLeft until={nextRetryAt} short={short} />
          ) : short && state === 'silent' ? (
            'Waiting'
          ) : (
            props.children
          )}
        </span>
      )}
    />
  )
}

function TimeLeft({ until, short }: { readonly until: number; readonly short: boolean }): ReactNode {
  const left = until - useNow(true, 100)
  const figure = wholeSeconds(left)
  return <bdi>{left <= 0 ? 'Reconnecting…' : short ? figure : `Reconnecting in ${figure}`}</bdi>
}
