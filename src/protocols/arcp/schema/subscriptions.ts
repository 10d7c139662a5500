import * as z from 'zod/mini'
import { jsonObject, maybeText, name, optional, text } from './json-schemas.ts'

const texts = /* @__PURE__ */ optional(z.array(text))

/** Fields are ANDed, the items of a list ORed. A key that is not known is a fault, so that no filter is wider than it was meant. */
export const filterSchema = /* @__PURE__ */ z.strictObject({
  session_id: texts,
  job_id: texts,
  stream_id: texts,
  trace_id: texts,
  types: texts,
  min_priority: optional(z.enum(['low', 'normal', 'high', 'critical'])),
})

export const subscribeSchema = /* @__PURE__ */ z.object({
  filter: filterSchema,
  since: optional(z.object({ after_message_id: maybeText })),
})

export const subscribeAcceptedSchema = /* @__PURE__ */ z.object({ subscription_id: name })

export const subscribeEventSchema = /* @__PURE__ */ z.object({ event: jsonObject })

export const subscribeClosedSchema = /* @__PURE__ */ z.object({
  subscription_id: maybeText,
  reason: text,
  code: maybeText,
})

export const unsubscribeSchema = /* @__PURE__ */ z.object({ subscription_id: maybeText })

/** What a subscription is about. Fields are ANDed, the items of a list ORed. */
export type ArcpFilter = z.output<typeof filterSchema>
