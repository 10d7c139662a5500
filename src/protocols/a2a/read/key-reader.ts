import { ValidationError } from '../../../base/format/validation-error.ts'
import type { JsonObject } from '../../../base/json-object.ts'
import { isJsonObject } from '../../../base/json-object.ts'

/** Reads a value. `path` is for the message. @throws ValidationError */
export type Reader<Value> = (value: unknown, path: string) => Value

export const text: Reader<string> = (value, path) => {
  if (typeof value !== 'string') throw new ValidationError(`${path} must be a string`)
  return value
}

const flag: Reader<boolean> = (value, path) => {
  if (typeof value !== 'boolean') throw new ValidationError(`${path} must be true or false`)
  return value
}

const number: Reader<number> = (value, path) => {
  if (typeof value !== 'number') throw new ValidationError(`${path} must be a number`)
  return value
}

export const object: Reader<JsonObject> = (value, path) => {
  if (!isJsonObject(value)) throw new ValidationError(`${path} must be an object`)
  return value
}

export const listOf =
  <Item>(item: Reader<Item>): Reader<Item[]> =>
  (value, path) => {
    if (!Array.isArray(value)) throw new ValidationError(`${path} must be a list`)
    return value.map((each: unknown, at) => item(each, `${path}.${at}`))
  }

/** May be absent or null: ProtoJSON leaves out what is empty. */
export const optional =
  <Value>(read: Reader<Value>): Reader<Value | undefined> =>
  (value, path) =>
    value === undefined || value === null ? undefined : read(value, path)

/** The members of an object that have readers; others do not matter. */
export const members =
  <Value>(readers: { readonly [Key in keyof Value]-?: Reader<Value[Key]> }): Reader<Value> =>
  (value, path) => {
    const from = object(value, path)
    const found: Partial<Value> = {}
    // The keys of an object are those its type names: it is written out where it is made.
    for (const key of Object.keys(readers) as (keyof Value & string)[]) {
      const member = readers[key](from[key], `${path}.${key}`)
      if (member !== undefined) found[key] = member
    }
    // Each member was read; those left out are optional.
    return found as Value
  }

export const optionalText = /* @__PURE__ */ optional(text)
export const optionalNumber = /* @__PURE__ */ optional(number)
export const optionalObject = /* @__PURE__ */ optional(object)
export const optionalTexts = /* @__PURE__ */ optional(listOf(text))
export const optionalFlag = /* @__PURE__ */ optional(flag)
