import * as z from 'zod/mini'
import { jsonObject, optional, text, laxScalars } from '../../../../src/protocols/cap/schema/scalar-schemas.ts'

const role = /* @__PURE__ */ z.enum(['system', 'user', 'assistant', 'tool'], 'must be system, user, assistant or tool')
const modality = /* @__PURE__ */ z.enum(['text', 'image', 'audio', 'video'], 'must be text, image, audio or video')
const present = /* @__PURE__ */ z.custom((value) => value !== undefined, 'is required')

/** One part of a G1 message (CAP section 3.5). */
export const messagePartSchema = /* @__PURE__ */ z.discriminatedUnion(
  'type',
  [
    z.object({ type: z.literal('text'), content: text }),
    z.object({ type: z.literal('blob'), content: text, modality, mime_type: optional(text) }),
    z.object({ type: z.literal('file'), file_id: text, modality, mime_type: optional(text) }),
    z.object({ type: z.literal('uri'), uri: text, modality, mime_type: optional(text) }),
    z.object({
      type: z.literal('tool_call'),
      name: text,
      arguments: z.union([jsonObject, text], 'must be an object or JSON text'),
      id: optional(text),
    }),
    z.object({ type: z.literal('tool_call_response'), response: present, id: optional(text) }),
    z.object({ type: z.literal('reasoning'), content: text }),
  ],
  'must be text, blob, file, uri, tool_call, tool_call_response or reasoning',
)

/** ChatMessage of G1: parts, which may be none. */
export const chatMessageG1Schema = /* @__PURE__ */ z.object({
  role,
  parts: z.array(messagePartSchema, 'must be a list of parts'),
  name: optional(text),
})

/** ChatMessage of G2: plain content. `timestamp` may be absent, and stays so. */
export const chatMessageG2Schema = /* @__PURE__ */ z.object({
  role,
  content: text,
  name: optional(text),
  tool_call_id: optional(text),
  timestamp: z.optional(laxScalars.dateTime),
})

/** A file named by its id. */
export const attachedFileSchema = /* @__PURE__ */ z.object({ id: text, mime_type: optional(text) })

export const contentPartSchema = /* @__PURE__ */ z.object({
  text: optional(text),
  attachments: z._default(z.array(attachedFileSchema, 'must be a list of files'), () => []),
})

/** Text and files in one input: G1, and briefly v0.17. */
export const multiModalInputSchema = /* @__PURE__ */ z.object({
  parts: z.array(contentPartSchema, 'must be a list of parts'),
})
