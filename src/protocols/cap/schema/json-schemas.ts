import * as z from 'zod/mini'
import type { JsonObject } from '../../../base/json-object.ts'
import { isJsonObject } from '../../../base/json-object.ts'

/** Any JSON object, passed on as it is: no copy and no walk, so neither size nor depth of a payload matters. */
export const jsonObject = /* @__PURE__ */ z.custom<JsonObject>(isJsonObject, 'must be an object')

/** A string; other strings are never parsed. */
export const text = /* @__PURE__ */ z.string('must be a string')

/** A key that may be absent or null (CAP section 3, "Optionals"). Null reads as absent, as writers omit it. */
// @__NO_SIDE_EFFECTS__
export function optional<T extends z.ZodMiniType>(schema: T) {
  return z.optional(
    z.pipe(
      z.nullable(schema),
      z.transform((value: z.output<T> | null) => value ?? undefined),
    ),
  )
}
