import { MAX_DEPTH } from './bounded-json.ts'
import { isJsonObject } from './json-object.ts'
import { applyJsonPatch, type JsonPatchOperation } from './json-patch.ts'

/** Most operations of one patch. */
const MOST_OPERATIONS = 10_000
/** Most values and characters that a document may have after something in it was copied. */
const LARGEST_DOCUMENT = 10_000_000
/**
 * Applies a JSON Patch from the network, whole or not at all. What a patch brings is as large as the wire lets it be; copies cost no bytes,
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

/** With a list of its own: what was copied is walked as often as it is shown. */
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

/** The operations of a JSON Patch as it came. Undefined: it is none. */
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
