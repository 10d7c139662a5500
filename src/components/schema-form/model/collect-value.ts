import { parseBoundedJson } from '../../../base/bounded-json.ts'
import type { FormEntries } from './form-entries.ts'
import { isChanged, listed } from './form-entries.ts'
import type { FormField, GroupField, LimitCode, ListField, NumberField, Problem, TextField } from './form-field.ts'
import { pointerStep, rowField } from './form-field.ts'
import { isJsonEqual } from './json-equal.ts'
import { fromLocalTime, isDate, toLocalTime } from './local-time.ts'
import { canRunPattern, compile } from './pattern-cost.ts'

export interface FieldProblem {
  readonly field: FormField
  readonly problem: Problem
}

/** The value of a form, and what is wrong with it. */
export interface CollectedValue {
  /** Undefined: there is none. */
  readonly value: unknown
  /** In the order of the fields. */
  readonly problems: readonly FieldProblem[]
  /** The field of each value, by the JSON Pointer to it. */
  readonly places: ReadonlyMap<string, string>
}

/** Makes the value of what was entered. An object that nobody has to give is left out until something in it is entered. */
export function collectValue(form: FormField, entries: FormEntries, start: FormEntries): CollectedValue {
  const problems: FieldProblem[] = []
  const places = new Map<string, string>()
  const report = (field: FormField, problem: Problem | undefined): void => {
    if (problem !== undefined) problems.push({ field, problem })
  }

  function collect(field: FormField, pointer: string): unknown {
    // The fields of a variant are shown in the field of its union.
    if (field.kind !== 'group' || !places.has(pointer)) places.set(pointer, field.id)
    const { isRequired, isNullable, initial } = field
    const entry = entries[field.id] ?? ''
    switch (field.kind) {
      case 'fixed':
        return field.value
      case 'group':
        return collectGroup(field, pointer)
      case 'list':
        return collectList(field, pointer)
      case 'choices': {
        const chosen = listed(entries, field)
        report(field, checkCount(field, chosen.length))
        if (chosen.length === 0 && !isRequired && !Array.isArray(initial)) return undefined
        return chosen.map((index) => field.options[Number(index)]?.value)
      }
      case 'boolean':
        if (entry !== '' || !isRequired) return entry === '' ? undefined : entry === 'true'
        return isNullable ? null : false
      case 'text':
        if (entry === '' && initial !== '') break
        report(field, checkText(field, entry))
        return field.format === 'date-time' ? toTime(initial, entry) : entry
      case 'number':
        if (entry === '') break
        report(field, checkNumber(field, entry))
        return Number(entry)
      case 'choice':
        if (entry === '') break
        return field.options[Number(entry)]?.value
      case 'union': {
        const variant = entry === '' ? undefined : field.variants[Number(entry)]
        if (variant === undefined) break
        return collect(variant, pointer)
      }
      case 'json':
        if (entry.trim() === '') break
        try {
          return parseBoundedJson(entry)
        } catch {
          report(field, { code: 'json' })
          return undefined
        }
    }
    // Nothing was entered.
    if (isNullable && (isRequired || initial === null)) return null
    if (isRequired) report(field, { code: 'missing' })
    return undefined
  }

  function collectGroup(field: GroupField, pointer: string): unknown {
    if (!isChanged(entries, start, field.id)) {
      if (!field.isRequired && field.initial === undefined) return undefined
      if (field.isNullable && field.initial === null) return null
    }
    const found = field.fields.flatMap((child): [string, unknown][] => {
      const value = collect(child, pointer + pointerStep(child.key))
      return value === undefined ? [] : [[child.key, value]]
    })
    return Object.fromEntries([...Object.entries(field.others), ...found])
  }

  function collectList(field: ListField, pointer: string): unknown {
    const rows = listed(entries, field)
    report(field, checkCount(field, rows.length))
    const values = rows.map((row, at) => collect(rowField(field, row), pointer + pointerStep(at)))
    const isTwice = (value: unknown, at: number): boolean =>
      value !== undefined && values.some((other, before) => before < at && isJsonEqual(other, value))
    if (field.isUnique && values.some(isTwice)) report(field, { code: 'unique' })
    return rows.length === 0 && !field.isRequired && !Array.isArray(field.initial) ? undefined : values
  }

  const value = collect(form, '')
  return { value, problems, places }
}

