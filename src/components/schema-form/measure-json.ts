import { isJsonObject } from '../../base/json-object.ts'

/** How much of a JSON value is looked at. */
export interface JsonLimits {
  readonly characters: number
  readonly depth: number
}

export interface JsonMeasures {
  /** Of strings and keys, and one for each value. */
  readonly characters: number
  readonly depth: number
  /** Length of the longest string. */
  readonly longest: number
  /** Most items or properties of one value. */
  readonly breadth: number
}

/** Sizes of a JSON value. Undefined: it is larger or deeper than the limits, or refers to itself. Stops there. */
export function measureJson(value: unknown, limits: JsonLimits): JsonMeasures | undefined {
  let characters = 0
  let longest = 0
  let breadth = 0
  let depth = 0

  /** Whether it is within the limits, as those around it are. */
  function measure(item: unknown, level: number): boolean {
    const texts = typeof item === 'string' ? [item] : isJsonObject(item) ? Object.keys(item) : []
    const inside: readonly unknown[] = Array.isArray(item) ? item : isJsonObject(item) ? Object.values(item) : []
    characters += 1
    for (const { length } of texts) {
      characters += length
      longest = Math.max(longest, length)
    }
    breadth = Math.max(breadth, inside.length)
    depth = Math.max(depth, level + 1)
    const isWithin = level <= limits.depth && characters + inside.length <= limits.characters
    return isWithin && inside.every((child) => measure(child, level + 1))
  }

  return measure(value, 0) ? { characters, depth, longest, breadth } : undefined
}
