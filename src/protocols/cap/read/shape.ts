import { isJsonObject } from '../../../base/json-object.ts'
import type { ValueReader } from './value-readers.ts'

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
