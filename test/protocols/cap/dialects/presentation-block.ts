import * as z from 'zod/mini'
import { jsonObject, optional, text, laxScalars } from '../../../../src/protocols/cap/schema/scalar-schemas.ts'

const { integer, boolean } = laxScalars
const common = { id: /* @__PURE__ */ z.optional(text), title: /* @__PURE__ */ optional(text) }

// @__NO_SIDE_EFFECTS__
function kind<T extends string>(name: T) {
  return z.optional(z.literal(name, `must be ${name}`))
}

/** What G0 showed beside text, by `block_type` (CAP section 3.3, PresentationBlock). */
export const thoughtBlockSchema = /* @__PURE__ */ z.object({
  ...common,
  block_type: kind('THOUGHT'),
  content: text,
  status: z._default(z.enum(['IN_PROGRESS', 'COMPLETE'], 'must be IN_PROGRESS or COMPLETE'), 'IN_PROGRESS'),
})

export const dataBlockSchema = /* @__PURE__ */ z.object({
  ...common,
  block_type: kind('DATA'),
  data: jsonObject,
  view_hint: z._default(
    z.enum(['TABLE', 'JSON', 'LIST', 'KEY_VALUE'], 'must be TABLE, JSON, LIST or KEY_VALUE'),
    'JSON',
  ),
})

export const markdownBlockSchema = /* @__PURE__ */ z.object({ ...common, block_type: kind('MARKDOWN'), content: text })

export const userErrorBlockSchema = /* @__PURE__ */ z.object({
  ...common,
  block_type: kind('ERROR'),
  user_message: text,
  technical_details: optional(jsonObject),
  recoverable: z._default(boolean, false),
  code: optional(integer),
})
