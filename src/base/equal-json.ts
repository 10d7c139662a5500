import { isJsonObject } from './json-object.ts'

/** Whether two values say the same as JSON. Keys have no order; a key without a value is as one that is not there. */
export function isEqualJson(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (Array.isArray(left))
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => isEqualJson(item, right[index]))
    )
  if (!isJsonObject(left) || !isJsonObject(right)) return false
  return Object.keys({ ...left, ...right }).every((key) => isEqualJson(own(left, key), own(right, key)))
}

function own(object: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** Whether two lists have the same items in the same order, or such as are alike. */
export function sameItems<Item>(
  before: readonly Item[],
  now: readonly Item[],
  isAlike?: (before: Item, now: Item) => boolean,
): boolean {
  return (
    before.length === now.length &&
    // The lists have the same length.
    now.every((item, index) => Object.is(before[index], item) || isAlike?.(before[index] as Item, item) === true)
  )
}

/** Whether two plain objects have the same members, where a new list of the same items is the same list. Fits `memo`. */
export function sameMembers<Item>(
  before: object,
  now: object,
  isAlike?: (before: Item, now: Item) => boolean,
): boolean {
  // Only their own values are read.
  const known = before as Readonly<Record<string, unknown>>
  const members = Object.entries(now)
  return (
    members.length === Object.keys(known).length &&
    members.every(([name, value]) => {
      const old = known[name]
      return Object.is(old, value) || (Array.isArray(old) && Array.isArray(value) && sameItems(old, value, isAlike))
    })
  )
}
