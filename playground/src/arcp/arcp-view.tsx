import type { ReactNode } from 'react'
import { ArcpProvider, useArcpInvoke, useArcpSession, useArcpState } from 'capstan/react'
import { SessionStatus } from 'capstan/components'
import type { ArcpScenarioId } from '../../server/arcp/arcp-scenarios.ts'
import { isArcpScenarioId } from '../../server/arcp/arcp-scenarios.ts'
import { useBench } from '../bench.ts'
import { Button } from '../button.tsx'
import { useStore } from '../store.ts'
import { ArcpChat } from './arcp-chat.tsx'
import { arcpClients } from './arcp-clients.ts'
import { ArcpJobView } from './arcp-job-view.tsx'
import { ArcpObserver } from './arcp-observer.tsx'
import { ArcpRelay } from './arcp-relay.tsx'
import { sessionPhase } from './session-phase.ts'

/** What is tried over ARCP. */
export function ArcpView(): ReactNode {
  const bench = useBench()
  const { scenario } = useStore(bench.talk)
  if (!isArcpScenarioId(scenario)) return null
  return (
    <ArcpProvider client={arcpClients(bench.environment).owner}>
      {scenario === 'arcp-input' && <ArcpChat tool="plan" title="Survey planner" suggestion="Plan a survey" />}
      {scenario === 'arcp-permission' && <ArcpChat tool="write" title="Report writer" suggestion="Write the reports" />}
      {scenario !== 'arcp-input' && scenario !== 'arcp-permission' && (
        <div className="pg-arcp">
          <Work scenario={scenario} />
        </div>
      )}
    </ArcpProvider>
  )
}

type WorkId = Exclude<ArcpScenarioId, 'arcp-input' | 'arcp-permission'>

const TOOLS = { arcp: 'echo', 'arcp-progress': 'survey', 'arcp-observer': 'survey', 'arcp-relay': 'sluice' } as const

/** A session, a tool to invoke, and the jobs that came of it. */
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
        <Button kind="primary" size="small" onClick={() => void invoke({ text: 'Hello from the runtime.' })}>
          Invoke {tool}
        </Button>{' '}
        <span role="status">{status === 'submitted' ? 'Sent' : ''}</span>
      </p>
      {scenario === 'arcp-observer' && ids.length > 0 && <ArcpObserver />}
      {scenario === 'arcp-relay' && ids.length > 0 && <ArcpRelay />}
      {ids.toReversed().map((id) => (
        <ArcpJobView key={id} id={id} asks={scenario !== 'arcp-relay'} />
      ))}
    </>
  )
}