/** The id of the field that shows a value, or the nearest value around it. */
export function placeOf({ places }: CollectedValue, pointer: string): string {
  for (let path = pointer; ; path = path.slice(0, path.lastIndexOf('/'))) {
    const id = places.get(path)
    if (id !== undefined) return id
    if (!path.includes('/')) return ''
  }
}

/** A time as it is sent. One that nobody changed stays as it was written. */
function toTime(initial: unknown, entry: string): string {
  return typeof initial === 'string' && toLocalTime(initial) === entry ? initial : (fromLocalTime(entry) ?? entry)
}

/** What is wrong with a text that is not empty, or was not at the beginning. */
function checkText(field: TextField, text: string): Problem | undefined {
  const { format, pattern } = field
  // JSON Schema counts code points.
  const beyond = checkLimits(field, Array.from(text).length, 'minLength', 'maxLength')
  if (beyond !== undefined) return beyond
  if (format !== undefined && !FORMATS[format](text)) return { code: format }
  const isOther = pattern !== undefined && canRunPattern(pattern, text.length) && compile(pattern)?.test(text) === false
  return isOther ? { code: 'pattern' } : undefined
}

/** An address with a name, and a host whose labels are as DNS takes them. */
const EMAIL =
  /^[a-z\d!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z\d!#$%&'*+/=?^_`{|}~-]+)*@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i
/** A scheme, and no character that has to be escaped. */
const URI = /^[a-z][a-z\d+.-]*:[^\s"<>\\^`{|}]+$/i

const FORMATS: Readonly<Record<NonNullable<TextField['format']>, (text: string) => boolean>> = {
  email: (text) => text.length <= 320 && EMAIL.test(text),
  uri: (text) => URI.test(text) && URL.canParse(text),
  date: isDate,
  'date-time': (text) => fromLocalTime(text) !== undefined,
}

/** What is wrong with a number that was entered. */
function checkNumber(field: NumberField, entry: string): Problem | undefined {
  const value = Number(entry)
  if (entry.trim() === '' || !Number.isFinite(value)) return { code: 'number' }
  if (field.isInteger && !Number.isInteger(value)) return { code: 'integer' }
  if (Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(entry)) return { code: 'digits' }
  return checkLimits(field, value, 'minimum', 'maximum', 'above', 'below', 'multipleOf')
}

function checkCount(field: ListField | Extract<FormField, { kind: 'choices' }>, count: number): Problem | undefined {
  // None at all is no list, where nobody has to give one.
  return count === 0 && !field.isRequired ? undefined : checkLimits(field, count, 'minItems', 'maxItems')
}

const isAtLeast = (found: number, limit: number): boolean => found >= limit
const isAtMost = (found: number, limit: number): boolean => found <= limit

/** What each limit demands. */
const DEMANDS: Readonly<Record<LimitCode, (found: number, limit: number) => boolean>> = {
  minLength: isAtLeast,
  maxLength: isAtMost,
  minimum: isAtLeast,
  maximum: isAtMost,
  above: (found, limit) => found > limit,
  below: (found, limit) => found < limit,
  multipleOf: isMultiple,
  minItems: isAtLeast,
  maxItems: isAtMost,
}

/** The first of these limits that is not kept. */
function checkLimits({ limits }: FormField, found: number, ...codes: readonly LimitCode[]): Problem | undefined {
  for (const code of codes) {
    const limit = limits[code]
    if (limit !== undefined && !DEMANDS[code](found, limit)) return { code, limit }
  }
  return undefined
}

/** Decimal fractions such as 0.1 are not exact, so neither is their quotient. */
function isMultiple(value: number, step: number): boolean {
  const times = value / step
  return Math.abs(times - Math.round(times)) <= 1e-9 * Math.max(1, Math.abs(times))
}
