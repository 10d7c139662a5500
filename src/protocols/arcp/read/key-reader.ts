import { ValidationError } from '../../../base/format/validation-error.ts'
import type { JsonObject } from '../../../base/json-object.ts'
import { isJsonObject } from '../../../base/json-object.ts'
import { isDateTime } from '../values/date-time.ts'

/** The member under the first of these keys that is there; null counts as absent. Runtimes differ in their names. */
export function member(from: JsonObject, keys: readonly string[]): unknown {
  for (const key of keys) {
    const value = from[key]
    if (value !== undefined && value !== null) return value
  }
  return undefined
}

function required<Value>(value: Value | undefined, keys: readonly string[], what: string): Value {
  if (value === undefined) throw new ValidationError(`${keys[0]} must be ${what}`)
  return value
}

export function maybeText(from: JsonObject, ...keys: readonly string[]): string | undefined {
  const value = member(from, keys)
  if (value !== undefined && typeof value !== 'string') throw new ValidationError(`${keys[0]} must be a string`)
  return value
}

export function text(from: JsonObject, ...keys: readonly string[]): string {
  return required(maybeText(from, ...keys), keys, 'a string')
}

/** A text that is not empty. */
export function name(from: JsonObject, ...keys: readonly string[]): string {
  return required(maybeText(from, ...keys) || undefined, keys, 'a string that is not empty')
}

export function maybeNumber(from: JsonObject, ...keys: readonly string[]): number | undefined {
  const value = member(from, keys)
  if (value !== undefined && typeof value !== 'number') throw new ValidationError(`${keys[0]} must be a number`)
  return value
}

export function number(from: JsonObject, ...keys: readonly string[]): number {
  return required(maybeNumber(from, ...keys), keys, 'a number')
}

export function maybeCount(from: JsonObject, ...keys: readonly string[]): number | undefined {
  const value = maybeNumber(from, ...keys)
  if (value !== undefined && !(Number.isSafeInteger(value) && value >= 0))
    throw new ValidationError(`${keys[0]} must be a whole number and not negative`)
  return value
}

export function maybeFlag(from: JsonObject, key: string): boolean | undefined {
  const value = member(from, [key])
  if (value !== undefined && typeof value !== 'boolean') throw new ValidationError(`${key} must be true or false`)
  return value
}

export function maybeObject(from: JsonObject, ...keys: readonly string[]): JsonObject | undefined {
  const value = member(from, keys)
  if (value !== undefined && !isJsonObject(value)) throw new ValidationError(`${keys[0]} must be an object`)
  return value
}

export function object(from: JsonObject, ...keys: readonly string[]): JsonObject {
  return required(maybeObject(from, ...keys), keys, 'an object')
}

export function maybeTime(from: JsonObject, ...keys: readonly string[]): string | undefined {
  const value = maybeText(from, ...keys)
  if (value !== undefined && !isDateTime(value))
    throw new ValidationError(`${keys[0]} must be a date and time of RFC 3339`)
  return value
}

export function time(from: JsonObject, ...keys: readonly string[]): string {
  return required(maybeTime(from, ...keys), keys, 'a date and time of RFC 3339')
}

/** One of the words that the protocol has. */
export function word<const Word extends string>(from: JsonObject, key: string, words: readonly Word[]): Word {
  const value = words.find((each) => each === from[key])
  return required(value, [key], `one of ${words.join(', ')}`)
}
