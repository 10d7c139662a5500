import { isRecord } from '../../../base/guards.ts'
import { isJsonObject } from '../../../base/json-object.ts'
import type { ChoicesField, FormField, ListField, ScalarField, TextField } from './form-field.ts'
import { isWithin, rowField } from './form-field.ts'
import { fromLocalTime, isDate, toLocalTime } from './local-time.ts'
import { isJsonEqual } from './json-equal.ts'

/**
 * What was entered, as text by the id of its field. A choice has the index of its option; a box is `true` or `false`; several
 * choices have their indexes, a list the keys of its rows, each with a comma between. What is not there is empty.
 */
export type FormEntries = Readonly<Record<string, string>>

/** The entries to begin with. */
export function startEntries(form: FormField): FormEntries {
  const entries: Record<string, string> = {}
  const start = (field: FormField): void => {
    const { initial } = field
    switch (field.kind) {
      case 'fixed':
        return
      case 'group':
        for (const child of field.fields) start(child)
        return
      case 'union': {
        const at = field.variants.findIndex((variant) => fits(variant, initial))
        entries[field.id] = initial === undefined || at < 0 ? '' : String(at)
        for (const variant of field.variants) start(variant)
        return
      }
      case 'choices':
        entries[field.id] = field.options
          .flatMap(({ value }, at) =>
            Array.isArray(initial) && initial.some((item) => isJsonEqual(item, value)) ? [at] : [],
          )
          .join(',')
        return
      case 'list': {
        const items: readonly unknown[] = Array.isArray(initial) ? initial : []
        entries[field.id] = items.map((_, at) => at).join(',')
        items.forEach((item, at) => {
          const row = rowField(field, String(at))
          entries[row.id] = entryOf(row, item)
        })
        return
      }
      case 'json':
        entries[field.id] = initial === undefined ? '' : JSON.stringify(initial, null, 2)
        return
      default:
        entries[field.id] = entryOf(field, initial)
    }
  }
  start(form)
  return entries
}

/** A value as it is entered; empty where the field cannot hold it. */
function entryOf(field: ScalarField, value: unknown): string {
  switch (field.kind) {
    case 'text':
      if (typeof value !== 'string') return ''
      if (field.format === 'date') return isDate(value) ? value : ''
      return field.format === 'date-time' ? toLocalTime(value) : value
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? String(value) : ''
    case 'boolean':
      return typeof value === 'boolean' ? String(value) : ''
    case 'choice': {
      const at = value === undefined ? -1 : field.options.findIndex((option) => isJsonEqual(option.value, value))
      return at < 0 ? '' : String(at)
    }
  }
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
    case 'choice':
      return field.options.some((option) => isJsonEqual(option.value, value))
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
    case 'union':
      return field.variants.some((variant) => fits(variant, value))
    case 'json':
      return true
  }
}

/** What an entry lists: keys of rows, or indexes of options. */
export function listed(entries: FormEntries, field: ListField | ChoicesField): readonly string[] {
  const entry = entries[field.id] ?? ''
  return entry === '' ? [] : entry.split(',')
}

/** A new row at the end, with the key that it has. */
export function addRow(entries: FormEntries, list: ListField): { readonly entries: FormEntries; readonly row: string } {
  const rows = listed(entries, list)
  const row = String(Math.max(-1, ...rows.map(Number)) + 1)
  const field = rowField(list, row)
  return {
    row,
    entries: { ...entries, [list.id]: [...rows, row].join(','), [field.id]: entryOf(field, field.initial) },
  }
}

export function removeRow(entries: FormEntries, list: ListField, row: string): FormEntries {
  const { [rowField(list, row).id]: _, ...rest } = entries
  return {
    ...rest,
    [list.id]: listed(entries, list)
      .filter((key) => key !== row)
      .join(','),
  }
}

/** Whether something was entered or removed below a place. */
export function isChanged(entries: FormEntries, start: FormEntries, place: string): boolean {
  return Object.keys({ ...entries, ...start }).some((id) => isWithin(id, place) && entries[id] !== start[id])
}

/** The entries that may be stored: those of secret fields are left out. */
export function storedEntries(form: FormField, entries: FormEntries): FormEntries {
  const secrets: string[] = []
  const look = (field: FormField): void => {
    if (field.isSecret) secrets.push(field.id)
    else if (field.kind === 'group') field.fields.forEach(look)
    else if (field.kind === 'union') field.variants.forEach(look)
    else if (field.kind === 'list' && field.item.isSecret) secrets.push(field.id)
  }
  look(form)
  return Object.fromEntries(Object.entries(entries).filter(([id]) => !secrets.some((secret) => isWithin(id, secret))))
}

/** Entries from a storage, over those to begin with. Undefined: they are of another form. */
export function restoredEntries(form: FormField, start: FormEntries, stored: unknown): FormEntries | undefined {
  if (!isRecord(stored)) return undefined
  const entries: Record<string, string> = { ...start }
  for (const [id, entry] of Object.entries(stored)) if (typeof entry === 'string') entries[id] = entry
  return isOf(form, entries) ? entries : undefined
}

/** Whether each index and each row is one of the form. */
function isOf(field: FormField, entries: FormEntries): boolean {
  const entry = entries[field.id] ?? ''
  const isIndex = (text: string, count: number): boolean => /^\d{1,4}$/.test(text) && Number(text) < count
  switch (field.kind) {
    case 'group':
      return field.fields.every((child) => isOf(child, entries))
    case 'union':
      return (
        (entry === '' || isIndex(entry, field.variants.length)) && field.variants.every((child) => isOf(child, entries))
      )
    case 'choice':
      return entry === '' || isIndex(entry, field.options.length)
    case 'choices':
      return listed(entries, field).every((index) => isIndex(index, field.options.length))
    case 'list': {
      const rows = listed(entries, field)
      return (
        rows.length <= MOST_ROWS &&
        new Set(rows).size === rows.length &&
        rows.every((row) => isIndex(row, 10_000) && isOf(rowField(field, row), entries))
      )
    }
    case 'text':
    case 'number':
    case 'boolean':
    case 'fixed':
    case 'json':
      return true
  }
}

/** Rows that a list can have. */
export const MOST_ROWS = 200

/** A text that was entered as the value it stands for. A time that nobody changed stays as it was written. */
export function toValueText(field: TextField, entry: string): string {
  if (field.format !== 'date-time') return entry
  const { initial } = field
  return typeof initial === 'string' && toLocalTime(initial) === entry ? initial : (fromLocalTime(entry) ?? entry)
}
