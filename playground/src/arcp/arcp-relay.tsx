import type { ReactNode } from 'react'
import { useState } from 'react'
import type { ArcpMessage } from 'capstan/arcp'
import { useBench } from '../bench.ts'
import { Button } from '../button.tsx'
import { arcpClients } from './arcp-clients.ts'
import { ArcpFeed, useObserved } from './arcp-observer.tsx'

type Question = Extract<ArcpMessage, { type: 'human.choice.request' }>

const TYPES = ['human.choice.request', 'job.completed']

/** Another session that is asked in place of this one, and relays the answer. */
export function ArcpRelay(): ReactNode {
  const feed = useObserved(TYPES)
  const over = new Set(feed.events.flatMap(({ type, job_id: jobId }) => (type === 'job.completed' ? [jobId] : [])))
  return (
    <>
      <ArcpFeed feed={feed} />
      {feed.events.map((message) =>
        message.type === 'human.choice.request' && !over.has(message.job_id) ? (
          <Relayed key={message.id} question={message} />
        ) : null,
      )}
    </>
  )
}

function Relayed({ question }: { readonly question: Question }): ReactNode {
  const bench = useBench()
  const [outcome, setOutcome] = useState('')
  const relay = async (optionId: string): Promise<void> => {
    setOutcome('Sent')
    try {
      const { result } = await arcpClients(bench.environment).observer.answer(question, { type: 'option', optionId })
      setOutcome(result === 'accepted' ? 'Taken' : 'Not taken')
    } catch {
      setOutcome('Nobody knows whether it arrived')
    }
  }
  return (
    <div role="group" aria-label="Question for the observer" className="pg-arcp-question">
      <p>
        <bdi>{question.payload.prompt}</bdi>
      </p>
      <p>
        {question.payload.options.map(({ id, label }) => (
          <Button key={id} kind="plain" onClick={() => void relay(id)}>
            {label}
          </Button>
        ))}{' '}
        <span role="status">{outcome}</span>
      </p>
    </div>
  )
}
