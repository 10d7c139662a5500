import * as z from 'zod/mini'
import type { JsonObject } from '../../../base/json-object.ts'
import { type PresentationType, PRESENTATION_TYPES } from './presentation-types.ts'
import { jsonObject, laxScalars, optional, text } from '../schema/scalar-schemas.ts'

/**
 * Text that is an absolute URL of any scheme, `javascript:` and `data:` included (CAP section 7, row
 * 33): a schema of shape, no gate. Kept as written.
 */
export const absoluteUrl = /* @__PURE__ */ z.custom<string>(
  (value) => typeof value === 'string' && URL.canParse(value),
  'must be an absolute URL',
)

const { uuid, dateTime, number } = laxScalars
const statuses = /* @__PURE__ */ z.enum(['running', 'complete', 'failed'], 'must be running, complete or failed')

/** One source. */
export const citationItemSchema = /* @__PURE__ */ z.strictObject({
  source_id: text,
  uri: absoluteUrl,
  title: text,
  snippet: optional(text),
  /** Documented as 0 to 1; nothing enforces it. */
  confidence: number,
})

/** Sources of the answer (CAP section 3.3). */
export const citationBlockSchema = /* @__PURE__ */ z.strictObject({
  citations: z.array(citationItemSchema, 'must be a list of citations'),
})

/** How far a task is. `progress_percent` is documented as 0 to 1; nothing enforces it. */
export const progressUpdateSchema = /* @__PURE__ */ z.strictObject({
  label: text,
  status: statuses,
  progress_percent: optional(number),
})

/** One image, sound or film. */
export const mediaItemSchema = /* @__PURE__ */ z.strictObject({
  url: absoluteUrl,
  mime_type: text,
  alt_text: optional(text),
})

/** Images, sound or film in a row. */
export const mediaCarouselSchema = /* @__PURE__ */ z.strictObject({
  items: z.array(mediaItemSchema, 'must be a list of media'),
})

/**
 * PresentationEvent of G1, the dialect of record (CAP section 3.3): four keys, no others. As upstream,
 * `data` is not tied to `type`: data that fit none of the three models pass as a plain object.
 */
export const presentationEventSchema = /* @__PURE__ */ z.strictObject({
  id: uuid,
  timestamp: dateTime,
  type: z.enum(
    PRESENTATION_TYPES,
    `must be ${PRESENTATION_TYPES.slice(0, -1).join(', ')} or ${PRESENTATION_TYPES.at(-1)}`,
  ),
  data: z.union([citationBlockSchema, progressUpdateSchema, mediaCarouselSchema, jsonObject], 'must be an object'),
})

export type CitationBlockData = z.output<typeof citationBlockSchema>
export type ProgressUpdate = z.output<typeof progressUpdateSchema>
export type MediaCarouselData = z.output<typeof mediaCarouselSchema>
/** Has no model upstream; this is what its example shows. */
export type ThoughtTraceData = JsonObject & { thought: string }
/** Has no model in G1; G2 fixed the key. */
export type MarkdownBlockData = JsonObject & { content: string }

/** What an event carries whose type has no model. */
type Unmodelled = { [Type in PresentationType]: JsonObject }

/** The documented `data` of each event type. `PresentationData` of the server narrows it for agents. The types are those of the table in `presentation-types.ts`. */
export interface DocumentedData extends Unmodelled {
  THOUGHT_TRACE: ThoughtTraceData
  CITATION_BLOCK: CitationBlockData
  PROGRESS_INDICATOR: ProgressUpdate
  MEDIA_CAROUSEL: MediaCarouselData
  MARKDOWN_BLOCK: MarkdownBlockData
}

/** An event as a server writes it: what the schema takes, with the data tied to the type. */
export type PresentationEvent<Type extends PresentationType = PresentationType> = {
  [Name in Type]: { id: string; timestamp: string; type: Name; data: DocumentedData[Name] }
}[Type]
