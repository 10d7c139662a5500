import * as z from 'zod/mini'
import {
  jsonObject,
  optional,
  text,
  laxScalars,
  withRoot,
} from '../../../../src/protocols/cap/schema/scalar-schemas.ts'
import {
  agentRequestV18Schema,
  sessionContextG2Schema,
} from '../../../../src/protocols/cap/schema/service-request-g2.ts'

const { uuid } = laxScalars

/** The envelope of G2s, v0.15 and v0.16: context and payload are any objects (CAP section 3.4). */
export const serviceRequestLooseSchema = z.object({ request_id: uuid, context: jsonObject, payload: jsonObject })

const requestV17 = z.object(
  {
    request_id: z.optional(uuid),
    root_request_id: optional(uuid),
    parent_request_id: optional(uuid),
    query: text,
    files: z._default(z.array(text, 'must be a list of strings'), () => []),
    conversation_id: optional(text),
    meta: z._default(jsonObject, () => ({})),
  },
  'must be an object with a query',
)

/** Payload of v0.17: a parent without root is its own root here, as that release had it. */
export const agentRequestV17Schema = z.pipe(
  requestV17,
  z.transform((request: z.output<typeof requestV17>) => withRoot(request)),
)

const envelope = { request_id: uuid, context: sessionContextG2Schema }

export const serviceRequestV17Schema = z.object({ ...envelope, payload: agentRequestV17Schema })
export const serviceRequestV18Schema = z.object({ ...envelope, payload: agentRequestV18Schema })
