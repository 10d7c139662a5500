import { isJsonObject } from '../../base/json-object.ts'
import { applyBoundedPatch, readPatchOperations, type JsonPatchOperation } from '../../base/json-patch.ts'
import { isEqualJson } from '../../base/equal-json.ts'

/** Names that readers of a patch refuse in a path. */
const REFUSED: ReadonlySet<string> = new Set(['-', '__proto__', 'constructor', 'prototype'])

/**
 * A JSON Patch (RFC 6902) that makes the second value of the first. Lists are compared by index: what was put in front of one changes
 * every item behind it. Undefined: no patch that is allowed does it.
 */
export function stateDiff(before: unknown, after: unknown): readonly JsonPatchOperation[] | undefined {
  const operations: JsonPatchOperation[] = []
  return compare(before, after, '', operations) ? operations : undefined
}

function compare(before: unknown, after: unknown, path: string, operations: JsonPatchOperation[]): boolean {
  if (isEqualJson(before, after)) return true
  if (Array.isArray(before) && Array.isArray(after)) return compareLists(before, after, path, operations)
  if (!isJsonObject(before) || !isJsonObject(after)) {
    operations.push({ op: 'replace', path, value: after })
    return true
  }
  for (const key of Object.keys({ ...before, ...after })) {
    const place = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
    const [wasThere, isThere] = [Object.hasOwn(before, key), Object.hasOwn(after, key)]
    if (REFUSED.has(key) && !(wasThere && isThere && isEqualJson(before[key], after[key]))) return false
    if (!isThere) operations.push({ op: 'remove', path: place })
    else if (!wasThere) operations.push({ op: 'add', path: place, value: after[key] })
    else if (!compare(before[key], after[key], place, operations)) return false
  }
  return true
}

function compareLists(
  before: readonly unknown[],
  after: readonly unknown[],
  path: string,
  operations: JsonPatchOperation[],
): boolean {
  // From the end, so that the places before stay what they are.
  for (let at = before.length - 1; at >= after.length; at -= 1) operations.push({ op: 'remove', path: `${path}/${at}` })
  for (const [at, item] of after.entries()) {
    if (at >= before.length) operations.push({ op: 'add', path: `${path}/-`, value: item })
    else if (!compare(before[at], item, `${path}/${at}`, operations)) return false
  }
  return true
}

/** The id of the shared state where a protocol, or a list of parts, wants one. */
export const STATE_ID = 'state'

/** The shared state, of the events that tell it. */
export interface ToldState {
  /** Absent: no state has been sent. */
  readonly told: { readonly state: unknown } | undefined
  /** Whether it was an event of the state that could be read. */
  take(type: unknown, data: unknown): boolean
}

/** @param sent what the page has sent with the request. Absent: nothing */
export function createToldState(sent?: { readonly state: unknown }): ToldState {
  let told = sent
  return {
    get told() {
      return told
    },
    take(type, data) {
      if (!isJsonObject(data)) return false
      if (type === 'STATE_SNAPSHOT' && data['state'] !== undefined) {
        told = { state: data['state'] }
        return true
      }
      const operations = type === 'STATE_DELTA' ? readPatchOperations(data['delta']) : undefined
      const next = operations && applyBoundedPatch(told?.state, operations)
      if (next !== undefined) told = { state: next.document }
      return next !== undefined
    },
  }
}

/** Whether an event of this type says something of the shared state. */
export function isStateEvent(type: unknown): boolean {
  return type === 'STATE_SNAPSHOT' || type === 'STATE_DELTA'
}
