import * as z from 'zod/mini'
import { LOG_LEVELS, RESERVED_UNITS } from '../values/telemetry.ts'
import { jsonObject, maybeText, name, number, optional, text } from './json-schemas.ts'

export const eventEmitSchema = /* @__PURE__ */ z.object({ name, attrs: optional(jsonObject) })

export const logSchema = /* @__PURE__ */ z.object({
  level: z.enum(LOG_LEVELS),
  message: text,
  attributes: optional(jsonObject),
})

/** A reserved name (RFC section 17.3.1) has its unit, or none is given. */
export const metricSchema = /* @__PURE__ */ z
  .object({ name, value: number, unit: maybeText, dims: optional(jsonObject) })
  .check(
    z.refine(
      (metric) => metric.unit === undefined || (RESERVED_UNITS[metric.name] ?? metric.unit) === metric.unit,
      'must have the unit that is reserved for its name',
    ),
  )

export const traceSpanSchema = /* @__PURE__ */ z.object({
  trace_id: name,
  span_id: name,
  parent_span_id: maybeText,
  name: text,
  start_time: text,
  duration_ms: optional(number),
  status: maybeText,
  attributes: optional(jsonObject),
})

/** An entry of a log. */
export type ArcpLog = z.output<typeof logSchema>
/** A measurement. */
export type ArcpMetric = z.output<typeof metricSchema>
