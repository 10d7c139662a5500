import * as z from 'zod/mini'
import { jsonObject, optional, text } from '../schema/scalar-schemas.ts'

/** A name for something: not empty, and short enough to be kept for long. */
const id = /* @__PURE__ */ z.string('must be a string').check(z.minLength(1, 'must not be empty'), z.maxLength(200))

const kinds = /* @__PURE__ */ z.enum(
  ['approval', 'choice', 'form', 'sign-in', 'permission'],
  'must be a kind of prompt',
)

/** One answer of those that a prompt offers. */
const promptOptionSchema = /* @__PURE__ */ z.object({
  id,
  label: text,
  kind: z.enum(['allow-once', 'allow-always', 'reject-once', 'reject-always', 'neutral'], 'must be a kind of option'),
  description: optional(text),
  grants: optional(text),
  ttl_ms: optional(z.number('must be a number').check(z.nonnegative('must not be negative'))),
})

const subjectSchema = /* @__PURE__ */ z.object({
  name: text,
  input: z.optional(z.unknown()),
  editable: optional(jsonObject),
  tool_call_id: optional(text),
  digest: text,
})

/** An answer as it goes over the wire. */
const answerSchema = /* @__PURE__ */ z.discriminatedUnion(
  'type',
  [
    z.object({
      type: z.literal('option'),
      option_id: text,
      digest: optional(text),
      edits: z.optional(z.unknown()),
    }),
    z.object({ type: z.literal('value'), value: z.optional(z.unknown()) }),
    z.object({ type: z.literal('done') }),
    z.object({ type: z.literal('decline'), reason: optional(text) }),
    z.object({ type: z.literal('cancel') }),
  ],
  'must be an answer',
)

/** Data of a PROMPT event that opens a prompt (docs/cap.md, "Control endpoints"). */
export const openPromptSchema = /* @__PURE__ */ z.object({
  state: z.literal('open', 'must be open'),
  kind: kinds,
  message: text,
  subject: z.optional(subjectSchema),
  options: z.optional(
    z
      .array(promptOptionSchema, 'must be a list of options')
      .check(
        z.refine(
          (options) => new Set(options.map((option) => option.id)).size === options.length,
          'must have one id each',
        ),
      ),
  ),
  schema: z.optional(jsonObject),
  initial: z.optional(z.unknown()),
  url: z.optional(text),
  expires_at: z.optional(text),
  on_expiry: z.optional(z.enum(['default', 'cancel'], 'must be default or cancel')),
  group: z.optional(text),
})

/** Data of a PROMPT event that says how a prompt has ended. */
export const settledPromptSchema = /* @__PURE__ */ z.object({
  state: z.enum(['answered', 'declined', 'cancelled', 'expired', 'withdrawn'], 'must be an end'),
  kind: z.optional(kinds),
  message: z.optional(text),
  answer_id: z.optional(text),
  answer: z.optional(answerSchema),
})

/** Data of a SAID event: a message of the user, as the agent received it. */
export const saidSchema = /* @__PURE__ */ z.object({ text, message_id: id })

/** The body of POST `runs/{request_id}/answer`. */
export const answerRequestSchema = /* @__PURE__ */ z.object(
  { prompt_id: id, answer_id: id, answer: answerSchema },
  'must be an object with prompt_id, answer_id and answer',
)

/** The body of POST `runs/{request_id}/say`. */
export const sayRequestSchema = /* @__PURE__ */ z.object(
  { message_id: id, text: text.check(z.minLength(1, 'must not be empty')) },
  'must be an object with message_id and text',
)

export type OpenPrompt = z.input<typeof openPromptSchema>
export type SettledPrompt = z.input<typeof settledPromptSchema>
export type Said = z.input<typeof saidSchema>
