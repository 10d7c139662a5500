import type { JsonObject } from '../json-object.ts'
import { isJsonObject } from '../json-object.ts'
import { ValidationError } from './validation-error.ts'

// A shape describes a JSON value once: its TypeScript type is `ValueOf`, its reader `read`, and its zod schema `zodOf`. It is a function that
// reads an elementary value, a list with the shape of the items, or an object with the shapes of the members. Behind the name of an optional
// member is a question mark: it may be absent or null, as writers omit what is empty.

/** Reads an elementary value, or one that is written in several ways. @throws ValidationError */
export type Elementary<Value> = (value: unknown, path: string) => Value

export interface ObjectShape {
  readonly [word: string]: Shape
}

/** Description of a JSON value. */
export type Shape = Elementary<unknown> | readonly Shape[] | ObjectShape

/** Type of the values of a shape. */
export type ValueOf<Described> = Described extends (value: unknown, path: string) => infer Value
  ? Value
  : Described extends readonly (infer Item)[]
    ? ValueOf<Item>[]
    : ObjectOf<Described>

type OptionalWord<Shapes> = {
  [Word in keyof Shapes]: Word extends `${string}?` ? Word : undefined extends ValueOf<Shapes[Word]> ? Word : never
}[keyof Shapes]
type KeyOf<Word> = Word extends `${infer Key}?` ? Key : Word
type Flat<Value> = { [Key in keyof Value]: Value[Key] }
type ObjectOf<Shapes> = Flat<
  { [Word in Exclude<keyof Shapes, OptionalWord<Shapes>>]: ValueOf<Shapes[Word]> } & {
    [Word in OptionalWord<Shapes> as KeyOf<Word> & string]?: ValueOf<Shapes[Word]> | undefined
  }
>

function mustBe(what: string, path: string): never {
  throw new ValidationError(`${path} must be ${what}`)
}

export const text: Elementary<string> = (value, path) => (typeof value === 'string' ? value : mustBe('a string', path))
export const flag: Elementary<boolean> = (value, path) =>
  typeof value === 'boolean' ? value : mustBe('true or false', path)
export const number: Elementary<number> = (value, path) =>
  typeof value === 'number' ? value : mustBe('a number', path)
/** Any object; its members are passed on unread. */
export const object: Elementary<JsonObject> = (value, path) => (isJsonObject(value) ? value : mustBe('an object', path))
/** Any value, null included; it may be absent. */
export const anything: Elementary<unknown> = (value) => value

/**
 * A copy of a value without members that are not described.
 *
 * @param path of the value, for the message
 * @throws ValidationError
 */
export const read: <const Described extends Shape>(
  shape: Described,
  value: unknown,
  path: string,
  // Each value is read by its shape.
) => ValueOf<Described> = readAny as never

function readAny(shape: Shape | undefined, value: unknown, path: string): unknown {
  if (typeof shape === 'function') return shape(value, path)
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return mustBe('a list', path)
    const [item] = shape as readonly Shape[]
    return value.map((each: unknown, at) => readAny(item, each, `${path}.${at}`))
  }
  const from = object(value, path)
  const found: JsonObject = {}
  // A readonly list was handled above, which TypeScript does not see.
  const members = (shape ?? {}) as ObjectShape
  for (const word in members) {
    const key = word.replace('?', '')
    const given = from[key]
    if (key !== word && (given ?? undefined) === undefined) continue
    const inner = readAny(members[word], given, `${path}.${key}`)
    if (inner !== undefined) found[key] = inner
  }
  return found
}
