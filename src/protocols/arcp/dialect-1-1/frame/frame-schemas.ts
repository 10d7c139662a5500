import * as z from 'zod/mini'
import { count, jsonObject, maybeText, name, optional, number, text, flag } from '../../schema/json-schemas.ts'
import { isVendorName, needsJob, needsSequence, needsSession } from './frame-rules.ts'
import { LOG_LEVELS } from '../../values/vocabulary.ts'

const agentSchema = /* @__PURE__ */ z.union([
  text,
  z.object({ name, versions: optional(z.array(text)), default: maybeText }),
])

/** What a side can do: the names of features, and the agents that a runtime has. */
const capabilitiesSchema = /* @__PURE__ */ z.object({
  encodings: optional(z.array(text)),
  features: optional(z.array(text)),
  agents: optional(z.array(agentSchema)),
})

const identitySchema = /* @__PURE__ */ z.object({ name, version: text, fingerprint: maybeText })

const helloSchema = /* @__PURE__ */ z.object({
  client: z.object({ name, version: text, fingerprint: maybeText, principal: maybeText }),
  auth: z.object({ scheme: z.enum(['bearer']), token: name }),
  capabilities: optional(capabilitiesSchema),
  resume: optional(z.object({ session_id: name, resume_token: name, last_event_seq: count })),
})

const welcomeSchema = /* @__PURE__ */ z.object({
  runtime: identitySchema,
  resume_token: maybeText,
  resume_window_sec: optional(z.number()),
  heartbeat_interval_sec: optional(z.number()),
  capabilities: optional(capabilitiesSchema),
})

/** An error of the protocol (D11 section 12). */
const errorSchema = /* @__PURE__ */ z.object({
  code: name,
  message: text,
  retryable: flag,
  details: optional(jsonObject),
})

const reasonSchema = /* @__PURE__ */ z.object({ reason: maybeText })

const resumeSchema = /* @__PURE__ */ z.object({ resume_token: name, last_event_seq: count })

const pingSchema = /* @__PURE__ */ z.object({ nonce: name, sent_at: maybeText })

const pongSchema = /* @__PURE__ */ z.object({ ping_nonce: name, received_at: maybeText })

const ackSchema = /* @__PURE__ */ z.object({ last_processed_seq: count })

const listJobsSchema = /* @__PURE__ */ z.object({
  filter: optional(
    z.object({
      status: optional(z.array(text)),
      agent: maybeText,
      created_after: maybeText,
      created_before: maybeText,
    }),
  ),
  limit: optional(count),
  cursor: maybeText,
})

/** What a job may do: patterns by capability. Declared with the job, and never changed. */
const leaseSchema = /* @__PURE__ */ z.record(z.string(), z.array(text))

const constraintsSchema = /* @__PURE__ */ z.object({ expires_at: maybeText })

/** What is left of a budget, by currency. */
const budgetSchema = /* @__PURE__ */ z.record(z.string(), z.number())

/** Permissions of a job, sent to authorized readers. Credentials are for the submitter of the job; the client reads none. */
const authority = {
  lease: /* @__PURE__ */ optional(leaseSchema),
  lease_constraints: /* @__PURE__ */ optional(constraintsSchema),
  budget: /* @__PURE__ */ optional(budgetSchema),
  credentials: /* @__PURE__ */ optional(z.array(jsonObject)),
  parent_job_id: maybeText,
  trace_id: maybeText,
}

const submitSchema = /* @__PURE__ */ z.object({
  agent: name,
  input: z.unknown(),
  lease_request: optional(leaseSchema),
  lease_constraints: optional(constraintsSchema),
  idempotency_key: maybeText,
  max_runtime_sec: optional(z.number()),
})

const acceptedSchema = /* @__PURE__ */ z.object({
  job_id: name,
  agent: maybeText,
  accepted_at: maybeText,
  delegate_id: maybeText,
  ...authority,
})

/** `body` is that of its kind, where the kind is one of the specification. */
const eventSchema = /* @__PURE__ */ z.object({ kind: name, ts: text, body: z.unknown() })

const resultSchema = /* @__PURE__ */ z
  .object({
    final_status: z.enum(['success']),
    summary: maybeText,
    result: z.optional(z.unknown()),
    result_id: maybeText,
    result_size: optional(count),
  })
  .check(
    z.refine(
      ({ result, result_id: id }) => result === undefined || id === undefined,
      'must not have both result and result_id',
    ),
  )

const jobErrorSchema = /* @__PURE__ */ z.extend(errorSchema, {
  final_status: z.enum(['error', 'cancelled', 'timed_out']),
})

const subscribeSchema = /* @__PURE__ */ z.object({
  job_id: name,
  from_event_seq: optional(count),
  history: flag,
})

const subscribedSchema = /* @__PURE__ */ z.object({
  job_id: name,
  current_status: text,
  agent: maybeText,
  subscribed_from: optional(count),
  replayed: flag,
  ...authority,
})

const unsubscribeSchema = /* @__PURE__ */ z.object({ job_id: name })

const jobsSchema = /* @__PURE__ */ z.object({
  request_id: name,
  jobs: z.array(
    z.object({
      job_id: name,
      agent: maybeText,
      status: text,
      lease: optional(leaseSchema),
      parent_job_id: maybeText,
      created_at: maybeText,
      trace_id: maybeText,
      last_event_seq: optional(count),
    }),
  ),
  next_cursor: maybeText,
})

