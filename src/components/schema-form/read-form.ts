import { isBoolean, isRecord, isString } from '../../base/guards.ts'
import type { JsonSchema } from '../../seam/prompt.ts'
import { asksCredential } from './asks-credential.ts'
import {
  type FieldOption,
  type FormField,
  type GroupField,
  type JsonField,
  type Limits,
  type ScalarField,
  type TextFormat,
  pointerStep,
  isJsonEqual,
} from './form-field.ts'

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

const FORMATS: readonly TextFormat[] = ['email', 'uri', 'date', 'date-time']
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

/** What all kinds of fields have. */
type Base = Omit<JsonField, 'kind' | 'reason' | 'schema'>

/**
 * What there is to fill in for a schema. Both the schema and the value to begin with are untrusted and within {@link FORM_LIMITS}:
 * whatever is too deep or not known to a form becomes a field of JSON text, and so does all of it where there are too many fields.
 */
export function readForm(root: JsonSchema, initial?: unknown): FormField {
  let count = 0

  function read(given: unknown, place: Place): FormField {
    count += 1
    const resolved = isRecord(given) ? resolveSchema(root, given, place.refs) : undefined
    const schema = resolved?.schema ?? (isRecord(given) ? given : {})
    const { title, description, default: preset, format, writeOnly } = schema
    const label = isString(title) && title !== '' ? title : place.key
    const asks = format === 'password' || asksCredential(place.key, label)
    const base: Base = {
      id: place.id,
      key: place.key,
      label,
      description: isString(description) && description !== '' ? description : undefined,
      isRequired: place.isRequired,
      isNullable: resolved?.isNullable ?? false,
      initial: place.initial === undefined ? preset : place.initial,
      isSecret: writeOnly === true || asks,
      asksCredential: asks,
      limits: limitsOf(schema),
    }
    if (resolved === undefined || count > MOST_FIELDS) return { ...base, kind: 'json', reason: 'other', schema: given }
    const isSecret = base.isSecret || hasSecrets(root)
    const json: JsonField = { ...base, isSecret, kind: 'json', reason: 'other', schema: given }

    const isConstant = Object.hasOwn(schema, 'const')
    if (isConstant && place.isRequired) return { ...base, kind: 'fixed', value: schema['const'] }
    const options = isConstant ? readConstants([schema]) : readOptions(schema)
    if (options !== undefined)
      return options.length > MOST_OPTIONS ? json : { ...base, kind: 'choice', options, asksCredential: false }
    const inside: Place = { ...place, initial: base.initial, refs: resolved.refs }
    return readScalar(schema, base) ?? readStructure(schema, base, inside) ?? json
  }

  /** A list, an object or variants. */
  function readStructure(schema: JsonSchema, base: Base, place: Place): FormField | undefined {
    const type = typeOf(schema)
    if (type === 'array') return readArray(schema, base, place)
    if (place.depth >= DEEPEST_GROUP) return undefined
    const variants = schema['oneOf'] ?? schema['anyOf']
    if (Array.isArray(variants) && (type === undefined || type === 'object'))
      return readUnion(schema, variants, base, place)
    return type === 'object' ? readGroup(schema, base, place) : undefined
  }

  function readGroup(schema: JsonSchema, base: Base, place: Place): GroupField | undefined {
    const { properties, required, additionalProperties } = schema
    if (!isRecord(properties) || HIDING.some((keyword) => Object.hasOwn(schema, keyword))) return undefined
    const needed = itemsOf(required)
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
    const isOther = (key: string): boolean => key !== '__proto__' && !Object.hasOwn(properties, key)
    const others = additionalProperties === false ? [] : Object.entries(start).filter(([key]) => isOther(key))
    return { ...base, kind: 'group', fields, others: Object.fromEntries(others) }
  }

  function readUnion(
    schema: JsonSchema,
    variants: readonly unknown[],
    base: Base,
    place: Place,
  ): FormField | undefined {
    if (variants.length > MOST_VARIANTS || !variants.every(isRecord)) return undefined
    if (Object.hasOwn(schema, 'oneOf') && Object.hasOwn(schema, 'anyOf')) return undefined
    const shared = without(schema, 'oneOf', 'anyOf', 'title', 'description', 'default')
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
    const { items, uniqueItems, prefixItems } = schema
    const resolved = isRecord(items) && prefixItems === undefined ? resolveSchema(root, items, place.refs) : undefined
    if (resolved === undefined) return undefined
    const options = readOptions(resolved.schema)
    if (options !== undefined)
      return options.length > MOST_BOXES || !isOfOptions(base.initial, options)
        ? undefined
        : { ...base, kind: 'choices', options }
    const item = read(items, { ...place, id: `${place.id}/~r`, key: '', isRequired: true, initial: undefined })
    return isScalar(item) ? { ...base, kind: 'list', item, isUnique: uniqueItems === true } : undefined
  }

  const form = read(root, { id: '', key: '', isRequired: true, initial, depth: 0, refs: [] })
  return count > MOST_FIELDS ? largeForm(initial) : form
}

/** One field of JSON text, in place of a form that is too large. Nobody has looked at what it asks for: it is secret. */
export function largeForm(initial: unknown): FormField {
  return { ...readForm({}, initial), kind: 'json', reason: 'large', schema: undefined, isSecret: true }
}

/** A schema without references, as far as this form follows them. */
interface ResolvedSchema {
  readonly schema: JsonSchema
  /** The references on the way here. One that comes again would never end. */
  readonly refs: readonly string[]
  readonly isNullable: boolean
}

