import * as z from 'zod/mini'
import type { JsonObject } from '../../../base/json-object.ts'
import { isJsonObject } from '../../../base/json-object.ts'
import { isDateTime } from '../values/date-time.ts'

/** Any JSON object, passed on as it is. */
export const jsonObject = /* @__PURE__ */ z.custom<JsonObject>(isJsonObject, 'must be an object')

/** A string; other strings are never parsed. */
export const text = /* @__PURE__ */ z.string('must be a string')

/** An id or a name: a string that is not empty. */
export const name = /* @__PURE__ */ z.string('must be a string').check(z.minLength(1, 'must not be empty'))

/** A date and time of RFC 3339. */
export const dateTime = /* @__PURE__ */ z.string().check(z.refine(isDateTime, 'must be a date and time of RFC 3339'))

/** Any JSON number. */
export const number = /* @__PURE__ */ z.number('must be a number')

/** A number that counts: whole and not negative. */
export const count = /* @__PURE__ */ z.int('must be a whole number').check(z.nonnegative('must not be negative'))

/** A member that may be absent or null: runtimes in F# write null for what they do not have. */
// @__NO_SIDE_EFFECTS__
export function optional<T extends z.ZodMiniType>(schema: T) {
  return z.optional(
    z.pipe(
      z.nullable(schema),
      z.transform((value: z.output<T> | null) => value ?? undefined),
    ),
  )
}

/** A boolean that may be absent. */
export const flag = /* @__PURE__ */ optional(z.boolean('must be true or false'))

/** A text that may be absent. */
export const maybeText = /* @__PURE__ */ optional(text)

/** Whether an object has at least one of these members. */
// @__NO_SIDE_EFFECTS__
export function hasOneOf<Value extends object>(...names: readonly (keyof Value & string)[]) {
  return z.refine<Value>(
    (value) => names.some((each) => value[each] !== undefined),
    `must have one of ${names.join(', ')}`,
  )
}
