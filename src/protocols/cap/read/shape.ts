import { isJsonObject, type JsonObject } from '../../../base/json-object.ts'
import {
  canonicalDateTime,
  canonicalBoolean,
  canonicalInteger,
  canonicalNumber,
  canonicalUuid,
} from '../values/scalars.ts'

/** Looks at one value and adds what is wrong with it, each as a sentence that begins with its path. */
export type Shape = (value: unknown, path: string, faults: string[]) => void

/** A value that the reader can read. */
export function is(reader: ValueReader<unknown>): Shape {
  return (value, path, faults) => {
    if (reader.read(value) === undefined) faults.push(`${path} ${reader.must}`)
  }
}

/** An object with these keys; others do not matter. */
export function object(keys: Readonly<Record<string, Shape>>): Shape {
  return (value, path, faults) => {
    if (!isJsonObject(value)) return void faults.push(`${path || 'the request'} must be an object`)
    for (const [key, shape] of Object.entries(keys)) shape(value[key], path === '' ? key : `${path}.${key}`, faults)
  }
}

export function list(item: Shape): Shape {
  return (value, path, faults) => {
    if (!Array.isArray(value)) return void faults.push(`${path} must be a list`)
    value.forEach((each: unknown, index) => item(each, `${path}.${index}`, faults))
  }
}

/** May be absent. */
export function absentOr(shape: Shape): Shape {
  return (value, path, faults) => (value === undefined ? undefined : shape(value, path, faults))
}

/** May be absent or null (CAP section 3, "Optionals"). */
export function nothingOr(shape: Shape): Shape {
  return (value, path, faults) => (value === undefined || value === null ? undefined : shape(value, path, faults))
}

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
