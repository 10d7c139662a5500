import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'
import { isAgentError } from '../../../src/index.ts'
import type { CapClient, HealthCheckResponse } from '../../../src/cap.ts'

type Health = HealthCheckResponse['status'] | 'asking' | 'unknown'

const WORDS: Readonly<Record<Health, string>> = { ok: 'Operational', degraded: 'Degraded', maintenance: 'Maintenance', asking: 'Asking…', unknown: 'Unknown' }
/** Shapes of the kit's pill. */
const STATES: Readonly<Record<Health, string>> = { ok: 'live', degraded: 'reconnecting', maintenance: 'offline', asking: 'ready', unknown: 'failed' }

interface Answer {
  readonly client: CapClient
  readonly health: Health
  readonly text: string
}

/** What the agent says of its own health, asked for once per client. */
export function HealthPill({ client }: { readonly client: CapClient | undefined }): ReactNode {
  const [answer, setAnswer] = useState<Answer | undefined>()
  useEffect(() => {
    if (client === undefined) return
    const leaving = new AbortController()
    const tell = (health: Health, text: string): void => {
      if (!leaving.signal.aborted) setAnswer({ client, health, text })
    }
    client.health({ signal: leaving.signal }).then(
      ({ status, version, uptime_seconds }) => tell(status, `version ${version}, up ${Math.round(uptime_seconds)} s`),
      (error: unknown) => tell('unknown', isAgentError(error) ? error.message : 'The agent could not be asked.'),
    )
    return () => leaving.abort()
  }, [client])

  const health = client === undefined ? 'unknown' : answer?.client === client ? answer.health : 'asking'
  return (
    <div className="pg-health" role="status">
      <span className="cs-part cs-pill" data-state={STATES[health]}>
        {WORDS[health]}
      </span>
      <span className="cs-meta">{answer?.client === client ? answer?.text : ''}</span>
    </div>
  )
}
