import { isEqualJson } from '../base/equal-json.ts'
import { isJsonObject } from '../base/json-object.ts'
import type { StateEdit } from './state-edit.ts'
import type { StatePart } from './state-part.ts'

/** Messages as far as the shared state is concerned. */
export type StateBearers = readonly { readonly parts: readonly { readonly type: string }[] }[]

/** What the agent and the user have made of the shared state. */
export interface SharedState {
  /** The agent's latest state on this branch of messages. Absent: none. */
  readonly agent?: { readonly state: unknown } | undefined
  /** What the user has changed since, and no run of these messages took along. Absent: nothing. */
  readonly edit?: StateEdit | undefined
  /** The agent's state with the user's edits applied. Absent: neither has set one. */
  readonly current?: { readonly state: unknown } | undefined
}

/** Reads the shared state off the messages of a conversation: the last one that an answer has counts. Pure. */
export function readSharedState(messages: StateBearers, edit: StateEdit | undefined): SharedState {
  let last: StatePart | undefined
  let isTaken = edit === undefined
  for (let at = messages.length - 1; at >= 0 && (last === undefined || !isTaken); at -= 1) {
    const part = messages[at]?.parts.find(isStatePart)
    last ??= part
    isTaken ||= part?.edit !== undefined && part.edit === edit?.id
  }
  const agent = last && { state: last.state }
  if (edit === undefined || isTaken) return { agent, current: agent }
  return { agent, edit, current: { state: mergeStates(edit.base, edit.value, agent?.state) } }
}

/**
 * Three-way merge. What only one of the two has changed is taken from that one; what both have changed is the agent's. Objects are
 * merged key by key, anything else is one value. Parts that are taken keep their identity.
 */
export function mergeStates(base: unknown, own: unknown, agent: unknown): unknown {
  if (isEqualJson(agent, base)) return own
  if (isEqualJson(own, base)) return agent
  if (!isJsonObject(base) || !isJsonObject(own) || !isJsonObject(agent)) return agent
  return Object.fromEntries(
    Object.keys({ ...agent, ...own }).flatMap((key) => {
      const value = mergeStates(valueOf(base, key), valueOf(own, key), valueOf(agent, key))
      return value === undefined ? [] : [[key, value] as const]
    }),
  )
}

/** An equal value keeps the identity of the previous object, so that readers of a part see no change. */
export function withKnownParts(known: unknown, next: unknown): unknown {
  if (Object.is(known, next)) return known
  if (Array.isArray(known) && Array.isArray(next)) {
    const items = next.map((item, index) => withKnownParts(known[index], item))
    return items.length === known.length && items.every((item, index) => item === known[index]) ? known : items
  }
  if (!isJsonObject(known) || !isJsonObject(next)) return next
  const keys = Object.keys(next)
  const entries = keys.map((key) => [key, withKnownParts(valueOf(known, key), next[key])] as const)
  const isSame =
    keys.length === Object.keys(known).length &&
    entries.every(([key, value]) => Object.hasOwn(known, key) && value === known[key])
  return isSame ? known : Object.fromEntries(entries)
}

function isStatePart(part: { readonly type: string }): part is StatePart {
  return part.type === 'state'
}

function valueOf(object: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined
}
