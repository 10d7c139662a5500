import * as z from 'zod/mini'
import { jsonObject, optional, text } from '../../../../src/protocols/cap/schema/scalar-schemas.ts'

/** StreamError of G2: lower-case severities, no WARNING, unknown keys ignored (CAP section 3.2). */
const streamErrorG2Schema = /* @__PURE__ */ z.object(
  {
    code: text,
    message: text,
    severity: z.enum(['transient', 'fatal'], 'must be transient or fatal'),
    details: optional(jsonObject),
  },
  'must be a StreamError (code, message, severity, details)',
)

const free = /* @__PURE__ */ z.nullable(z.union([text, jsonObject], 'must be a string, an object or null'))

/** `{op, p}`, the one packet that was ever released (v0.15 to v0.24; CAP section 3.1). Unknown keys ignored, `p` required. */
export const streamPacketG2Schema = /* @__PURE__ */ z.discriminatedUnion(
  'op',
  [
    z.object({ op: z.literal('delta'), p: text }),
    z.object({ op: z.literal('event'), p: free }),
    z.object({ op: z.literal('error'), p: streamErrorG2Schema }),
    z.object({ op: z.literal('close'), p: free }),
  ],
  'must be delta, event, error or close',
)

/** `{event, data}` of the wire format document (G2s). */
export const streamPacketG2sSchema = /* @__PURE__ */ z.object({
  event: text,
  data: z.union([text, jsonObject], 'must be a string or an object'),
})
