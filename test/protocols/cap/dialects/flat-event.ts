import * as z from 'zod/mini'
import { optional, text, laxScalars } from '../../../../src/protocols/cap/schema/scalar-schemas.ts'

const { integer, boolean } = laxScalars

/** The flat events of v0.15 to v0.17: no id, no timestamp, data beside the type (CAP section 3.3). */
export const citationEventSchema = /* @__PURE__ */ z.object({
  type: z._default(z.literal('citation', 'must be citation'), 'citation'),
  uri: text,
  text,
  indices: optional(z.array(integer, 'must be a list of whole numbers')),
})

export const artifactEventSchema = /* @__PURE__ */ z.object({
  type: z._default(z.literal('artifact', 'must be artifact'), 'artifact'),
  artifact_id: text,
  mime_type: text,
  url: optional(text),
})

/** Added by v0.17: the agent is well, the user should know something. */
export const userErrorEventSchema = /* @__PURE__ */ z.object({
  type: z._default(z.literal('user_error', 'must be user_error'), 'user_error'),
  message: text,
  code: optional(integer),
  domain: z._default(
    z.enum(['client', 'system', 'llm', 'tool', 'security'], 'must be client, system, llm, tool or security'),
    'system',
  ),
  retryable: z._default(boolean, false),
})
