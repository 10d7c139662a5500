import * as z from 'zod/mini'
import { absoluteUrl } from '../../../../src/protocols/cap/presentation/presentation-event.ts'
import { jsonObject, optional, text, laxScalars } from '../../../../src/protocols/cap/schema/scalar-schemas.ts'

const { uuid, dateTime, number } = laxScalars

export const citationItemG2Schema = /* @__PURE__ */ z.object({
  source_id: text,
  uri: absoluteUrl,
  title: text,
  snippet: optional(text),
})

/** The key is `items` here, and no item has a confidence (CAP section 7, row 21). */
export const citationBlockG2Schema = /* @__PURE__ */ z.object({
  items: z.array(citationItemG2Schema, 'must be a list of citations'),
})

const fraction = /* @__PURE__ */ z.pipe(
  number,
  z.number().check(z.gte(0, 'must be 0 to 1'), z.lte(1, 'must be 0 to 1')),
)

/** As in G1, with 0 to 1 enforced. */
export const progressUpdateG2Schema = /* @__PURE__ */ z.object({
  label: text,
  status: z.enum(['running', 'complete', 'failed'], 'must be running, complete or failed'),
  progress_percent: optional(fraction),
})

export const mediaItemG2Schema = /* @__PURE__ */ z.object({
  url: absoluteUrl,
  mime_type: text,
  alt_text: optional(text),
})

export const mediaCarouselG2Schema = /* @__PURE__ */ z.object({
  items: z.array(mediaItemG2Schema, 'must be a list of media'),
})

const markdownBlockG2Schema = /* @__PURE__ */ z.object({ content: text })

const place = { id: /* @__PURE__ */ z.optional(uuid), timestamp: /* @__PURE__ */ z.optional(dateTime) }

// @__NO_SIDE_EFFECTS__
function orEmpty<T extends z.ZodMiniType>(schema: T) {
  return z.union([z.strictObject({}), schema])
}

/** PresentationEvent of v0.18 to v0.24: data checked by type, unless empty (CAP section 3.3). `id` and `timestamp` may be absent, and stay so. */
export const presentationEventG2Schema = /* @__PURE__ */ z.discriminatedUnion(
  'type',
  [
    z.object({ ...place, type: z.literal('thought_trace'), data: jsonObject }),
    z.object({ ...place, type: z.literal('citation_block'), data: orEmpty(citationBlockG2Schema) }),
    z.object({ ...place, type: z.literal('progress_indicator'), data: orEmpty(progressUpdateG2Schema) }),
    z.object({ ...place, type: z.literal('media_carousel'), data: orEmpty(mediaCarouselG2Schema) }),
    z.object({ ...place, type: z.literal('markdown_block'), data: orEmpty(markdownBlockG2Schema) }),
    z.object({ ...place, type: z.literal('user_error'), data: jsonObject }),
  ],
  'must be thought_trace, citation_block, progress_indicator, media_carousel, markdown_block or user_error',
)
