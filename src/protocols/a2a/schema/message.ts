import * as z from 'zod/mini'
import { jsonObject, optional, text, texts } from './json-schemas.ts'

/** One part of a message or an artifact: `text`, `raw` (base64), `url` or `data` (any JSON), and what it is. */
export const partSchema = /* @__PURE__ */ z.object({
  text: optional(text),
  raw: optional(text),
  url: optional(text),
  data: z.optional(z.unknown()),
  filename: optional(text),
  mediaType: optional(text),
  metadata: optional(jsonObject),
})

/** Parts of a message or an artifact: ProtoJSON leaves out a list that is empty. */
export const partsSchema = /* @__PURE__ */ z._default(z.array(partSchema, 'must be a list of parts'), [])

/** A message (A2A 1.0). `role` is ROLE_USER or ROLE_AGENT; the id may be missing in what servers keep. */
export const messageSchema = /* @__PURE__ */ z.object({
  messageId: z._default(text, ''),
  role: text,
  parts: partsSchema,
  contextId: optional(text),
  taskId: optional(text),
  metadata: optional(jsonObject),
  extensions: texts,
  referenceTaskIds: texts,
})

/** One part of a message or an artifact. */
export type Part = z.output<typeof partSchema>
/** A message of the user or the agent. */
export type Message = z.output<typeof messageSchema>
