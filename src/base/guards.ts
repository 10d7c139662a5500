/** Whether a value is what a type says; a record from a disk is anything until then. */
export type Guard<Value> = (value: unknown) => value is Value

/** A guard for each field of a type. A field without a guard is a compile error. */
export type Fields<Value> = { readonly [Key in keyof Value]-?: Guard<Value[Key]> }

/** The last instant a `Date` can hold, in epoch milliseconds: later ones cannot be shown. */
export const LAST_INSTANT = 8.64e15

export const isAnything = (_value: unknown): _value is unknown => true
export const isNotNull = (value: unknown): value is unknown => value !== null
export const isUndefined = (value: unknown): value is undefined => value === undefined
export const isString = (value: unknown): value is string => typeof value === 'string'
export const isList: Guard<readonly unknown[]> = Array.isArray
export const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean'
/** Includes `Infinity`, which a server can send as 1e999. */
export const isNumber = (value: unknown): value is number => typeof value === 'number'
export const isTime = (value: unknown): value is number => isNumber(value) && Math.abs(value) <= LAST_INSTANT
export const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0
/** A plain object: no list, and nothing like a `Date` or a `Map`, which JSON would say as something else. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  Object.prototype.toString.call(value) === '[object Object]'

export function oneOf<const Value>(...values: readonly Value[]): Guard<Value> {
  const known: readonly unknown[] = values
  return (value): value is Value => known.includes(value)
}

export function either<One, Other>(one: Guard<One>, other: Guard<Other>): Guard<One | Other> {
  return (value): value is One | Other => one(value) || other(value)
}

type Variant<Union, Key extends PropertyKey, Name> =
  Union extends Readonly<Record<Key, unknown>> ? (Name extends Union[Key] ? Omit<Union, Key> : never) : never

/** Of a union whose members have names under a key: a guard for the other fields of each. One that is added to the union and not here does not compile. */
export type VariantGuards<Union, Key extends keyof Union & string> = {
  readonly [Name in Union[Key] & string]: Guard<Variant<Union, Key, Name>>
}

export function variant<Union, Key extends keyof Union & string>(
  key: Key,
  guards: VariantGuards<Union, Key>,
): Guard<Union> {
  const known: Readonly<Record<string, Guard<unknown>>> = guards
  return (value): value is Union => {
    const name = isRecord(value) && value[key]
    return isString(name) && Object.hasOwn(known, name) && known[name]?.(value) === true
  }
}

export function isOptional<Value>(guard: Guard<Value>): Guard<Value | undefined> {
  return either(guard, isUndefined)
}

export function isListOf<Value>(guard: Guard<Value>): Guard<readonly Value[]> {
  return (value): value is readonly Value[] => Array.isArray(value) && value.every(guard)
}

/** A record whose values all are one type. */
export function isRecordOf<Value>(guard: Guard<Value>): Guard<Readonly<Record<string, Value>>> {
  return (value): value is Readonly<Record<string, Value>> => isRecord(value) && Object.values(value).every(guard)
}

/** A `Map` with text as its keys. */
export function mapOf<Value>(guard: Guard<Value>): Guard<Map<string, Value>> {
  return (value): value is Map<string, Value> =>
    value instanceof Map && [...value].every(([key, item]) => isString(key) && guard(item))
}

export function shape<Value>(fields: Fields<Value>): Guard<Value> {
  return (value): value is Value => isRecord(value) && readFields(fields, value).damaged.length === 0
}

/** Sorts the fields of a value into those that are what the type says, and the names of those that are not. */
export function readFields<Value>(
  fields: Fields<Value>,
  value: unknown,
): { readonly found: Partial<Value>; readonly damaged: readonly string[] } {
  const found: Partial<Value> = {}
  const damaged: string[] = []
  // The keys of an object are those its type names: it is written out where it is made.
  for (const key of Object.keys(fields) as (keyof Value & string)[]) {
    const field: unknown = isRecord(value) ? value[key] : undefined
    if (!fields[key](field)) damaged.push(key)
    else if (field !== undefined) found[key] = field
  }
  return { found, damaged }
}

/** Whether JSON can represent it: no circular references and no `NaN` or `Infinity`. */
export function isJson(value: unknown): boolean {
  try {
    JSON.stringify(value)
    return true
  } catch {
    return false
  }
}
