import { isJsonObject } from '../../base/json-object.ts'
import type { FieldError, JsonSchema } from '../../seam/prompt.ts'

/** What is wrong with a value, where the schema asks for something. */
type Check = (wanted: unknown, value: unknown, path: string, schema: JsonSchema) => readonly FieldError[]

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: Array.isArray,
  object: isJsonObject,
}

/** These say nothing about which values fit. */
const ANNOTATIONS = new Set([
  ...['$schema', '$id', '$comment', 'title', 'description', 'default', 'examples', 'deprecated'],
  ...['readOnly', 'writeOnly', 'enumNames', 'contentMediaType', 'format'],
])

const CHECKS: Readonly<Record<string, Check>> = {
  type: (wanted, value, path) => {
    const types = Array.isArray(wanted) ? wanted.map(String) : [String(wanted)]
    return failsUnless(
      types.some((type) => TYPES[type]?.(value) === true),
      path,
      `Must be ${types.join(' or ')}.`,
    )
  },
  enum: (wanted, value, path) => {
    const text = canonicalJson(value)
    const fits = Array.isArray(wanted) && wanted.some((each) => canonicalJson(each) === text)
    return failsUnless(fits, path, 'Must be one of the values offered.')
  },
  const: (wanted, value, path) =>
    failsUnless(canonicalJson(wanted) === canonicalJson(value), path, 'Must be the value given.'),
  minimum: bound('number', (value, wanted) => value >= wanted, 'Must be at least'),
  maximum: bound('number', (value, wanted) => value <= wanted, 'Must be at most'),
  exclusiveMinimum: bound('number', (value, wanted) => value > wanted, 'Must be more than'),
  exclusiveMaximum: bound('number', (value, wanted) => value < wanted, 'Must be less than'),
  minLength: bound('string', (value, wanted) => value >= wanted, 'Characters needed at least:'),
  maxLength: bound('string', (value, wanted) => value <= wanted, 'Characters allowed at most:'),
  minItems: bound('array', (value, wanted) => value >= wanted, 'Items needed at least:'),
  maxItems: bound('array', (value, wanted) => value <= wanted, 'Items allowed at most:'),
  uniqueItems: (wanted, value, path) =>
    failsUnless(
      wanted !== true || !Array.isArray(value) || new Set(value.map(canonicalJson)).size === value.length,
      path,
      'Must not repeat an item.',
    ),
  pattern: (wanted, value, path) =>
    failsUnless(
      typeof value !== 'string' || new RegExp(String(wanted), 'u').test(value),
      path,
      'Does not have the form that is asked for.',
    ),
  items: (wanted, value, path) =>
    Array.isArray(value) && isJsonObject(wanted)
      ? value.flatMap((item: unknown, index) => checkJson(wanted, item, `${path}/${index}`))
      : [],
  required: (wanted, value, path) =>
    isJsonObject(value) && Array.isArray(wanted)
      ? wanted.flatMap((key) => failsUnless(Object.hasOwn(value, String(key)), below(path, String(key)), 'Is needed.'))
      : [],
  properties: (wanted, value, path) =>
    isJsonObject(value) && isJsonObject(wanted)
      ? Object.entries(wanted).flatMap(([key, schema]) =>
          Object.hasOwn(value, key) && isJsonObject(schema) ? checkJson(schema, value[key], below(path, key)) : [],
        )
      : [],
  additionalProperties: (wanted, value, path, { properties }) => {
    if (!isJsonObject(value)) return []
    const known = isJsonObject(properties) ? properties : {}
    return Object.keys(value)
      .filter((key) => !Object.hasOwn(known, key))
      .flatMap((key) => {
        if (isJsonObject(wanted)) return checkJson(wanted, value[key], below(path, key))
        return failsUnless(wanted !== false, below(path, key), 'Is not asked for.')
      })
  },
}

/**
 * Checks a JSON value against the keywords of JSON Schema that forms are made of. Of other keywords `unknownKeyword` tells, and
 * nothing is checked.
 */
export function checkJson(schema: JsonSchema, value: unknown, path = ''): readonly FieldError[] {
  return Object.entries(schema).flatMap(([keyword, wanted]) =>
    Object.hasOwn(CHECKS, keyword) ? (CHECKS[keyword]?.(wanted, value, path, schema) ?? []) : [],
  )
}

/** A keyword that `checkJson` does not know, or a pattern that is none; undefined when it knows all of them. */
export function unknownKeyword(schema: JsonSchema): string | undefined {
  for (const [keyword, wanted] of Object.entries(schema)) {
    if (!Object.hasOwn(CHECKS, keyword) && !ANNOTATIONS.has(keyword)) return keyword
    if (keyword === 'pattern' && !isPattern(wanted)) return keyword
    const inner = keyword === 'properties' && isJsonObject(wanted) ? Object.values(wanted) : [wanted]
    const holdsSchemas = keyword === 'properties' || keyword === 'items' || keyword === 'additionalProperties'
    for (const each of holdsSchemas ? inner : []) {
      // A list of schemas for the items in their order is an older form, which is not checked.
      if (Array.isArray(each)) return keyword
      const unknown = isJsonObject(each) ? unknownKeyword(each) : undefined
      if (unknown !== undefined) return unknown
    }
  }
  return undefined
}

/** JSON Pointer to a key. */
export function below(path: string, key: string): string {
  return `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

function isPattern(wanted: unknown): boolean {
  try {
    return new RegExp(String(wanted), 'u') instanceof RegExp
  } catch {
    return false
  }
}

function failsUnless(fits: boolean, path: string, message: string): readonly FieldError[] {
  return fits ? [] : [{ path, message }]
}

function bound(
  type: 'number' | 'string' | 'array',
  fits: (value: number, wanted: number) => boolean,
  words: string,
): Check {
  return (wanted, value, path) => {
    if (TYPES[type]?.(value) !== true || typeof wanted !== 'number') return []
    // Characters are counted as JSON Schema does, not as UTF-16 does.
    const size =
      typeof value === 'number' ? value : typeof value === 'string' ? Array.from(value).length : lengthOf(value)
    return failsUnless(fits(size, wanted), path, `${words} ${wanted}.`)
  }
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0
}

/** JSON with the keys of every object in order (RFC 8785), so that equal values have equal texts. The value is JSON already. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  )
}
