import { AgentError } from '../../base/agent-error.ts'
import type { Clock } from '../../base/ports/clock.ts'
import type { ControlName } from '../../protocols/cap/handle.ts'
import type { HealthCheckResponse } from '../../protocols/cap/schema/response.ts'
import { canonicalUuid } from '../../protocols/cap/values/scalars.ts'
import { appError } from '../run/app-error.ts'

/** What GET /health says of the agent. */
export interface HealthOptions {
  /** UUID of the agent. @default '00000000-0000-0000-0000-000000000000' */
  readonly agentId?: string | undefined
  /** SemVer of the agent. @default '0.0.0' */
  readonly version?: string | undefined
  /** Asked on every request. Absent: always `ok`. */
  readonly status?: (() => HealthCheckResponse['status'] | Promise<HealthCheckResponse['status']>) | undefined
}

const STATUSES: ReadonlySet<unknown> = new Set<HealthCheckResponse['status']>(['ok', 'degraded', 'maintenance'])

/**
 * Answers 200 whenever the process answers; how the agent feels is in the body (CAP section 6, rule 9).
 *
 * @param control commands that runs take. The models of CAP ignore keys they do not know
 * @throws AgentError `invalid_config` when the answer would be no HealthCheckResponse
 */
export function createHealthCheck(
  options: HealthOptions,
  clock: Clock,
  control: readonly ControlName[],
): () => Promise<Response> {
  const { agentId = '00000000-0000-0000-0000-000000000000', version = '0.0.0', status } = options
  assertHealth('health.agentId', agentId, canonicalUuid(agentId) !== undefined, 'a UUID')
  assertHealth('health.version', version, typeof version === 'string', 'a string')
  const started = clock.now()
  return async () => {
    const said = status === undefined ? 'ok' : await status()
    if (!STATUSES.has(said))
      throw appError(
        'health.status returned something else than "ok", "degraded" or "maintenance". Return one of them.',
      )
    const body: HealthCheckResponse & { readonly control?: readonly ControlName[] } = {
      status: said,
      agent_id: agentId,
      version,
      uptime_seconds: (clock.now() - started) / 1000,
      ...(control.length > 0 && { control }),
    }
    return Response.json(body, { headers: { 'cache-control': 'no-store' } })
  }
}

function assertHealth(name: string, value: unknown, fits: boolean, wanted: string): void {
  if (fits) return
  throw new AgentError({
    kind: 'protocol',
    code: 'invalid_config',
    severity: 'FATAL',
    message: `${name} is ${JSON.stringify(value)}, but CAP carries it as ${wanted}. Clients would refuse every answer of GET /health.`,
  })
}
