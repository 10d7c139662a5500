import type { JsonObject } from '../../../base/json-object.ts'
import { isJsonObject } from '../../../base/json-object.ts'
import { canonicalDateTime } from '../values/canonical-date-time.ts'
import { canonicalBoolean, canonicalInteger, canonicalNumber, canonicalUuid } from '../values/scalars.ts'

/** How one kind of value is read; `read` gives undefined for what is none. */
export interface ValueReader<Value> {
  read(value: unknown): Value | undefined
  /** Follows the name of the key in a sentence. */
  readonly must: string
}

export const asUuid: ValueReader<string> = { read: canonicalUuid, must: 'must be a UUID' }
export const asInteger: ValueReader<number> = {
  read: canonicalInteger,
  must: 'must be a whole number within ±(2^53-1)',
}
export const asNumber: ValueReader<number> = { read: canonicalNumber, must: 'must be a number' }
export const asBoolean: ValueReader<boolean> = { read: canonicalBoolean, must: 'must be true or false' }
export const asDateTime: ValueReader<string> = { read: canonicalDateTime, must: 'must be a date and time' }
export const asText: ValueReader<string> = {
  read: (value) => (typeof value === 'string' ? value : undefined),
  must: 'must be a string',
}
export const asObject: ValueReader<JsonObject> = {
  read: (value) => (isJsonObject(value) ? value : undefined),
  must: 'must be an object',
}
export const asList: ValueReader<readonly unknown[]> = {
  read: (value) => (Array.isArray(value) ? value : undefined),
  must: 'must be a list',
}
export const asTextOrObject: ValueReader<string | JsonObject> = {
  read: (value) => (typeof value === 'string' || isJsonObject(value) ? value : undefined),
  must: 'must be a string or an object',
}
export const asTextOrObjectOrNull: ValueReader<string | JsonObject | null> = {
  read: (value) => (value === null ? null : asTextOrObject.read(value)),
  must: 'must be a string, an object or null',
}
