import * as z from 'zod/mini'
import { jsonObject, optional, text, laxScalars, unbrokenChain, withRoot } from './scalar-schemas.ts'

/** A user or agent of G2 (CAP section 3.4). */
export const identitySchema = /* @__PURE__ */ z.object(
  { id: text, name: text, role: optional(text) },
  'must be an object with id and name',
)

const { uuid, dateTime } = laxScalars

/** Context of v0.17 and later. */
export const sessionContextG2Schema = /* @__PURE__ */ z.object(
  { session_id: text, user: identitySchema, agent: optional(identitySchema) },
  'must be an object with session_id and user',
)

const lineage = {
  request_id: /* @__PURE__ */ z.optional(uuid),
  root_request_id: /* @__PURE__ */ optional(uuid),
  parent_request_id: /* @__PURE__ */ optional(uuid),
}

const requestV18 = /* @__PURE__ */ z.object(
  {
    ...lineage,
    query: text,
    files: z._default(z.array(text, 'must be a list of strings'), () => []),
    conversation_id: optional(text),
    meta: z._default(jsonObject, () => ({})),
    session_id: optional(text),
  },
  'must be an object with a query',
)
const requestV19 = /* @__PURE__ */ z.object(
  {
    ...lineage,
    session_id: uuid,
    payload: jsonObject,
    metadata: z._default(jsonObject, () => ({})),
    created_at: z.optional(dateTime),
  },
  'must be an object with session_id and payload',
)

/** Payload of v0.18: a parent without root is refused. */
export const agentRequestV18Schema = /* @__PURE__ */ z.pipe(
  requestV18.check(unbrokenChain<z.output<typeof requestV18>>()),
  z.transform((request: z.output<typeof requestV18>) => withRoot(request)),
)

/** Payload of v0.19 to v0.24: `{session_id, payload}`; their documents still show the older shape (section 7, row 24). */
export const agentRequestV19Schema = /* @__PURE__ */ z.pipe(
  requestV19.check(unbrokenChain<z.output<typeof requestV19>>()),
  z.transform((request: z.output<typeof requestV19>) => withRoot(request)),
)

export const serviceRequestV19Schema = /* @__PURE__ */ z.object({
  request_id: uuid,
  context: sessionContextG2Schema,
  payload: agentRequestV19Schema,
})

/** The question in the payload, as v0.18 has it, in a context of any shape, as the wire format document shows it. */
export const serviceRequestQuerySchema = /* @__PURE__ */ z.object({
  request_id: uuid,
  context: jsonObject,
  payload: agentRequestV18Schema,
})
