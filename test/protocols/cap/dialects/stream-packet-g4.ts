import * as z from 'zod/mini'
import { jsonObject, optional, text, laxScalars } from '../../../../src/protocols/cap/schema/scalar-schemas.ts'

const { integer, number, boolean } = laxScalars

/** StreamError of G3 and G4: a numeric code and a grade (CAP section 3.2). */
const streamErrorG3Schema = /* @__PURE__ */ z.strictObject(
  {
    code: integer,
    message: text,
    severity: z.enum(['low', 'medium', 'high', 'critical'], 'must be low, medium, high or critical'),
  },
  'must be a StreamError (code, message, severity) and nothing else',
)

const nothing = /* @__PURE__ */ z.optional(z.null('must be null'))

/** `{op, p}` of G3: no event, no other keys (CAP section 3.1). */
export const streamPacketG3Schema = /* @__PURE__ */ z.discriminatedUnion(
  'op',
  [
    z.strictObject({ op: z.literal('delta'), p: text }),
    z.strictObject({ op: z.literal('error'), p: streamErrorG3Schema }),
    z.strictObject({ op: z.literal('close'), p: nothing }),
  ],
  'must be delta, error or close',
)

const place = { timestamp: number, trace_id: /* @__PURE__ */ optional(text) }

/** A component the agent asks the page to mount. */
const uiMountSchema = /* @__PURE__ */ z.strictObject({
  widget_id: text,
  props_schema: jsonObject,
  props_mapping: z._default(z.record(z.string(), text), () => ({})),
  events: z._default(z.array(z.unknown()), () => []),
  fallback_to_text: z._default(boolean, true),
  annotations: optional(jsonObject),
})

/**
 * `{op, p, timestamp, trace_id?}` of G4 (CAP section 3.1). The ops `epistemic` and `suspense_mount`
 * of its last revision are left out: that revision never ran, so nothing says what it accepts.
 */
export const streamPacketG4Schema = /* @__PURE__ */ z.discriminatedUnion(
  'op',
  [
    z.strictObject({ ...place, op: z.literal('delta'), p: text }),
    z.strictObject({ ...place, op: z.literal('error'), p: streamErrorG3Schema }),
    z.strictObject({ ...place, op: z.literal('close'), p: nothing }),
    z.strictObject({ ...place, op: z.literal('thought'), p: text }),
    z.strictObject({ ...place, op: z.literal('tool_call'), p: jsonObject }),
    z.strictObject({ ...place, op: z.literal('ui_mount'), p: uiMountSchema }),
    z.strictObject({ ...place, op: z.literal('state_delta'), p: z.array(jsonObject, 'must be a list of objects') }),
  ],
  'must be delta, error, close, thought, tool_call, ui_mount or state_delta',
)
