import * as z from 'zod/mini'
import { JOB_STATES } from '../values/job-states.ts'
import { artifactRefSchema } from './artifacts.ts'
import { count, dateTime, jsonObject, maybeText, name, number, optional, text } from './json-schemas.ts'

export const toolInvokeSchema = /* @__PURE__ */ z.object({ tool: name, arguments: optional(jsonObject) })

/** Neither member: the tool gives nothing. */
export const resultSchema = /* @__PURE__ */ z
  .object({ value: z.optional(z.unknown()), result_ref: optional(artifactRefSchema) })
  .check(
    z.refine(
      ({ value, result_ref: ref }) => value === undefined || ref === undefined,
      'must not have both value and result_ref',
    ),
  )

export const jobAcceptedSchema = /* @__PURE__ */ z.object({ job_id: name, accepted_at: maybeText })

export const jobStartedSchema = /* @__PURE__ */ z.object({ job_id: name, started_at: maybeText })

export const jobProgressSchema = /* @__PURE__ */ z.object({
  percent: optional(z.number().check(z.gte(0, 'must be 0 to 100'), z.lte(100, 'must be 0 to 100'))),
  message: maybeText,
  current: optional(number),
  total: optional(number),
})

export const jobHeartbeatSchema = /* @__PURE__ */ z.object({
  sequence: count,
  deadline_ms: number,
  state: z.enum(JOB_STATES),
})

export const jobCheckpointSchema = /* @__PURE__ */ z.object({
  checkpoint_id: name,
  snapshot: z.optional(z.unknown()),
})

export const jobCancelledSchema = /* @__PURE__ */ z.object({ reason: maybeText, source: maybeText, code: maybeText })

export const jobScheduleSchema = /* @__PURE__ */ z.object({
  job: jsonObject,
  when: z
    .object({ at: optional(dateTime), every: z.optional(z.unknown()), after: z.optional(z.unknown()) })
    .check(
      z.refine(
        (when) => Object.values(when).filter((each) => each !== undefined).length === 1,
        'must have exactly one of at, every and after',
      ),
    ),
})

export const workflowStartSchema = /* @__PURE__ */ z.object({ workflow: name, inputs: optional(jsonObject) })

export const workflowCompleteSchema = /* @__PURE__ */ z.object({ outputs: optional(jsonObject) })

export const agentDelegateSchema = /* @__PURE__ */ z.object({
  target: name,
  task: text,
  context: optional(jsonObject),
})

export const agentHandoffSchema = /* @__PURE__ */ z.object({
  target: optional(z.unknown()),
  context: optional(jsonObject),
  reason: maybeText,
})

/** What a tool gives. */
export type ArcpResultPayload = z.output<typeof resultSchema>
