import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'
import { isAgentError } from 'capstan'
import type { CapClient } from 'capstan'
import type { HealthStatus } from 'capstan/components'
import { HealthBadge } from 'capstan/components'

interface Answer {
  readonly client: CapClient
  readonly status: HealthStatus
  readonly text: string
  /** Epoch milliseconds. */
  readonly at: number
}

/** The health that the agent reports, requested once per client. */
export function AgentHealth({ client }: { readonly client: CapClient | undefined }): ReactNode {
  const [answer, setAnswer] = useState<Answer | undefined>()
  useEffect(() => {
    if (client === undefined) return
    const leaving = new AbortController()
    const tell = (status: HealthStatus, text: string): void => {
      if (!leaving.signal.aborted) setAnswer({ client, status, text, at: client.environment.clock.date() })
    }
    client.health({ signal: leaving.signal }).then(
      ({ status, version, uptime_seconds }) => tell(status, `version ${version}, up ${Math.round(uptime_seconds)} s`),
      (error: unknown) => tell('unknown', isAgentError(error) ? error.message : 'Couldn’t reach the agent.'),
    )
    return () => leaving.abort()
  }, [client])

  const told = answer?.client === client ? answer : undefined
  return (
    <div className="pg-health" role="status">
      {client === undefined ? (
        <HealthBadge status="unknown" />
      ) : told === undefined ? (
        <small>Asking…</small>
      ) : (
        <>
          <HealthBadge status={told.status} checkedAt={told.at} />
          <small>
            <bdi>{told.text}</bdi>
          </small>
        </>
      )}
    </div>
  )
}
