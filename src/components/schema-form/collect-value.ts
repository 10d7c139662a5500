import { parseBoundedJson } from '../../base/bounded-json.ts'
import {
  type FormField,
  type GroupField,
  type LimitCode,
  type ListField,
  type NumberField,
  type Problem,
  type TextField,
  pointerStep,
  rowField,
  fieldsIn,
  isWithin,
  isJsonEqual,
} from './form-field.ts'
import { canRunPattern, compile } from './pattern-cost.ts'
import { isRecord } from '../../base/guards.ts'
import { isJsonObject } from '../../base/json-object.ts'

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/

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
  // None at all is not a list, where nobody has to give one.
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

/**
 * What was entered, as text by the id of its field. A choice has the index of its option; a box is `true` or `false`; several
 * choices have their indexes, a list the keys of its rows, each with a comma between. What is not there is empty.
 */
export type FormEntries = Readonly<Record<string, string>>

/** Rows that a list can have. */
export const MOST_ROWS = 200

/** Longer drafts are not stored. */
const LONGEST_DRAFT = 200_000

/** The entries to begin with. */
export function startEntries(form: FormField): FormEntries {
  return Object.fromEntries(
    fieldsIn(form).flatMap((field): (readonly [string, string])[] => {
      const { id, kind, initial } = field
      if (kind === 'fixed' || kind === 'group') return []
      if (kind !== 'list') return [[id, entryOf(field, initial)]]
      const rows = itemsOf(initial).map(
        (item, at) => [rowField(field, String(at)).id, entryOf(field.item, item)] as const,
      )
      return [[id, rows.map((_, at) => at).join(',')], ...rows]
    }),
  )
}

const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** A value as it is entered; empty where the field cannot hold it, or others hold what is inside of it. */
function entryOf(field: FormField, value: unknown): string {
  if (value === undefined) return ''
  switch (field.kind) {
    case 'text':
      if (typeof value !== 'string') return ''
      if (field.format === 'date') return isDate(value) ? value : ''
      return field.format === 'date-time' ? toLocalTime(value) : value
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? String(value) : ''
    case 'boolean':
      return typeof value === 'boolean' ? String(value) : ''
    case 'choice':
      return indexes(field.options, (option) => isJsonEqual(option.value, value))[0] ?? ''
    case 'choices':
      return indexes(field.options, (option) => itemsOf(value).some((item) => isJsonEqual(item, option.value))).join(
        ',',
      )
    case 'union':
      return indexes(field.variants, (variant) => fits(variant, value))[0] ?? ''
    case 'json':
      return JSON.stringify(value, null, 2)
    case 'fixed':
    case 'group':
    case 'list':
      return ''
  }
}

function indexes<Item>(items: readonly Item[], isWanted: (item: Item) => boolean): readonly string[] {
  return items.flatMap((item, at) => (isWanted(item) ? [String(at)] : []))
}

/** Whether a value could have been entered in a field, as far as that tells variants apart. */
function fits(field: FormField, value: unknown): boolean {
  switch (field.kind) {
    case 'text':
      return typeof value === 'string'
    case 'number':
      return typeof value === 'number' && (!field.isInteger || Number.isInteger(value))
    case 'boolean':
      return typeof value === 'boolean'
    case 'choices':
    case 'list':
      return Array.isArray(value)
    case 'fixed':
      return isJsonEqual(field.value, value)
    case 'group':
      return (
        isJsonObject(value) &&
        field.fields.every((child) =>
          Object.hasOwn(value, child.key) ? fits(child, value[child.key]) : !child.isRequired,
        )
      )
    case 'choice':
    case 'union':
    case 'json':
      return entryOf(field, value) !== ''
  }
}

/** What an entry lists: keys of rows, or indexes of options. */
export function listed(entries: FormEntries, { id }: FormField): readonly string[] {
  return (entries[id] ?? '').split(',').filter((part) => part !== '')
}

/** A new row at the end, with the key that it has. */
export function addRow(entries: FormEntries, list: ListField): { readonly entries: FormEntries; readonly row: string } {
  const rows = listed(entries, list)
  const row = String(Math.max(-1, ...rows.map(Number)) + 1)
  const { id, initial } = rowField(list, row)
  return { row, entries: { ...entries, [list.id]: [...rows, row].join(','), [id]: entryOf(list.item, initial) } }
}

export function removeRow(entries: FormEntries, list: ListField, row: string): FormEntries {
  const { [rowField(list, row).id]: _, ...rest } = entries
  const rows = listed(entries, list).filter((key) => key !== row)
  return { ...rest, [list.id]: rows.join(',') }
}

