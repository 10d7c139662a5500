import * as z from 'zod/mini'
import {
  canonicalDateTime,
  strictDateTime,
  canonicalBoolean,
  canonicalInteger,
  canonicalNumber,
  canonicalUuid,
} from '../values/scalars.ts'
import { type JsonObject, isJsonObject } from '../../../base/json-object.ts'

/** Whether scalars are read as leniently as the reference models do. */
export interface ReadingOptions {
  /** Default true: any known spelling in, the canonical one out. False: only canonical JSON types and spellings. */
  readonly lax?: boolean | undefined
}

// @__NO_SIDE_EFFECTS__
function scalar<T>(read: (value: unknown) => T | undefined, message: string) {
  return z.pipe(
    // Declared as T so that people write canonical values; whatever comes is read below.
    z.custom<T>(),
    z.transform((value: T, context): T => {
      const canonical = read(value)
      if (canonical !== undefined) return canonical
      context.issues.push({ code: 'custom', message, input: value })
      return z.NEVER
    }),
  )
}

/** The scalar schemas of CAP section 3. Lenient in, canonical out. */
// @__NO_SIDE_EFFECTS__
export function createScalars(options: ReadingOptions = {}) {
  const lax = options.lax ?? true
  return {
    uuid: scalar(
      lax
        ? canonicalUuid
        : (value) => (typeof value === 'string' && value.length === 36 ? canonicalUuid(value) : undefined),
      'must be a UUID',
    ),
    dateTime: scalar(lax ? canonicalDateTime : strictDateTime, 'must be a date and time'),
    integer: scalar(
      lax ? canonicalInteger : (value) => (typeof value === 'number' ? canonicalInteger(value) : undefined),
      'must be a whole number within ±(2^53-1)',
    ),
    number: scalar(
      lax ? canonicalNumber : (value) => (typeof value === 'number' ? value : undefined),
      'must be a number',
    ),
    boolean: scalar(
      lax ? canonicalBoolean : (value) => (typeof value === 'boolean' ? value : undefined),
      'must be true or false',
    ),
  }
}

export type Scalars = ReturnType<typeof createScalars>

/** Scalars as the reference models read them. */
export const laxScalars: Scalars = /* @__PURE__ */ createScalars()

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

/** The ids by which requests of one task hang together. */
interface RequestLineage {
  request_id?: string | undefined
  root_request_id?: string | undefined
  parent_request_id?: string | undefined
}

/** CAP section 3.4, "Lineage": a request with a parent must name the root of the chain. */
// @__NO_SIDE_EFFECTS__
export function unbrokenChain<T extends RequestLineage>() {
  return z.check<T>((context) => {
    const { parent_request_id, root_request_id } = context.value
    if (parent_request_id === undefined || root_request_id !== undefined) return
    context.issues.push({
      code: 'custom',
      path: ['root_request_id'],
      message: 'must name the first request of the chain when parent_request_id is given',
      input: context.value,
    })
  })
}

/** A request without root and parent is the root of its own chain. */
export function withRoot<T extends RequestLineage>(request: T): T {
  if (request.root_request_id !== undefined || request.request_id === undefined) return request
  return { ...request, root_request_id: request.request_id }
}
