import { isBoolean, isRecord, isString } from '../../../base/guards.ts'
import type { JsonSchema } from '../../../seam/prompt.ts'
import { asksCredential } from './asks-credential.ts'
import type { FieldOption, FormField, GroupField, ScalarField, TextField } from './form-field.ts'
import { pointerStep } from './form-field.ts'
import { isJsonEqual } from './json-equal.ts'
import { readOptions } from './read-options.ts'
import { resolveSchema } from './resolve-schema.ts'

/** Limits of schemas, and of values to begin with. */
export const FORM_LIMITS = { characters: 64_000, depth: 64 } as const
/** Objects inside of each other; what is deeper is JSON text. */
const DEEPEST_GROUP = 4
const MOST_FIELDS = 100
const MOST_VARIANTS = 20
/** Options of a list to choose one from, and boxes to check. */
const MOST_OPTIONS = 1000
const MOST_BOXES = 50
/** Characters that an input of one row shows well. */
const LONG = 120

/** What of a schema an input of a single value cannot express; an object with one of these may have properties that no field is for. */
const HIDING = ['allOf', 'if', 'then', 'else', 'dependentSchemas', 'dependencies', 'patternProperties', '$dynamicRef']

/** Where in the form a schema is read. */
interface Place {
  readonly id: string
  readonly key: string
  readonly isRequired: boolean
  readonly initial: unknown
  /** Objects around it. */
  readonly depth: number
  readonly refs: readonly string[]
}

/**
 * What there is to fill in for a schema. Both the schema and the value to begin with are untrusted and within {@link FORM_LIMITS}:
 * whatever is too deep or not known to a form becomes a field of JSON text, and so does all of it where there are too many fields.
 */
export function readForm(root: JsonSchema, initial?: unknown): FormField {
  let count = 0
  const place: Place = { id: '', key: '', isRequired: true, initial, depth: 0, refs: [] }

  function read(given: unknown, place: Place): FormField {
    count += 1
    const resolved = isRecord(given) ? resolveSchema(root, given, place.refs) : undefined
    const schema = resolved?.schema ?? (isRecord(given) ? given : {})
    const { title, description, default: preset, format, writeOnly } = schema
    const label = isString(title) && title !== '' ? title : place.key
    const asks = format === 'password' || asksCredential(place.key, label)
    const base = {
      id: place.id,
      key: place.key,
      label,
      description: isString(description) && description !== '' ? description : undefined,
      isRequired: place.isRequired,
      isNullable: resolved?.isNullable ?? false,
      initial: place.initial === undefined ? preset : place.initial,
      isSecret: writeOnly === true || asks,
      asksCredential: asks,
    }
    if (resolved === undefined || count > MOST_FIELDS) return { ...base, kind: 'json', reason: 'other', schema: given }
    const isSecret = base.isSecret || hasSecrets(root)
    const json: FormField = { ...base, isSecret, kind: 'json', reason: 'other', schema: given }
    const inside: Place = { ...place, initial: base.initial, refs: resolved.refs }

    if (Object.hasOwn(schema, 'const') && place.isRequired) return { ...base, kind: 'fixed', value: schema['const'] }
    const options = Object.hasOwn(schema, 'const') ? readOptions({ oneOf: [schema] }) : readOptions(schema)
    if (options !== undefined)
      return options.length > MOST_OPTIONS ? json : { ...base, kind: 'choice', options, asksCredential: false }

    const scalar = readScalar(schema, base)
    if (scalar !== undefined) return scalar
    const type = typeOf(schema)
    if (type === 'array') return readArray(schema, base, inside) ?? json
    if (place.depth >= DEEPEST_GROUP) return json
    const variants = schema['oneOf'] ?? schema['anyOf']
    if (Array.isArray(variants) && (type === undefined || type === 'object'))
      return readUnion(schema, variants, base, inside) ?? json
    return (type === 'object' ? readGroup(schema, base, inside) : undefined) ?? json
  }

  function readGroup(schema: JsonSchema, base: Base, place: Place): GroupField | undefined {
    const { properties, required, additionalProperties } = schema
    if (!isRecord(properties) || HIDING.some((keyword) => Object.hasOwn(schema, keyword))) return undefined
    const needed: readonly unknown[] = Array.isArray(required) ? required : []
    // Boolean schemas: one that allows nothing has no field, and one that allows anything has JSON text.
    const keys = Object.keys(properties).filter((key) => key !== '__proto__' && properties[key] !== false)
    if (keys.length > MOST_FIELDS) {
      count = MOST_FIELDS + 1
      return undefined
    }
    if (!needed.every((key) => isString(key) && keys.includes(key))) return undefined
    const start = isRecord(place.initial) ? place.initial : {}
    const fields = keys.map((key) =>
      read(properties[key], {
        id: place.id + pointerStep(key),
        key,
        isRequired: needed.includes(key),
        initial: Object.hasOwn(start, key) ? start[key] : undefined,
        depth: place.depth + 1,
        refs: place.refs,
      }),
    )
    const others =
      additionalProperties === false
        ? []
        : Object.entries(start).filter(([key]) => key !== '__proto__' && !Object.hasOwn(properties, key))
    return { ...base, kind: 'group', fields, others: Object.fromEntries(others) }
  }

  function readUnion(
    schema: JsonSchema,
    variants: readonly unknown[],
    base: Base,
    place: Place,
  ): FormField | undefined {
    if (variants.length > MOST_VARIANTS || !variants.every(isRecord)) return undefined
    const { oneOf: _, anyOf: __, title: ___, description: ____, default: _____, ...shared } = schema
    if (Object.hasOwn(schema, 'oneOf') && Object.hasOwn(schema, 'anyOf')) return undefined
    const fields = variants.map((variant, at) => {
      const resolved = resolveSchema(root, variant, place.refs)
      return read(resolved === undefined ? variant : withShared(shared, resolved.schema), {
        ...place,
        id: `${place.id}/~b${at}`,
        key: '',
        isRequired: true,
        refs: resolved?.refs ?? place.refs,
      })
    })
    return { ...base, kind: 'union', variants: fields }
  }

  function readArray(schema: JsonSchema, base: Base, place: Place): FormField | undefined {
    const { items, minItems, maxItems, uniqueItems, prefixItems } = schema
    const resolved = isRecord(items) && prefixItems === undefined ? resolveSchema(root, items, place.refs) : undefined
    if (resolved === undefined) return undefined
    const limits = { minItems: asNumber(minItems), maxItems: asNumber(maxItems) }
    const options = readOptions(resolved.schema)
    if (options !== undefined)
      return options.length > MOST_BOXES || !isOfOptions(base.initial, options)
        ? undefined
        : { ...base, kind: 'choices', options, ...limits }
    const item = read(items, { ...place, id: `${place.id}/~r`, key: '', isRequired: true, initial: undefined })
    if (!isScalar(item)) return undefined
    return { ...base, kind: 'list', item, ...limits, isUnique: uniqueItems === true }
  }

  const form = read(root, place)
  return count > MOST_FIELDS ? largeForm(initial) : form
}

