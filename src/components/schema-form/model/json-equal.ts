import { isJsonObject } from '../../../base/json-object.ts'

/** Whether two JSON values are the same. Only for values of a bounded depth. */
export function isJsonEqual(one: unknown, other: unknown): boolean {
  if (Array.isArray(one))
    return Array.isArray(other) && one.length === other.length && one.every((item, at) => isJsonEqual(item, other[at]))
  if (!isJsonObject(one) || !isJsonObject(other)) return Object.is(one, other) || (one === 0 && other === 0)
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isJsonEqual(one[key], other[key]))
  )
}
