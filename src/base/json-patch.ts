import { immutableJSONPatch, parseJSONPointer } from 'immutable-json-patch'
import { isJsonObject } from './json-object.ts'
import { MAX_DEPTH } from './bounded-json.ts'

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

/** Most operations of one patch. */
const MOST_OPERATIONS = 10_000

/** Most values and characters that a document may have after something in it was copied. */
const LARGEST_DOCUMENT = 10_000_000

/**
 * Applies a JSON Patch from the network, whole or not at all. The wire bounds the size of a patch; copies cost no bytes,
 * so a document is measured behind one. Undefined: the patch does not fit the document, or makes too much of it.
 */
export function applyBoundedPatch(
  document: unknown,
  operations: readonly JsonPatchOperation[],
): { readonly document: unknown } | undefined {
  if (operations.length > MOST_OPERATIONS) return undefined
  let now: { readonly document: unknown } = { document }
  for (const operation of operations) {
    const next = applyJsonPatch(now.document, [operation])
    if (next === undefined || (operation.op === 'copy' && isTooLarge(next.document))) return undefined
    now = next
  }
  return now
}

/** With its own list: what was copied is walked as often as it is shown. */
function isTooLarge(document: unknown): boolean {
  const open: [value: unknown, depth: number][] = [[document, 0]]
  let size = 0
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [value, depth] = next
    size += typeof value === 'string' ? value.length : 1
    if (size + open.length > LARGEST_DOCUMENT || depth > MAX_DEPTH) return true
    if (Array.isArray(value)) for (const item of value) open.push([item, depth + 1])
    else if (isJsonObject(value))
      for (const [key, item] of Object.entries(value)) {
        size += key.length
        open.push([item, depth + 1])
      }
  }
  return false
}

const OPERATIONS: ReadonlySet<unknown> = new Set(['add', 'remove', 'replace', 'move', 'copy', 'test'])

/** The operations of a JSON Patch unchanged. Undefined: it is none. */
export function readPatchOperations(list: unknown): readonly JsonPatchOperation[] | undefined {
  if (!Array.isArray(list)) return undefined
  const operations: JsonPatchOperation[] = []
  for (const item of list) {
    const { op, path, from, value } = isJsonObject(item) ? item : {}
    const isMove = op === 'move' || op === 'copy'
    if (typeof op !== 'string' || !OPERATIONS.has(op) || !isPointer(path) || (isMove && !isPointer(from)))
      return undefined
    if (!isMove && op !== 'remove' && value === undefined) return undefined
    operations.push(isPointer(from) && isMove ? { op, path, from } : { op, path, value })
  }
  return operations
}

function isPointer(value: unknown): value is string {
  return typeof value === 'string' && /^(?:$|\/)/.test(value)
}
