import * as z from 'zod/mini'
import { flag, jsonObject, maybeText, name, optional, text } from './json-schemas.ts'

/** An error (RFC section 18.1). `code` is open text: the 21 names of the protocol, RATE_LIMITED, and namespaced ones. */
export const errorSchema = /* @__PURE__ */ z.object({
  code: name,
  message: text,
  retryable: flag,
  details: optional(jsonObject),
  cause: optional(jsonObject),
  trace_id: maybeText,
})

/** An error of the protocol, as it travels. */
export type ArcpErrorPayload = z.output<typeof errorSchema>
