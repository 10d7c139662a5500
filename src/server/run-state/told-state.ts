import { isJsonObject } from '../../base/json-object.ts'
import { applyBoundedPatch, readPatchOperations } from '../../base/bounded-patch.ts'

/** The id of the shared state where a protocol, or a list of parts, wants one. */
export const STATE_ID = 'state'

/** The shared state, of the events that tell it. */
export interface ToldState {
  /** Absent: nobody has told any. */
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
