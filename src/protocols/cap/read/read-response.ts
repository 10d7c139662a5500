import { isJsonObject } from '../../../base/json-object.ts'
import { asDateTime, asNumber, asObject, asText, asUuid } from './shape.ts'
import type { HealthCheckResponse, ServiceResponse } from '../schema/response.ts'

const STATUSES: ReadonlySet<unknown> = new Set<HealthCheckResponse['status']>(['ok', 'degraded', 'maintenance'])

/** A ServiceResponse (CAP section 3.6), keys it does not know left out; undefined for anything else. The verdict of `serviceResponseSchema`. */
export function toServiceResponse(value: unknown): ServiceResponse | undefined {
  if (!isJsonObject(value)) return undefined
  const request_id = asUuid.read(value.request_id)
  const created_at = asDateTime.read(value.created_at)
  const output = asObject.read(value.output)
  const metrics = value.metrics ?? undefined
  if (
    request_id === undefined ||
    created_at === undefined ||
    output === undefined ||
    (metrics !== undefined && !isJsonObject(metrics))
  )
    return undefined
  return { request_id, created_at, output, ...(metrics === undefined ? {} : { metrics }) }
}

/** A HealthCheckResponse (CAP section 3.6); undefined for anything else. The verdict of `healthCheckResponseSchema`. */
export function toHealthCheckResponse(value: unknown): HealthCheckResponse | undefined {
  if (!isJsonObject(value) || !isStatus(value.status)) return undefined
  const agent_id = asUuid.read(value.agent_id)
  const version = asText.read(value.version)
  const uptime_seconds = asNumber.read(value.uptime_seconds)
  if (agent_id === undefined || version === undefined || uptime_seconds === undefined) return undefined
  return { status: value.status, agent_id, version, uptime_seconds }
}

function isStatus(value: unknown): value is HealthCheckResponse['status'] {
  return STATUSES.has(value)
}
