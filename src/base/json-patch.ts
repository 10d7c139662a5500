import { immutableJSONPatch, parseJSONPointer } from 'immutable-json-patch'
import { isJsonObject } from './json-object.ts'

/** One operation of RFC 6902, of which the members were checked. */
export interface JsonPatchOperation {
  readonly op: string
  readonly path: string
  readonly from?: string | undefined
  readonly value?: unknown
}

/** Names that lead out of the data of an object. */
const NOT_DATA: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])
const INDEX = /^(?:0|[1-9]\d*)$/

/**
 * Applies a JSON Patch (RFC 6902), whole or not at all. The document stays as it is; what the patch does not touch is the same in the
 * result. Undefined: an operation names a place that is not there, or one outside of the data, or a test fails.
 */
export function applyJsonPatch(
  document: unknown,
  operations: readonly JsonPatchOperation[],
): { readonly document: unknown } | undefined {
  let changed = document
  try {
    for (const operation of operations) {
      if (!fits(changed, operation)) return undefined
      // The shape is that of the library, which checks the names again.
      changed = immutableJSONPatch(changed, [operation as Parameters<typeof immutableJSONPatch>[1][number]])
    }
  } catch {
    return undefined
  }
  return { document: changed }
}

/** The library takes an operation without a target for one that changes nothing; by the RFC the patch fails. */
function fits(document: unknown, { op, path, from }: JsonPatchOperation): boolean {
  if (op === 'move' && from !== undefined && path.startsWith(`${from}/`)) return false
  if (from !== undefined && (op === 'move' || op === 'copy') && !isThere(document, from, false)) return false
  return isThere(document, path, op === 'add' || op === 'move' || op === 'copy')
}

/** Whether there is a value at the pointer or, where one is added, a place for it. */
function isThere(document: unknown, pointer: string, isAdded: boolean): boolean {
  const path = parseJSONPointer(pointer)
  let value = document
  for (const [depth, name] of path.entries()) {
    const isLast = depth === path.length - 1
    if (NOT_DATA.has(name)) return false
    if (Array.isArray(value)) {
      const length = value.length + (isAdded && isLast ? 1 : 0)
      if (!(isAdded && isLast && name === '-') && !(INDEX.test(name) && Number(name) < length)) return false
      value = value[Number(name)]
    } else if (isJsonObject(value)) {
      // The library takes it for the end of a list, and would write another key.
      if (isLast && name === '-') return false
      if (!Object.hasOwn(value, name) && !(isAdded && isLast)) return false
      value = value[name]
    } else return false
  }
  return true
}
