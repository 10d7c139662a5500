import * as z from 'zod/mini'
import { errorSchema } from './error.ts'
import { count, flag, hasOneOf, jsonObject, maybeText, name, number, optional, text } from './json-schemas.ts'

export const pingSchema = /* @__PURE__ */ z.object({ nonce: maybeText })

export const pongSchema = /* @__PURE__ */ z.object({ ack_for: maybeText, received_at: maybeText, nonce: maybeText })

export const ackSchema = /* @__PURE__ */ z.object({ ack_for: maybeText, received_at: maybeText, message: maybeText })

export const nackSchema = /* @__PURE__ */ z.extend(errorSchema, { ack_for: maybeText })

const target = /* @__PURE__ */ z.enum(['job', 'stream', 'session'])

export const cancelSchema = /* @__PURE__ */ z.object({
  target,
  target_id: name,
  reason: maybeText,
  deadline_ms: optional(count),
})

export const cancelAcceptedSchema = /* @__PURE__ */ z.object({ target: optional(target), target_id: maybeText })

/** `reason` is not_cancellable, already_terminal or not_found, or what else a runtime says. */
export const cancelRefusedSchema = /* @__PURE__ */ z.object({
  target: optional(target),
  target_id: maybeText,
  reason: text,
})

export const interruptSchema = /* @__PURE__ */ z
  .object({
    target: optional(target),
    target_id: maybeText,
    prompt: maybeText,
    job_id: maybeText,
    reason: maybeText,
  })
  .check(hasOneOf('target_id', 'job_id'))

export const resumeSchema = /* @__PURE__ */ z.object({
  after_message_id: maybeText,
  checkpoint_id: maybeText,
  include_open_streams: flag,
})

export const backpressureSchema = /* @__PURE__ */ z.object({
  desired_rate_per_second: optional(number),
  buffer_remaining_bytes: optional(number),
  reason: maybeText,
})

export const checkpointSchema = /* @__PURE__ */ z.object({
  checkpoint_id: maybeText,
  label: maybeText,
  snapshot: optional(jsonObject),
})
