import type { ReactNode } from 'react'
import { useState } from 'react'
import type { ArcpMessage } from 'capstan/arcp'
import { ArcpProvider, useArcpInvoke, useArcpSession, useArcpState, useArcpSubscription } from 'capstan/arcp/react'
import { SessionStatus, SubscriptionViewer } from 'capstan/jobs'
import type { ArcpScenarioId } from '../../server/arcp/arcp-scenarios.ts'
import { isArcpScenarioId } from '../../server/arcp/arcp-scenarios.ts'
import { useBench } from '../bench.ts'
import { Button } from '../button.tsx'
import { useStore } from '../store.ts'
import { ArcpChat } from './arcp-chat.tsx'
import { arcpClients } from './arcp-clients.ts'
import { ArcpJobView, Questions } from './arcp-job-view.tsx'
import { sessionPhase } from './session-phase.ts'

/** What is tried over ARCP. */
export function ArcpView(): ReactNode {
  const bench = useBench()
  const { scenario } = useStore(bench.talk)
  if (!isArcpScenarioId(scenario)) return null
  return (
    <ArcpProvider client={arcpClients(bench.environment).owner}>
      {scenario === 'arcp-input' && <ArcpChat tool="plan" suggestion="Plan a survey" />}
      {scenario === 'arcp-permission' && <ArcpChat tool="write" suggestion="Write the reports" />}
      {scenario !== 'arcp-input' && scenario !== 'arcp-permission' && (
        <div className="pg-arcp">
          <Work scenario={scenario} />
        </div>
      )}
    </ArcpProvider>
  )
}

type WorkId = Exclude<ArcpScenarioId, 'arcp-input' | 'arcp-permission'>

const TOOLS = { arcp: 'echo', 'arcp-progress': 'survey', 'arcp-observer': 'survey', 'arcp-relay': 'plan' } as const

function Work({ scenario }: { readonly scenario: WorkId }): ReactNode {
  const tool = TOOLS[scenario]
  const { invoke, status } = useArcpInvoke(tool)
  const { phase, runtime, connection, connect, close, retryNow } = useArcpSession()
  const ids = useArcpState(({ jobs }) => [...jobs.values()].flatMap((job) => (job.tool === tool ? [job.id] : [])), {
    isEqual: (left, right) => left.join() === right.join(),
  })
  return (
    <>
      <SessionStatus
        phase={sessionPhase(phase, connection)}
        runtime={runtime && `${runtime.kind} ${runtime.version}`}
        onConnect={() => void connect()}
        onClose={close}
        onRetry={retryNow}
      />
      <p>
        <Button kind="plain" onClick={() => void invoke({ text: 'Hello from the runtime.' })}>
          Invoke {tool}
        </Button>{' '}
        <span role="status">{status === 'submitted' ? 'Sent' : ''}</span>
      </p>
      {scenario === 'arcp-relay' ? (
        <Observed ids={ids} types={['human.input.request', 'human.choice.request']} />
      ) : (
        ids.map((id) => <ArcpJobView key={id} id={id} />)
      )}
      {scenario === 'arcp-observer' && ids.length > 0 && <Observer />}
    </>
  )
}

/** Questions that an observer sees through its subscription; the answers go to the session that was asked. */
function Observed({ ids, types }: { readonly ids: readonly string[]; readonly types: readonly string[] }): ReactNode {
  return (
    <>
      <Feed types={types} />
      {ids.map((id) => (
        <Questions key={id} jobId={id} />
      ))}
    </>
  )
}

function Observer(): ReactNode {
  const [isOpen, setIsOpen] = useState(false)
  return isOpen ? (
    <Feed types={['job.progress', 'job.completed', 'tool.result', 'log']} />
  ) : (
    <p>
      <Button kind="plain" onClick={() => setIsOpen(true)}>
        Observe from another session
      </Button>
    </p>
  )
}

function Feed({ types }: { readonly types: readonly string[] }): ReactNode {
  const { observer, owner } = arcpClients(useBench().environment)
  const sessionId = useArcpState(({ session }) => session.id, { client: owner })
  const filter = { types: [...types], ...(sessionId === undefined ? {} : { session_id: [sessionId] }) }
  const { status, isBackfilled, events, backfilled, dropped, reason, close } = useArcpSubscription(filter, {
    client: observer,
    after: '',
    enabled: sessionId !== undefined,
  })
  return (
    <SubscriptionViewer
      status={status === 'idle' ? 'opening' : status === 'open' && !isBackfilled ? 'backfilling' : status}
      events={events.map((message) => ({
        id: message.id,
        name: message.type,
        subject: message.job_id,
        text: wordsOf(message),
      }))}
      {...{ backfilled, dropped, reason }}
      onClose={close}
    />
  )
}

function wordsOf(message: ArcpMessage): string | undefined {
  switch (message.type) {
    case 'job.progress':
    case 'log':
      return message.payload.message
    case 'human.input.request':
    case 'human.choice.request':
      return message.payload.prompt
    default:
      return undefined
  }
}
