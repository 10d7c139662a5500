import * as z from 'zod/mini'
import { laxScalars } from '../../../../src/protocols/cap/schema/scalar-schemas.ts'

const { boolean } = laxScalars
const deliveryMode = /* @__PURE__ */ z.enum(
  ['request_response', 'server_sent_events'],
  'must be request_response or server_sent_events',
)

/** What an agent of G1 says of itself (CAP section 3.6). */
export const agentCapabilitiesG1Schema = /* @__PURE__ */ z.object({
  delivery_mode: z._default(deliveryMode, 'request_response'),
})

/** v0.16: a list of modes. */
export const agentCapabilitiesV16Schema = /* @__PURE__ */ z.object({
  delivery_mode: z._default(
    z.array(z.enum(['sse', 'request_response'], 'must be sse or request_response'), 'must be a list'),
    () => ['sse' as const],
  ),
  history_support: z._default(boolean, true),
})

/** v0.18 and later: one mode, no other keys. */
export const agentCapabilitiesV18Schema = /* @__PURE__ */ z.strictObject({
  type: z._default(z.enum(['atomic', 'graph'], 'must be atomic or graph'), 'graph'),
  delivery_mode: z._default(deliveryMode, 'request_response'),
  history_support: z._default(boolean, true),
})