/**
 * Follows references to the schema's own definitions, and takes out what only wraps a schema: an `allOf` of one, and the `null` of a
 * schema that may be null. Undefined: it refers to something else, or to itself.
 */
function resolveSchema(root: JsonSchema, from: JsonSchema, before: readonly string[]): ResolvedSchema | undefined {
  let schema = from
  let refs = before
  let isNullable = false
  // Each round takes out a keyword or follows a reference that was not followed yet.
  for (;;) {
    const { $ref, allOf, anyOf, oneOf, type } = schema
    const [only, ...more] = itemsOf(allOf)
    const either = type === undefined ? (withoutNull(anyOf) ?? withoutNull(oneOf)) : undefined
    if ($ref !== undefined) {
      const target = isString($ref) && !refs.includes($ref) ? definition(root, $ref) : undefined
      if (target === undefined || !isString($ref)) return undefined
      refs = [...refs, $ref]
      schema = { ...target, ...without(schema, '$ref') }
    } else if (isRecord(only) && more.length === 0) {
      schema = { ...only, ...without(schema, 'allOf') }
    } else if (Array.isArray(type) && type.length === 2 && type.includes('null')) {
      isNullable = true
      schema = { ...schema, type: type.find((name) => name !== 'null') as unknown }
    } else if (either !== undefined) {
      isNullable = true
      schema = { ...either, ...without(schema, 'allOf', 'anyOf', 'oneOf') }
    } else return { schema, refs, isNullable }
  }
}

/** What a value is when it is not null, of a list of a schema and `null`. */
function withoutNull(variants: unknown): JsonSchema | undefined {
  const others = itemsOf(variants).filter((variant) => !(isRecord(variant) && variant['type'] === 'null'))
  return itemsOf(variants).length === 2 && others.length === 1 && isRecord(others[0]) ? others[0] : undefined
}

const LOCAL = /^#\/(\$defs|definitions)\/([^/]+)$/

function definition(root: JsonSchema, ref: string): JsonSchema | undefined {
  const [, table = '', name = ''] = LOCAL.exec(ref) ?? []
  const definitions = root[table]
  const key = decoded(name).replaceAll('~1', '/').replaceAll('~0', '~')
  const found = isRecord(definitions) && Object.hasOwn(definitions, key) ? definitions[key] : undefined
  return isRecord(found) ? found : undefined
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
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
    ...(Array.isArray(required) && { required: [...itemsOf(required), ...itemsOf(variant['required'])] }),
  }
}

/** The values that a schema lists, by `enum` with `enumNames`, or by `oneOf` or `anyOf` with `const` and `title`. Undefined: it lists none. */
function readOptions({ enum: values, enumNames, oneOf, anyOf }: JsonSchema): readonly FieldOption[] | undefined {
  const names = itemsOf(enumNames)
  if (Array.isArray(values) && values.length > 0)
    return values.map((value: unknown, at) => ({ value, label: namedOr(names[at], value) }))
  return readConstants(oneOf) ?? readConstants(anyOf)
}

function readConstants(variants: unknown): readonly FieldOption[] | undefined {
  const options = itemsOf(variants).flatMap((variant): FieldOption[] => {
    if (!isRecord(variant) || !Object.hasOwn(variant, 'const')) return []
    return [{ value: variant['const'], label: namedOr(variant['title'], variant['const']) }]
  })
  return options.length > 0 && options.length === itemsOf(variants).length ? options : undefined
}

const namedOr = (name: unknown, value: unknown): string => (isString(name) && name !== '' ? name : labelOf(value))

/** A value that has no name. */
export function labelOf(value: unknown): string {
  return isString(value) ? value : JSON.stringify(value)
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
  const { format, pattern } = schema
  switch (typeOf(schema)) {
    case 'boolean':
      return { ...base, kind: 'boolean', asksCredential: false }
    case 'number':
    case 'integer': {
      // A number of tokens is not a credential; a PIN is.
      const asks = base.asksCredential && !/token/i.test(base.key + base.label)
      return { ...base, asksCredential: asks, kind: 'number', isInteger: typeOf(schema) === 'integer' }
    }
    case 'string': {
      const known = FORMATS.find((name) => name === format)
      const start = isString(base.initial) ? base.initial : ''
      const isLong = start.length > LONG || /[\r\n]/.test(start) || (base.limits.maxLength ?? 0) > LONG
      return {
        ...base,
        kind: 'text',
        format: known,
        pattern: isString(pattern) ? pattern : undefined,
        isLong: known === undefined && isLong,
      }
    }
    default:
      return undefined
  }
}

function limitsOf(schema: JsonSchema): Limits {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  const number = (value: unknown): number | undefined =>
    typeof value === 'number' && Number.isFinite(value) ? value : undefined
  const step = number(schema['multipleOf'])
  return {
    minLength: number(schema['minLength']),
    maxLength: number(schema['maxLength']),
    // In older drafts the limits are exclusive where a boolean says so.
    minimum: exclusiveMinimum === true ? undefined : number(minimum),
    maximum: exclusiveMaximum === true ? undefined : number(maximum),
    above: number(isBoolean(exclusiveMinimum) ? exclusiveMinimum && minimum : exclusiveMinimum),
    below: number(isBoolean(exclusiveMaximum) ? exclusiveMaximum && maximum : exclusiveMaximum),
    multipleOf: step !== undefined && step > 0 ? step : undefined,
    minItems: number(schema['minItems']),
    maxItems: number(schema['maxItems']),
  }
}

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

const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function without(schema: JsonSchema, ...keywords: readonly string[]): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)))
}
