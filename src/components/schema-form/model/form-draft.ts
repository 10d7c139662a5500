import { isRecord } from '../../../base/guards.ts'
import type { FormEntries } from './form-entries.ts'
import type { FormField } from './form-field.ts'

/** Longer ones are not stored. */
const LONGEST = 200_000

/** What was entered, as text to store: only what differs from the beginning. Undefined: nothing does. */
export function writeDraft(form: FormField, entries: FormEntries, start: FormEntries): string | undefined {
  const changed = Object.entries(entries).filter(([id, entry]) => start[id] !== entry)
  if (changed.length === 0) return undefined
  const text = JSON.stringify({ of: shapeOf(form), entries: Object.fromEntries(changed) })
  return text.length > LONGEST ? undefined : text
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
  let hash = 0x811c9dc5
  const add = (text: string): void => {
    for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  const look = (field: FormField): void => {
    add(`${field.kind} ${field.id} ${field.label} `)
    if (field.kind === 'group') field.fields.forEach(look)
    else if (field.kind === 'union') field.variants.forEach(look)
    else if (field.kind === 'list') look(field.item)
    else if (field.kind === 'choice' || field.kind === 'choices')
      for (const { value } of field.options) add(`${JSON.stringify(value)} `)
  }
  look(form)
  return hash >>> 0
}
