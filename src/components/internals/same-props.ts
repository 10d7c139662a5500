import { sameItems } from './same-items.ts'

/** For `memo`: the same props, where a new list of the same members is the same list. */
export function sameProps(had: object, has: object): boolean {
  // Props are plain objects; only their own values are read.
  const before = had as Readonly<Record<string, unknown>>
  const entries = Object.entries(has)
  return (
    entries.length === Object.keys(before).length &&
    entries.every(([name, value]) => {
      const known = before[name]
      return Object.is(known, value) || (Array.isArray(known) && Array.isArray(value) && sameItems(known, value))
    })
  )
}
