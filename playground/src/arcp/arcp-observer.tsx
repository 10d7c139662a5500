import type { ReactNode } from 'react'
import { useState } from 'react'
import type { ArcpMessage } from 'capstan/arcp'
import type { ArcpSubscriptionResult } from 'capstan/react'
import { useArcpState, useArcpSubscription } from 'capstan/react'
import { SubscriptionViewer } from 'capstan/components'
import { useBench } from '../bench.ts'
import { Button } from '../button.tsx'
import { arcpClients } from './arcp-clients.ts'

const TYPES = ['job.accepted', 'job.progress', 'job.completed', 'log']

/** Another session that follows what the jobs of this one say. */
export function ArcpObserver(): ReactNode {
  const [isOpen, setIsOpen] = useState(false)
  return isOpen ? (
    <Followed />
  ) : (
    <p>
      <Button kind="plain" onClick={() => setIsOpen(true)}>
        Observe from another session
      </Button>
    </p>
  )
}

function Followed(): ReactNode {
  return <ArcpFeed feed={useObserved(TYPES)} />
}

/** What the observer's session is told about the jobs of the owner's: all that was said, and what is new. */
export function useObserved(types: readonly string[]): ArcpSubscriptionResult {
  const { observer, owner } = arcpClients(useBench().environment)
  const sessionId = useArcpState(({ session }) => session.id, { client: owner })
  const filter = { types: [...types], ...(sessionId === undefined ? {} : { session_id: [sessionId] }) }
  return useArcpSubscription(filter, { client: observer, after: '', enabled: sessionId !== undefined })
}

/** What came of a subscription. */
export function ArcpFeed({ feed }: { readonly feed: ArcpSubscriptionResult }): ReactNode {
  const { status, isBackfilled, events, backfilled, dropped, reason, close } = feed
  return (
    <SubscriptionViewer
      status={status === 'idle' ? 'opening' : status === 'open' && !isBackfilled ? 'backfilling' : status}
      events={events.map((message) => ({
        id: message.id,
        name: message.type,
        subject: message.job_id,
        text: textOf(message),
      }))}
      {...{ backfilled, dropped, reason }}
      onClose={close}
    />
  )
}

function textOf(message: ArcpMessage): string | undefined {
  switch (message.type) {
    case 'job.progress':
    case 'log':
      return message.payload.message
    case 'human.choice.request':
      return message.payload.prompt
    default:
      return undefined
  }
}