/** Whether something was entered or removed below a place. */
function isChanged(entries: FormEntries, start: FormEntries, place: string): boolean {
  return Object.keys({ ...entries, ...start }).some((id) => isWithin(id, place) && entries[id] !== start[id])
}

/** The entries that may be stored: those of secret fields are left out. */
export function storedEntries(form: FormField, entries: FormEntries): FormEntries {
  const secrets = fieldsIn(form).filter((field) => field.isSecret || (field.kind === 'list' && field.item.isSecret))
  return Object.fromEntries(
    Object.entries(entries).filter(([id]) => !secrets.some((secret) => isWithin(id, secret.id))),
  )
}

/** Entries from a storage, over those to begin with. Undefined: they are of another form. */
export function restoredEntries(form: FormField, start: FormEntries, stored: unknown): FormEntries | undefined {
  if (!isRecord(stored)) return undefined
  const texts = Object.entries(stored).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  const entries = { ...start, ...Object.fromEntries(texts) }
  return fieldsIn(form).every((field) => isEntry(field, entries)) ? entries : undefined
}

/** Whether each index and each row is one of the form. */
function isEntry(field: FormField, entries: FormEntries): boolean {
  const parts = listed(entries, field)
  const areBelow = (count: number): boolean => parts.every((part) => /^\d{1,4}$/.test(part) && Number(part) < count)
  switch (field.kind) {
    case 'union':
      return parts.length <= 1 && areBelow(field.variants.length)
    case 'choice':
      return parts.length <= 1 && areBelow(field.options.length)
    case 'choices':
      return areBelow(field.options.length)
    case 'list':
      return (
        parts.length <= MOST_ROWS &&
        new Set(parts).size === parts.length &&
        areBelow(10_000) &&
        parts.every((row) => isEntry(rowField(field, row), entries))
      )
    default:
      return true
  }
}

/** What was entered, as text to store: only what differs from the beginning. Undefined: nothing does. */
export function writeDraft(form: FormField, entries: FormEntries, start: FormEntries): string | undefined {
  const changed = Object.entries(entries).filter(([id, entry]) => start[id] !== entry)
  if (changed.length === 0) return undefined
  const text = JSON.stringify({ of: shapeOf(form), entries: Object.fromEntries(changed) })
  return text.length > LONGEST_DRAFT ? undefined : text
}

/** The entries in a stored text. Undefined: it is of another form, or no draft at all. */
export function readDraft(form: FormField, text: string): unknown {
  try {
    const draft: unknown = JSON.parse(text)
    return isRecord(draft) && draft['of'] === shapeOf(form) ? draft['entries'] : undefined
  } catch {
    return undefined
  }
}

/** Tells forms apart, so that a draft never fills in fields that ask for something else. FNV-1a. */
function shapeOf(form: FormField): number {
  const shape = fieldsIn(form)
    .flatMap((field): readonly FormField[] => (field.kind === 'list' ? [field, field.item] : [field]))
    .map((field) => {
      const options = 'options' in field ? field.options.map(({ value }) => `${JSON.stringify(value)} `) : []
      return `${field.kind} ${field.id} ${field.label} ${options.join('')}`
    })
    .join('')
  let hash = 0x811c9dc5
  for (let at = 0; at < shape.length; at += 1) hash = Math.imul(hash ^ shape.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/** Whether a text is a day of the calendar, as `2026-02-28`. */
export function isDate(text: string): boolean {
  if (!DATE.test(text)) return false
  const day = new Date(`${text}T00:00:00Z`)
  // A day that no month has is refused, or taken for one of the next month.
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

const two = (value: number): string => String(value).padStart(2, '0')

/** A time with its zone, as an input of this device's zone takes it; empty where it is none. */
export function toLocalTime(text: string): string {
  if (!/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/i.test(text)) return ''
  const time = new Date(text)
  const year = time.getFullYear()
  if (Number.isNaN(year) || year < 1000 || year > 9999) return ''
  const seconds = time.getSeconds() === 0 ? '' : `:${two(time.getSeconds())}`
  return `${year}-${two(time.getMonth() + 1)}-${two(time.getDate())}T${two(time.getHours())}:${two(time.getMinutes())}${seconds}`
}

/** What such an input gives, as a time in UTC. Undefined: it is none. */
export function fromLocalTime(entry: string): string | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(entry)) return undefined
  const time = new Date(entry)
  if (Number.isNaN(time.getTime())) return undefined
  const text = time.toISOString()
  return /^\d{4}-/.test(text) ? text : undefined
}
