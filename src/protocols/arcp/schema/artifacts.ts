import * as z from 'zod/mini'
import { count, dateTime, maybeText, name, number, optional, text } from './json-schemas.ts'

/** Where an artifact is, and what. `data` is there only in the answer to a fetch of the Python SDK. */
export const artifactRefSchema = /* @__PURE__ */ z.object({
  artifact_id: name,
  uri: maybeText,
  media_type: text,
  size: optional(count),
  sha256: maybeText,
  expires_at: optional(dateTime),
  data: maybeText,
})

/** `data` is base64. */
export const artifactPutSchema = /* @__PURE__ */ z.object({
  media_type: text,
  data: maybeText,
  encoding: maybeText,
  artifact_id: maybeText,
  ttl_seconds: optional(number),
  size: optional(count),
  sha256: maybeText,
})

export const artifactFetchSchema = /* @__PURE__ */ z.object({ artifact_id: name })

/** Where an artifact is, and what. */
export type ArcpArtifactRef = z.output<typeof artifactRefSchema>
