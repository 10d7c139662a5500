import * as z from 'zod/mini'
import { count, flag, jsonObject, maybeText, optional, text } from './json-schemas.ts'

/** `kind` is text, binary, event, log, metric or thought; any other is shown as an event. */
export const streamOpenSchema = /* @__PURE__ */ z.object({
  kind: text,
  content_type: maybeText,
  encoding: maybeText,
  related_job_id: maybeText,
})

/** One piece of a stream; which members it has depends on the kind. Without `sequence` the order is that of arrival. */
export const streamChunkSchema = /* @__PURE__ */ z.object({
  sequence: optional(count),
  content_type: maybeText,
  sha256: maybeText,
  data: z.optional(z.unknown()),
  event: z.optional(z.unknown()),
  log: optional(jsonObject),
  metric: optional(jsonObject),
  role: maybeText,
  content: maybeText,
  redacted: flag,
})

export const streamCloseSchema = /* @__PURE__ */ z.object({ reason: maybeText, total_chunks: optional(count) })

/** One piece of a stream. */
export type ArcpChunk = z.output<typeof streamChunkSchema>