type Base = Omit<GroupField, 'kind' | 'fields' | 'others'>

/** One field of JSON text, in place of a form that is too large. */
export function largeForm(initial: unknown): FormField {
  return {
    id: '',
    key: '',
    label: '',
    description: undefined,
    isRequired: true,
    isNullable: false,
    initial,
    // Nobody has looked at what it asks for.
    isSecret: true,
    asksCredential: false,
    kind: 'json',
    reason: 'large',
    schema: undefined,
  }
}

/** A variant together with what all variants share. */
function withShared(shared: JsonSchema, variant: JsonSchema): JsonSchema {
  const { properties, required } = shared
  const own = variant['properties']
  return {
    ...shared,
    ...variant,
    ...(isRecord(properties) && { properties: { ...properties, ...(isRecord(own) ? own : {}) } }),
    ...(Array.isArray(required) && {
      required: [
        ...(required as unknown[]),
        ...(Array.isArray(variant['required']) ? (variant['required'] as unknown[]) : []),
      ],
    }),
  }
}

/** The type that a schema says, or that its keywords are about. */
function typeOf(schema: JsonSchema): unknown {
  const has = (...keywords: readonly string[]): boolean => keywords.some((keyword) => Object.hasOwn(schema, keyword))
  if (schema['type'] !== undefined) return schema['type']
  if (has('properties')) return 'object'
  if (has('oneOf', 'anyOf', 'allOf', 'if', 'not')) return undefined
  if (has('items')) return 'array'
  if (has('minLength', 'maxLength', 'pattern', 'format')) return 'string'
  return has('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf') ? 'number' : undefined
}

function readScalar(schema: JsonSchema, base: Base): ScalarField | undefined {
  const type = typeOf(schema)
  if (type === 'boolean') return { ...base, kind: 'boolean', asksCredential: false }
  if (type === 'number' || type === 'integer') {
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
    // In older drafts the limits are exclusive where a boolean says so.
    const step = asNumber(multipleOf)
    return {
      ...base,
      // A number of tokens is no credential; a PIN is.
      asksCredential: base.asksCredential && !/token/i.test(base.key + base.label),
      kind: 'number',
      isInteger: type === 'integer',
      minimum: exclusiveMinimum === true ? undefined : asNumber(minimum),
      maximum: exclusiveMaximum === true ? undefined : asNumber(maximum),
      above: asNumber(isBoolean(exclusiveMinimum) ? exclusiveMinimum && minimum : exclusiveMinimum),
      below: asNumber(isBoolean(exclusiveMaximum) ? exclusiveMaximum && maximum : exclusiveMaximum),
      multipleOf: step !== undefined && step > 0 ? step : undefined,
    }
  }
  if (type !== 'string') return undefined
  const { format, minLength, maxLength, pattern } = schema
  const known = FORMATS.find((name) => name === format)
  const start = isString(base.initial) ? base.initial : ''
  return {
    ...base,
    kind: 'text',
    format: known,
    minLength: asNumber(minLength),
    maxLength: asNumber(maxLength),
    pattern: isString(pattern) ? pattern : undefined,
    isLong: known === undefined && (start.length > LONG || /[\r\n]/.test(start) || (asNumber(maxLength) ?? 0) > LONG),
  }
}

const FORMATS: readonly NonNullable<TextField['format']>[] = ['email', 'uri', 'date', 'date-time']

/** Whether anything in a schema is never to be stored. */
function hasSecrets(schema: JsonSchema): boolean {
  let found = false
  JSON.stringify(schema, (key, value: unknown) => {
    found ||=
      asksCredential(key) || (key === 'writeOnly' && value === true) || (key === 'format' && value === 'password')
    return value
  })
  return found
}

function isScalar(field: FormField): field is ScalarField {
  return field.kind === 'text' || field.kind === 'number' || field.kind === 'boolean' || field.kind === 'choice'
}

/** Whether boxes can stand for a value: each of its items is an option, once. */
function isOfOptions(value: unknown, options: readonly FieldOption[]): boolean {
  if (value === undefined) return true
  return (
    Array.isArray(value) &&
    new Set(value).size === value.length &&
    value.every((item) => options.some((option) => isJsonEqual(option.value, item)))
  )
}

const asNumber = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined
