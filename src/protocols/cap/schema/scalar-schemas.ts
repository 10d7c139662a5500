import * as z from 'zod/mini'
import { canonicalDateTime, strictDateTime } from '../values/canonical-date-time.ts'
import { canonicalBoolean, canonicalInteger, canonicalNumber, canonicalUuid } from '../values/scalars.ts'

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
