import * as z from 'zod/mini'
import { count, flag, jsonObject, maybeText, name, optional, text } from '../../schema/json-schemas.ts'

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

export const helloSchema = /* @__PURE__ */ z.object({
  client: z.object({ name, version: text, fingerprint: maybeText, principal: maybeText }),
  auth: z.object({ scheme: z.enum(['bearer']), token: name }),
  capabilities: optional(capabilitiesSchema),
  resume: optional(z.object({ session_id: name, resume_token: name, last_event_seq: count })),
})

export const welcomeSchema = /* @__PURE__ */ z.object({
  runtime: identitySchema,
  resume_token: maybeText,
  resume_window_sec: optional(z.number()),
  heartbeat_interval_sec: optional(z.number()),
  capabilities: optional(capabilitiesSchema),
})

/** An error of the protocol (D11 section 12). */
export const errorSchema = /* @__PURE__ */ z.object({
  code: name,
  message: text,
  retryable: flag,
  details: optional(jsonObject),
})

export const reasonSchema = /* @__PURE__ */ z.object({ reason: maybeText })

export const resumeSchema = /* @__PURE__ */ z.object({ resume_token: name, last_event_seq: count })

export const pingSchema = /* @__PURE__ */ z.object({ nonce: name, sent_at: maybeText })

export const pongSchema = /* @__PURE__ */ z.object({ ping_nonce: name, received_at: maybeText })

export const ackSchema = /* @__PURE__ */ z.object({ last_processed_seq: count })

export const listJobsSchema = /* @__PURE__ */ z.object({
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
