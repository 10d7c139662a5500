import { parseBoundedJson } from '../../../base/bounded-json.ts'
import { checkNumber, checkText } from './check-entry.ts'
import type { FieldProblem, Problem } from './field-problem.ts'
import type { FormField, GroupField, ListField } from './form-field.ts'
import { pointerStep, rowField } from './form-field.ts'
import type { FormEntries } from './form-entries.ts'
import { isChanged, listed, toValueText } from './form-entries.ts'
import { isJsonEqual } from './json-equal.ts'

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

  function collect(field: FormField, pointer: string): unknown {
    // The fields of a variant are shown in the field of its union.
    if (field.kind !== 'group' || !places.has(pointer)) places.set(pointer, field.id)
    const entry = entries[field.id] ?? ''
    const report = (problem: Problem | undefined): void => {
      if (problem !== undefined) problems.push({ field, problem })
    }
    /** What an empty field stands for. */
    const nothing = (): unknown => {
      if (field.isNullable && (field.isRequired || field.initial === null)) return null
      if (field.isRequired) report({ code: 'missing' })
      return undefined
    }
    switch (field.kind) {
      case 'fixed':
        return field.value
      case 'boolean':
        return entry === '' ? (field.isRequired ? (field.isNullable ? null : false) : undefined) : entry === 'true'
      case 'text': {
        if (entry === '' && field.initial !== '') return nothing()
        report(checkText(field, entry))
        return toValueText(field, entry)
      }
      case 'number':
        if (entry === '') return nothing()
        report(checkNumber(field, entry))
        return Number(entry)
      case 'choice':
        return entry === '' ? nothing() : field.options[Number(entry)]?.value
      case 'json':
        return entry.trim() === '' ? nothing() : readJson(entry, report)
      case 'choices': {
        const chosen = listed(entries, field)
        report(checkCount(field, chosen.length))
        if (chosen.length === 0 && !field.isRequired && !Array.isArray(field.initial)) return undefined
        return chosen.map((index) => field.options[Number(index)]?.value)
      }
      case 'list':
        return collectList(field, pointer, report)
      case 'union': {
        const variant = entry === '' ? undefined : field.variants[Number(entry)]
        return variant === undefined ? nothing() : collect(variant, pointer)
      }
      case 'group':
        return collectGroup(field, pointer)
    }
  }

  function collectGroup(field: GroupField, pointer: string): unknown {
    if (!field.isRequired && field.initial === undefined && !isChanged(entries, start, field.id)) return undefined
    if (field.isNullable && field.initial === null && !isChanged(entries, start, field.id)) return null
    const found = field.fields.flatMap((child): [string, unknown][] => {
      const value = collect(child, pointer + pointerStep(child.key))
      return value === undefined ? [] : [[child.key, value]]
    })
    return Object.fromEntries([...Object.entries(field.others), ...found])
  }

  function collectList(field: ListField, pointer: string, report: (problem: Problem | undefined) => void): unknown {
    const rows = listed(entries, field)
    report(checkCount(field, rows.length))
    const values = rows.map((row, at) => collect(rowField(field, row), pointer + pointerStep(at)))
    const isTwice = (value: unknown, at: number): boolean =>
      value !== undefined && values.some((other, before) => before < at && isJsonEqual(other, value))
    if (field.isUnique && values.some(isTwice)) report({ code: 'unique' })
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

function checkCount(
  { isRequired, minItems = 0, maxItems }: Pick<ListField, 'isRequired' | 'minItems' | 'maxItems'>,
  count: number,
): Problem | undefined {
  // None at all is no list, where nobody has to give one.
  if (count < minItems && (isRequired || count > 0)) return { code: 'minItems', limit: minItems }
  return maxItems !== undefined && count > maxItems ? { code: 'maxItems', limit: maxItems } : undefined
}

function readJson(entry: string, report: (problem: Problem) => void): unknown {
  try {
    return parseBoundedJson(entry)
  } catch {
    report({ code: 'json' })
    return undefined
  }
}
