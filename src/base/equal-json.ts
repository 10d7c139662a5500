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
