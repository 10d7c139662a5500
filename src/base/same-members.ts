/** Whether two lists have the same items in the same order. */
export function sameItems<Item>(
  before: readonly Item[],
  now: readonly Item[],
  isSame: (before: Item, now: Item) => boolean = Object.is,
): boolean {
  return (
    before === now ||
    // The lists have the same length.
    (before.length === now.length && now.every((item, index) => isSame(before[index] as Item, item)))
  )
}

/** Whether two plain objects have the same members, where a new list of the same items is the same list. Fits `memo`. */
export function sameMembers<Item>(before: object, now: object, isSame?: (before: Item, now: Item) => boolean): boolean {
  // Only their own values are read.
  const known = before as Readonly<Record<string, unknown>>
  const members = Object.entries(now)
  return (
    members.length === Object.keys(known).length &&
    members.every(([name, value]) => {
      const old = known[name]
      return Object.is(old, value) || (Array.isArray(old) && Array.isArray(value) && sameItems(old, value, isSame))
    })
  )
}
