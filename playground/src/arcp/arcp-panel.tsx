import type { ReactNode } from 'react'
import { ArcpProvider, useArcpSession } from 'capstan/react'
import { SessionStatus } from 'capstan/components'
import { ARCP_CONTROL } from '../../server/arcp/arcp-scenarios.ts'
import { useBench } from '../bench.ts'
import { Button, IconButton } from '../button.tsx'
import { arcpClients } from './arcp-clients.ts'
import { sessionPhase } from './session-phase.ts'

const REFUSE_MS = 6000

/** The one socket of the page's session, and what can be done to it. */
export function ArcpPanel({ onClose }: { readonly onClose: () => void }): ReactNode {
  return (
    <>
      <div className="pg-panel-head">
        <h2>Connection</h2>
        <span className="pg-grow" />
        <IconButton glyph="x" label="Close connection panel" onClick={onClose} />
      </div>
      <ArcpProvider client={arcpClients(useBench().environment).owner}>
        <Session />
      </ArcpProvider>
    </>
  )
}

function Session(): ReactNode {
  const bench = useBench()
  const { phase, runtime, connection, capabilities = {}, error, connect, close, retryNow } = useArcpSession()
  const cut = (refuseMs: number): void => {
    fetch(`${ARCP_CONTROL}?refuseMs=${refuseMs}`, { method: 'POST' }).catch(() =>
      bench.problem.set('The server of this page could not be asked to drop the connection.'),
    )
  }
  return (
    <div className="pg-arcp-panel">
      <SessionStatus
        phase={sessionPhase(phase, connection)}
        runtime={runtime && `${runtime.kind} ${runtime.version}`}
        capabilities={Object.entries(capabilities).flatMap(([name, value]) => (value === true ? [name] : []))}
        error={error}
        onConnect={() => void connect()}
        onClose={close}
        onRetry={retryNow}
      />
      <p>
        <Button kind="plain" onClick={() => cut(0)}>
          Drop connection
        </Button>{' '}
        <Button kind="plain" onClick={() => cut(REFUSE_MS)}>
          Drop for 6 s
        </Button>
      </p>
      <p>Sockets opened by this session: {connection.connections}</p>
    </div>
  )
}
