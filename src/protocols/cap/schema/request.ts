import * as z from 'zod/mini'
import {
  jsonObject,
  optional,
  text,
  type ReadingOptions,
  type Scalars,
  createScalars,
  laxScalars,
  unbrokenChain,
  withRoot,
} from './scalar-schemas.ts'

// @__NO_SIDE_EFFECTS__
function sessionContext({ uuid, dateTime }: Scalars) {
  return z.object(
    {
      session_id: uuid,
      agent_id: uuid,
      user: z.object(
        { user_id: text, email: optional(text), tier: text, locale: text },
        'must be an object with user_id, tier and locale',
      ),
      trace: z.object(
        { trace_id: uuid, span_id: uuid, parent_id: optional(uuid) },
        'must be an object with trace_id and span_id',
      ),
      permissions: z.array(text, 'must be a list of strings'),
      created_at: dateTime,
    },
    'must be an object with session_id, agent_id, user, trace, permissions and created_at',
  )
}

// @__NO_SIDE_EFFECTS__
function clientCapabilities({ boolean }: Scalars) {
  return z.object(
    {
      /** The events the client has a component for; an agent may put text in place of others. */
      supported_events: z._default(z.array(text, 'must be a list of strings'), () => []),
      /** False: plain text only. */
      prefers_markdown: z._default(boolean, true),
      /** `low`, `high` or `auto`; any text passes. */
      image_resolution: optional(text),
    },
    'must be an object',
  )
}

// @__NO_SIDE_EFFECTS__
function agentRequest(scalars: Scalars) {
  const { uuid, dateTime } = scalars
  const shape = z.object(
    {
      request_id: z.optional(uuid),
      session_id: uuid,
      root_request_id: optional(uuid),
      parent_request_id: optional(uuid),
      timestamp: z.optional(dateTime),
      payload: jsonObject,
      capabilities: optional(clientCapabilities(scalars)),
      metadata: z._default(jsonObject, () => ({})),
    },
    'must be an object with session_id and payload',
  )
  return z.pipe(
    shape.check(unbrokenChain<z.output<typeof shape>>()),
    z.transform((request: z.output<typeof shape>) => withRoot(request)),
  )
}

/** Reads a ServiceRequest of G1, the dialect of record (CAP section 3.4). */
// @__NO_SIDE_EFFECTS__
export function createServiceRequestSchema(options: ReadingOptions = {}) {
  const scalars = createScalars(options)
  return z.object(
    { request_id: scalars.uuid, context: sessionContext(scalars), payload: agentRequest(scalars) },
    'must be an object with request_id, context and payload',
  )
}

/** Caller, agent, session and trace (CAP section 3.4). Unknown keys are dropped, never trusted. */
export const sessionContextSchema = /* @__PURE__ */ sessionContext(laxScalars)

/** What the client can show (CAP section 3.4). */
export const clientCapabilitiesSchema = /* @__PURE__ */ clientCapabilities(laxScalars)

/**
 * The question itself; chat text goes into `payload.query`. A parent without root is refused; without
 * either, `root_request_id` becomes `request_id`. `request_id` and `timestamp` may be absent, and stay so.
 */
export const agentRequestSchema = /* @__PURE__ */ agentRequest(laxScalars)

/** The body of `POST /assist`: `{request_id, context, payload}`, keys it does not know left out. */
export const serviceRequestSchema = /* @__PURE__ */ createServiceRequestSchema()

export type SessionContext = z.output<typeof sessionContextSchema>
export type ClientCapabilities = z.output<typeof clientCapabilitiesSchema>
/** A request as the schema leaves it. */
export type ServiceRequest = z.output<typeof serviceRequestSchema>
/** A request as it may be written: what has a default may be left out. */
export type ServiceRequestInput = z.input<typeof serviceRequestSchema>
