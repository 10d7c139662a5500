import * as z from 'zod/mini'
import {
  jsonObject,
  optional,
  text,
  type ReadingOptions,
  type Scalars,
  createScalars,
  laxScalars,
} from './scalar-schemas.ts'

/** Makes {@link serviceResponseSchema} with other reading options. */
// @__NO_SIDE_EFFECTS__
export function createServiceResponseSchema(options: ReadingOptions = {}) {
  const { uuid, dateTime } = createScalars(options)
  return z.object(
    { request_id: uuid, created_at: dateTime, output: jsonObject, metrics: optional(jsonObject) },
    'must be an object with request_id, created_at and output',
  )
}

// @__NO_SIDE_EFFECTS__
function healthCheckResponse({ uuid, number }: Scalars) {
  return z.object(
    {
      status: z.enum(['ok', 'degraded', 'maintenance'], 'must be ok, degraded or maintenance'),
      agent_id: uuid,
      version: text,
      uptime_seconds: number,
    },
    'must be an object with status, agent_id, version and uptime_seconds',
  )
}

/** The whole answer at once, where an agent does not stream (CAP section 3.6). `output` is a free object. */
export const serviceResponseSchema = /* @__PURE__ */ createServiceResponseSchema()

/** The answer of `GET /health` (CAP section 3.6). */
export const healthCheckResponseSchema = /* @__PURE__ */ healthCheckResponse(laxScalars)

/** A whole answer as the schema leaves it. */
export type ServiceResponse = z.output<typeof serviceResponseSchema>
/** How an agent service fares. `uptime_seconds` may be NaN, as the reference models allow it. */
export type HealthCheckResponse = z.output<typeof healthCheckResponseSchema>
