import { isRecord } from '../../../base/guards.ts'
import { isJsonObject } from '../../../base/json-object.ts'
import type { FormField, ListField } from './form-field.ts'
import { fieldsIn, isWithin, rowField } from './form-field.ts'
import { isJsonEqual } from './json-equal.ts'
import { isDate, toLocalTime } from './local-time.ts'

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
export function isChanged(entries: FormEntries, start: FormEntries, place: string): boolean {
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
