import * as z from 'zod/mini'
import type { JsonObject } from '../../../base/json-object.ts'
import { isJsonObject } from '../../../base/json-object.ts'

/** Any JSON object, passed on as it is. */
export const jsonObject = /* @__PURE__ */ z.custom<JsonObject>(isJsonObject, 'must be an object')

/** A string; nothing else is ever read as one. */
export const text = /* @__PURE__ */ z.string('must be a string')

/** A member that may be absent or null: ProtoJSON leaves out what is empty. */
// @__NO_SIDE_EFFECTS__
export function optional<T extends z.ZodMiniType>(schema: T) {
  return z.optional(
    z.pipe(
      z.nullable(schema),
      z.transform((value: z.output<T> | null) => value ?? undefined),
    ),
  )
}

/** A list of texts that may be absent. */
export const texts = /* @__PURE__ */ optional(z.array(text))

/** A boolean that may be absent. */
export const flag = /* @__PURE__ */ optional(z.boolean('must be true or false'))
