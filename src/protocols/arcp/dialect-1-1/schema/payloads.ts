import * as z from 'zod/mini'
import {
  ackSchema,
  errorSchema,
  helloSchema,
  listJobsSchema,
  pingSchema,
  pongSchema,
  reasonSchema,
  resumeSchema,
  welcomeSchema,
} from './session.ts'
import { count, flag, jsonObject, maybeText, name, optional, text } from '../../schema/json-schemas.ts'

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

/** A type of ARCP 1.1. */
export type FrameType = keyof typeof framePayloadSchemas

/** What a message of a type of ARCP 1.1 carries. */
export type FramePayload<Type extends FrameType> = z.output<(typeof framePayloadSchemas)[Type]>
