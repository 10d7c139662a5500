import type { Clock } from '../base/clock.ts'
import type { HealthCheckResponse } from '../protocols/cap/response.ts'
import { appError } from './app-error.ts'

/** What GET /health says of the agent. */
export interface HealthOptions {
  /** UUID of the agent (default: the nil UUID). */
  readonly agentId?: string | undefined
  /** SemVer of the agent (default `0.0.0`). */
  readonly version?: string | undefined
  /** Asked on every request (default: always `ok`). */
  readonly status?: (() => HealthCheckResponse['status'] | Promise<HealthCheckResponse['status']>) | undefined
}

const STATUSES: ReadonlySet<unknown> = new Set<HealthCheckResponse['status']>(['ok', 'degraded', 'maintenance'])

/** Answers 200 whenever the process answers; how the agent feels is in the body (CAP section 6, rule 9). */
export function createHealthCheck(options: HealthOptions, clock: Clock): () => Promise<Response> {
  const { agentId = '00000000-0000-0000-0000-000000000000', version = '0.0.0', status } = options
  const started = clock.now()
  return async () => {
    const said = status === undefined ? 'ok' : await status()
    if (!STATUSES.has(said)) throw appError('health.status returned something else than "ok", "degraded" or "maintenance". Return one of them.')
    const body: HealthCheckResponse = {
      status: said,
      agent_id: agentId,
      version,
      uptime_seconds: (clock.now() - started) / 1000,
    }
    return Response.json(body, { headers: { 'cache-control': 'no-store' } })
  }
}
