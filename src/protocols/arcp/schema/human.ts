import * as z from 'zod/mini'
import { dateTime, jsonObject, maybeText, name, optional, text } from './json-schemas.ts'

export const humanInputRequestSchema = /* @__PURE__ */ z.object({
  prompt: text,
  response_schema: optional(jsonObject),
  default: z.optional(z.unknown()),
  expires_at: optional(dateTime),
  destination: z.optional(z.unknown()),
})

export const humanInputResponseSchema = /* @__PURE__ */ z.object({
  value: z.unknown(),
  responded_by: maybeText,
  responded_at: maybeText,
})

export const humanChoiceRequestSchema = /* @__PURE__ */ z.object({
  prompt: text,
  options: z
    .array(z.object({ id: name, label: text, description: maybeText }))
    .check(z.minLength(1, 'must have an option')),
  expires_at: optional(dateTime),
  default: maybeText,
})

export const humanChoiceResponseSchema = /* @__PURE__ */ z.object({
  choice_id: name,
  responded_by: maybeText,
  responded_at: maybeText,
})

export const humanInputCancelledSchema = /* @__PURE__ */ z.object({ code: text, message: maybeText })