/** The payload of each type of ARCP 1.1: the 19 of the published runtimes, and three of the specification that only some of them know. */
export const framePayloadSchemas = {
  'session.hello': helloSchema,
  'session.welcome': welcomeSchema,
  'session.error': errorSchema,
  'session.bye': reasonSchema,
  'session.ping': pingSchema,
  'session.pong': pongSchema,
  'session.ack': ackSchema,
  'session.list_jobs': listJobsSchema,
  'session.jobs': jobsSchema,
  'job.submit': submitSchema,
  'job.accepted': acceptedSchema,
  'job.cancel': reasonSchema,
  'job.cancelled': reasonSchema,
  'job.event': eventSchema,
  'job.result': resultSchema,
  'job.error': jobErrorSchema,
  'job.subscribe': subscribeSchema,
  'job.subscribed': subscribedSchema,
  'job.unsubscribe': unsubscribeSchema,
  'session.resume': resumeSchema,
  'session.close': reasonSchema,
  'session.closed': reasonSchema,
} as const

/** The body of each of the ten kinds of event (D11 section 8.2). */
export const eventSchemas = {
  log: /* @__PURE__ */ z.object({ level: z.enum(LOG_LEVELS), message: text, attributes: optional(jsonObject) }),
  thought: /* @__PURE__ */ z.object({ text }),
  tool_call: /* @__PURE__ */ z.object({ tool: name, args: z.optional(z.unknown()), call_id: name }),
  tool_result: /* @__PURE__ */ z
    .object({ call_id: name, result: z.optional(z.unknown()), error: optional(errorSchema) })
    .check(
      z.refine(
        ({ result, error }) => result === undefined || error === undefined,
        'must not have both result and error',
      ),
    ),
  status: /* @__PURE__ */ z.object({ phase: name, message: maybeText }),
  /** The specification writes `dimensions`, the published runtimes `dims`. */
  metric: /* @__PURE__ */ z.object({
    name,
    value: number,
    unit: maybeText,
    dims: optional(jsonObject),
    dimensions: optional(jsonObject),
  }),
  artifact_ref: /* @__PURE__ */ z.object({
    uri: name,
    content_type: text,
    byte_size: optional(count),
    sha256: maybeText,
  }),
  delegate: /* @__PURE__ */ z.object({
    delegate_id: name,
    agent: name,
    input: z.optional(z.unknown()),
    lease_request: optional(jsonObject),
    lease_constraints: optional(jsonObject),
  }),
  progress: /* @__PURE__ */ z.object({
    current: number,
    total: optional(number),
    units: maybeText,
    message: maybeText,
  }),
  result_chunk: /* @__PURE__ */ z.object({
    result_id: name,
    chunk_seq: count,
    data: text,
    encoding: z.enum(['utf8', 'base64']),
    more: z.boolean('must be true or false'),
  }),
} as const

/** A whole message of ARCP 1.1: its envelope, the payload of its type, and the body of its kind. */
export const frameSchema = /* @__PURE__ */ z
  .object({
    arcp: z.literal('1.1', 'must be 1.1'),
    id: name,
    type: name,
    session_id: maybeText,
    trace_id: maybeText,
    job_id: maybeText,
    event_seq: optional(count),
    payload: jsonObject,
  })
  .check((context) => {
    const { type, payload, session_id: sessionId, job_id: jobId, event_seq: sequence } = context.value
    const fault = (message: string, path: PropertyKey[]): void =>
      void context.issues.push({ code: 'custom', input: context.value, path, message })
    const check = (schema: z.ZodMiniType, value: unknown, at: PropertyKey[]): void => {
      for (const { message, path } of schema.safeParse(value).error?.issues ?? []) fault(message, [...at, ...path])
    }
    const payloads: Readonly<Record<string, z.ZodMiniType | undefined>> = framePayloadSchemas
    const schema = Object.hasOwn(payloads, type) ? payloads[type] : undefined
    if (schema === undefined) {
      if (!isVendorName(type)) fault('is no type of ARCP 1.1', ['type'])
      return
    }
    if (needsSession(type) && sessionId === undefined) fault('must be there', ['session_id'])
    if (needsJob(type) && jobId === undefined) fault('must be there', ['job_id'])
    if (needsSequence(type) && sequence === undefined) fault('must be there', ['event_seq'])
    check(schema, payload, ['payload'])
    if (type !== 'job.event') return
    const { kind, body } = payload
    const bodies: Readonly<Record<string, z.ZodMiniType | undefined>> = eventSchemas
    const known = typeof kind === 'string' && Object.hasOwn(bodies, kind) ? bodies[kind] : undefined
    if (known !== undefined) check(known, body, ['payload', 'body'])
  })

/** A kind of event that the specification has. */
export type EventKind = keyof typeof eventSchemas

/** What an event of a kind says. */
export type EventBody<Kind extends EventKind> = z.output<(typeof eventSchemas)[Kind]>

/** A type of ARCP 1.1. */
export type FrameType = keyof typeof framePayloadSchemas

/** What a message of a type of ARCP 1.1 carries. */
export type FramePayload<Type extends FrameType> = z.output<(typeof framePayloadSchemas)[Type]>
