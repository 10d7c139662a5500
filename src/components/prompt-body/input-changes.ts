import { MAX_DEPTH } from '../../base/bounded-json.ts'
import { isJsonObject } from '../../base/json-object.ts'
import type { JsonObject } from '../../base/json-object.ts'
import type { JsonSchema } from '../../seam/prompt.ts'

/** A value that differs. Undefined: it is not there. */
export interface InputChange {
  /** Where it is: `notes[1].text`; empty for the whole. */
  readonly path: string
  readonly before: unknown
  readonly after: unknown
}

export interface InputChanges {
  readonly changes: readonly InputChange[]
  /** Whether there may be more. */
  readonly isCut: boolean
}

/** Values that are compared. A form has fewer; an input may have any number. */
const MOST_VALUES = 20_000

/** What differs between two JSON values, the first `limit` of it. */
export function inputChanges(before: unknown, after: unknown, limit: number): InputChanges {
  const changes: InputChange[] = []
  let left = MOST_VALUES
  let isCut = false
  function compare(path: string, was: unknown, is: unknown, depth: number): void {
    if (Object.is(was, is) || isCut) return
    if (--left < 0 || depth > MAX_DEPTH || changes.length === limit) {
      isCut = true
    } else if (Array.isArray(was) && Array.isArray(is)) {
      for (let index = 0; index < Math.max(was.length, is.length) && !isCut; index++)
        compare(`${path}[${index}]`, was[index], is[index], depth + 1)
    } else if (isJsonObject(was) && isJsonObject(is)) {
      for (const key in { ...was, ...is }) {
        if (isCut) return
        compare(path === '' ? key : `${path}.${key}`, valueAt(was, key), valueAt(is, key), depth + 1)
      }
    } else changes.push({ path, before: was, after: is })
  }
  compare('', before, after, 0)
  return { changes, isCut }
}

function valueAt(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** What of an input a form for `editable` begins with: of an object the properties that it lists. */
export function editablePart(input: unknown, editable: JsonSchema): unknown {
  const listed = editable['properties']
  if (!isJsonObject(input) || !isJsonObject(listed)) return input
  return Object.fromEntries(Object.entries(input).filter(([key]) => Object.hasOwn(listed, key)))
}

/** The input with the values of a form: what the form does not ask for stays as it was. */
export function withEdits(input: unknown, editable: JsonSchema, value: unknown): unknown {
  const listed = editable['properties']
  if (!isJsonObject(input) || !isJsonObject(listed) || !isJsonObject(value)) return value
  const kept = Object.entries(input).filter(([key]) => !Object.hasOwn(listed, key))
  return { ...value, ...Object.fromEntries(kept) }
}
