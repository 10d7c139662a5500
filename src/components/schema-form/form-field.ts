import { isJsonObject } from '../../base/json-object.ts'

/** What every field of a form has. All texts come from the agent. */
interface FieldBase {
  /**
   * Place in the form: a JSON Pointer to its value, in which a row of a list has a step `~r` with its key, and a variant a step
   * `~b` with its index. No key of an object gives such a step, as a pointer writes its tildes as `~0`.
   */
  readonly id: string
  /** Key in the object around it; empty for the whole value and for rows. */
  readonly key: string
  /** The title, or else the key. Empty: it has neither. */
  readonly label: string
  readonly description: string | undefined
  readonly isRequired: boolean
  /** `null` is a value of it: what an empty field stands for where there has to be a value. */
  readonly isNullable: boolean
  /** The value to begin with. Undefined: none. */
  readonly initial: unknown
  /** Never stored, such as `writeOnly` or the format `password`. */
  readonly isSecret: boolean
  /** Its name or format asks for a credential, which no form takes. */
  readonly asksCredential: boolean
  readonly limits: Limits
}

/** Of the characters of a text, of a number (`above` and `below` are exclusive), and of the items of a list. */
export type LimitCode =
  | ('minLength' | 'maxLength' | 'minimum' | 'maximum' | 'above' | 'below' | 'multipleOf')
  | ('minItems' | 'maxItems')

/** All that a schema sets, whatever its type; undefined or absent: none. */
export type Limits = { readonly [Code in LimitCode]?: number | undefined }

/** What is wrong with an entry. */
export type Problem =
  | { readonly code: 'missing' | 'number' | 'integer' | 'digits' | 'unique' | 'json' | 'pattern' | TextFormat }
  | { readonly code: LimitCode; readonly limit: number }

/** Formats that fields check. */
export type TextFormat = 'email' | 'uri' | 'date' | 'date-time'

/** One of the values to choose from. */
export interface FieldOption {
  readonly value: unknown
  readonly label: string
}

export interface TextField extends FieldBase {
  readonly kind: 'text'
  readonly format: TextFormat | undefined
  /** A regular expression from the agent. */
  readonly pattern: string | undefined
  /** Its text may be long, or have line breaks. */
  readonly isLong: boolean
}

export interface NumberField extends FieldBase {
  readonly kind: 'number'
  readonly isInteger: boolean
}

export interface BooleanField extends FieldBase {
  readonly kind: 'boolean'
}

/** One of several values. */
export interface ChoiceField extends FieldBase {
  readonly kind: 'choice'
  readonly options: readonly FieldOption[]
}

/** Some of several values. */
export interface ChoicesField extends FieldBase {
  readonly kind: 'choices'
  readonly options: readonly FieldOption[]
}

/** A value that is given: there is nothing to enter. */
export interface FixedField extends FieldBase {
  readonly kind: 'fixed'
  readonly value: unknown
}

/** An object. */
export interface GroupField extends FieldBase {
  readonly kind: 'group'
  readonly fields: readonly FormField[]
  /** Properties of the initial value that the schema does not name, and does not forbid. */
  readonly others: Readonly<Record<string, unknown>>
}

/** A value of one of several schemas. */
export interface UnionField extends FieldBase {
  readonly kind: 'union'
  readonly variants: readonly FormField[]
}

/** A list of single values, a row for each. */
export interface ListField extends FieldBase {
  readonly kind: 'list'
  /** What each row is; {@link rowField} makes it one. */
  readonly item: ScalarField
  readonly isUnique: boolean
}

/** Anything else, as JSON text. `large`: the schema is larger or deeper than a form may be. */
export interface JsonField extends FieldBase {
  readonly kind: 'json'
  readonly reason: 'large' | 'other'
  /** What the text has to fit. Undefined: it is too large to be shown. */
  readonly schema: unknown
}

export type ScalarField = TextField | NumberField | BooleanField | ChoiceField

/** A schema as it is filled in. */
export type FormField = ScalarField | ChoicesField | FixedField | GroupField | UnionField | ListField | JsonField

/** A field and all that are inside of it, but for the rows of lists. */
export function fieldsIn(field: FormField): readonly FormField[] {
  return [field, ...insideOf(field).flatMap(fieldsIn)]
}

function insideOf(field: FormField): readonly FormField[] {
  if (field.kind === 'group') return field.fields
  return field.kind === 'union' ? field.variants : []
}

/** The row of a list. */
export function rowField(list: ListField, row: string): ScalarField {
  const { item } = list
  return { ...item, id: `${list.id}/~r${row}`, label: item.label === '' ? list.label : item.label }
}

/** The field of an id, or the nearest one around it. */
export function fieldAt(form: FormField, id: string): FormField {
  if (form.kind === 'list' && id.startsWith(`${form.id}/~r`)) return rowField(form, id.slice(form.id.length + 3))
  const next = insideOf(form).find((field) => isWithin(id, field.id))
  return next === undefined ? form : fieldAt(next, id)
}

/** Whether a field is at a place, or inside of what is there. */
export function isWithin(id: string, place: string): boolean {
  return id === place || id.startsWith(`${place}/`)
}

/** A key as one step of a JSON Pointer. */
export function pointerStep(key: string | number): string {
  return `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** Whether two JSON values are the same. Only for values of a bounded depth. */
export function isJsonEqual(one: unknown, other: unknown): boolean {
  if (Array.isArray(one))
    return Array.isArray(other) && one.length === other.length && one.every((item, at) => isJsonEqual(item, other[at]))
  if (!isJsonObject(one) || !isJsonObject(other)) return Object.is(one, other) || (one === 0 && other === 0)
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isJsonEqual(one[key], other[key]))
  )
}
