import type { JsonObject } from '../../base/json-object.ts'
import { modelError } from './model-error.ts'
import { nonEmptyText } from './vendor-json.ts'

/** An item of the output. Some gateways change its id from event to event, and some give all items one index: either finds it. */
export interface Item {
  readonly id: string | undefined
  readonly index: number | undefined
  /** Empty when only pieces of its text have arrived. */
  readonly type: string
  /** The item as the response repeats it at its end. Undefined: it has not ended. */
  ended: JsonObject | undefined
}

/** Items of the events and of the end that are the same one: by id, else the next one of its kind. */
export function pairItems(items: readonly Item[], finals: readonly JsonObject[]): ReadonlyMap<JsonObject, Item> {
  const pairs = new Map<JsonObject, Item>()
  const free = new Set(items)
  const pairWhere = (isSame: (item: Item, final: JsonObject) => boolean): void => {
    for (const final of finals) {
      if (pairs.has(final)) continue
      const item = [...free].find((each) => isSame(each, final))
      if (item === undefined) continue
      pairs.set(final, item)
      free.delete(item)
    }
  }
  pairWhere(({ id }, final) => id !== undefined && id === final['id'])
  pairWhere(
    ({ ended }, final) => nonEmptyText(final['call_id']) !== undefined && ended?.['call_id'] === final['call_id'],
  )
  pairWhere(({ type, ended }, final) => (ended === undefined ? type : typeOf(ended)) === typeOf(final))
  return pairs
}

/** A gateway may end one call under two ids, and one call must never run twice. */
export function withoutRepeats(items: readonly JsonObject[]): JsonObject[] {
  const calls = new Map<unknown, string>()
  return items.filter((item) => {
    if (item['type'] !== 'function_call') return true
    const { call_id: callId } = item
    const known = calls.get(callId)
    if (known !== undefined && known !== callSignature(item))
      throw modelError(`it gave two calls the id ${String(callId)}`)
    calls.set(callId, callSignature(item))
    return known === undefined
  })
}

/** What must not change when an item is repeated: the call that somebody outside of OpenAI carries out. */
export function callSignature({ type, name, call_id: callId, arguments: json, input }: JsonObject): string {
  const isCall = type === 'function_call' || type === 'custom_tool_call' || type === 'mcp_approval_request'
  return JSON.stringify(isCall ? [type, name, callId, json, input] : [type])
}

export function typeOf({ type }: JsonObject): string {
  return nonEmptyText(type) ?? 'item without a type'
}

/** Items that are whole when they have ended. */
const CONTENT = new Set(['message', 'reasoning', 'compaction', 'mcp_list_tools'])
/** Calls that the app and the user carry out through the helper. */
const CARRIED_OUT = new Set(['function_call', 'mcp_approval_request'])
/** Calls that OpenAI carries out before the item ends. */
const HOSTED = new Set([
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'image_generation_call',
  'mcp_call',
])
/** Calls that OpenAI or the app carries out: theirs is a second item when OpenAI did. */
const OUTPUTS: ReadonlyMap<string, string> = new Map([
  ['shell_call', 'shell_call_output'],
  ['apply_patch_call', 'apply_patch_call_output'],
  ['tool_search_call', 'tool_search_output'],
])

const HALF = new Set(['in_progress', 'incomplete'])
const RUNNING = new Set(['in_progress', 'searching', 'interpreting', 'calling'])

/**
 * Checks that nothing in a response is left to do but the calls of functions and the approvals.
 *
 * @throws AgentError that names the item
 */
export function checkSettled(items: readonly JsonObject[]): void {
  for (const item of items) {
    const [type, status] = [typeOf(item), nonEmptyText(item['status']) ?? 'completed']
    if (CONTENT.has(type) || CARRIED_OUT.has(type)) {
      if (HALF.has(status)) throw modelError(`its ${type} is ${status}`)
      if (
        type === 'function_call' &&
        (nonEmptyText(item['call_id']) === undefined || nonEmptyText(item['name']) === undefined)
      )
        throw modelError('its function_call has no id or no name')
      if (type === 'mcp_approval_request' && nonEmptyText(item['id']) === undefined)
        throw modelError('its mcp_approval_request has no id')
    } else if (HOSTED.has(type)) {
      if (isHostedCallOpen(item)) throw modelError(`its ${type} is ${status}`)
    } else if (!hasOutput(item, items)) throw modelError(`${type} is an item that fromOpenAi cannot carry out`)
  }
}

/** Whether a call that OpenAI carries out has not ended, by its own status. */
export function isHostedCallOpen({ status, result }: JsonObject): boolean {
  // A picture may keep this status to the end.
  if (status === 'generating') return nonEmptyText(result) === undefined
  return typeof status === 'string' && RUNNING.has(status)
}

function hasOutput(item: JsonObject, items: readonly JsonObject[]): boolean {
  const type = typeOf(item)
  const isHostedSearch = item['execution'] === 'server'
  const pairs = [...OUTPUTS].filter(([call, result]) => type === call || type === result)
  return pairs.some(([call, result]) => {
    const other = type === call ? result : call
    return isHostedSearch || items.some((each) => typeOf(each) === other && each['call_id'] === item['call_id'])
  })
}
