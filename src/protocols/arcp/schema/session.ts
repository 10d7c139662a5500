import * as z from 'zod/mini'
import { count, dateTime, flag, hasOneOf, jsonObject, maybeText, name, optional, text } from './json-schemas.ts'

/** How a client proves who it is. The token travels in the message, so that a WebSocket needs no header. */
const authSchema = /* @__PURE__ */ z.object({
  scheme: z.enum(['bearer', 'signed_jwt', 'none', 'mtls', 'oauth2']),
  token: maybeText,
  fingerprint: maybeText,
})

/** What a side can do. Booleans that are absent are false; members that are not known stay. */
export const capabilitiesSchema = /* @__PURE__ */ z.looseObject({
  streaming: flag,
  durable_jobs: flag,
  checkpoints: flag,
  binary_streams: flag,
  agent_handoff: flag,
  human_input: flag,
  artifacts: flag,
  subscriptions: flag,
  scheduled_jobs: flag,
  interrupt: flag,
  anonymous: flag,
  binary_encoding: optional(z.array(text)),
  heartbeat_interval_seconds: optional(z.number()),
  heartbeat_recovery: maybeText,
  artifact_retention: optional(z.object({ default_seconds: optional(z.number()), max_seconds: optional(z.number()) })),
  extensions: optional(z.array(text)),
})

/** Who a client is. */
const clientSchema = /* @__PURE__ */ z.object({
  kind: text,
  version: text,
  fingerprint: maybeText,
  principal: maybeText,
})

/** Who a runtime is. `trust_level` is untrusted, constrained, trusted or privileged. */
const runtimeSchema = /* @__PURE__ */ z.object({
  kind: text,
  version: text,
  fingerprint: maybeText,
  trust_level: maybeText,
})

export const sessionOpenSchema = /* @__PURE__ */ z.object({
  auth: authSchema,
  client: clientSchema,
  capabilities: capabilitiesSchema,
})

/** The specification gives no body: the members of the three published SDKs, of which each has some. */
export const sessionChallengeSchema = /* @__PURE__ */ z.object({
  challenge: text,
  challenge_id: maybeText,
  scheme: maybeText,
  expires_at: maybeText,
  params: optional(jsonObject),
})

export const sessionAuthenticateSchema = /* @__PURE__ */ z
  .object({
    challenge_id: maybeText,
    response: maybeText,
    scheme: maybeText,
    token: maybeText,
    challenge: maybeText,
    auth: optional(authSchema),
    nonce_response: maybeText,
  })
  .check(hasOneOf('response', 'token', 'auth'))

export const sessionAcceptedSchema = /* @__PURE__ */ z.object({
  session_id: name,
  runtime: runtimeSchema,
  capabilities: capabilitiesSchema,
  lease: optional(z.object({ expires_at: dateTime })),
})

export const sessionUnauthenticatedSchema = /* @__PURE__ */ z.object({ reason: text, code: maybeText })

export const sessionRefreshSchema = /* @__PURE__ */ z.object({
  reason: text,
  deadline_ms: optional(count),
  scheme: maybeText,
  challenge: maybeText,
})

export const sessionEvictedSchema = /* @__PURE__ */ z.object({
  reason: text,
  message: maybeText,
  allow_resume: flag,
})

export const sessionCloseSchema = /* @__PURE__ */ z.object({
  reason: maybeText,
  dispose_jobs: optional(z.enum(['cancel', 'detach'])),
  detach_jobs: flag,
})

/** What a side can do. */
export type ArcpCapabilities = z.output<typeof capabilitiesSchema>
