import * as z from 'zod/mini'
import { jsonObject, optional, text, laxScalars } from '../../../../src/protocols/cap/schema/scalar-schemas.ts'

const { dateTime } = laxScalars
const specversion = /* @__PURE__ */ z._default(z.literal('1.0', 'must be "1.0"'), '1.0')

/** CloudEvents 1.0 as G0 and G1 wrote them: extension attributes are kept (CAP section 2). */
export const cloudEventG0Schema = /* @__PURE__ */ z.looseObject({
  specversion,
  type: text,
  source: text,
  id: z.optional(text),
  time: optional(dateTime),
  datacontenttype: optional(text),
  data: optional(jsonObject),
})

/** The same before v0.17: id and time are required. */
export const cloudEventG2Schema = /* @__PURE__ */ z.object({
  specversion,
  type: text,
  source: text,
  id: text,
  time: dateTime,
  datacontenttype: optional(text),
  data: optional(jsonObject),
})

/** One SSE frame of G0: its data is the JSON text of a CloudEvent. */
export const serverSentEventSchema = /* @__PURE__ */ z.object({ event: text, data: text, id: optional(text) })
