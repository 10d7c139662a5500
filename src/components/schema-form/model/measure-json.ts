import { isJsonObject } from '../../../base/json-object.ts'

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

/** Sizes of a JSON value. Undefined: it is larger or deeper than the limits, or refers to itself. Stops there, and never recurses. */
export function measureJson(value: unknown, limits: JsonLimits): JsonMeasures | undefined {
  let characters = 0
  let longest = 0
  let breadth = 0
  let depth = 0
  let level: unknown[] = [value]
  while (level.length > 0) {
    if (depth > limits.depth) return undefined
    const next: unknown[] = []
    for (const item of level) {
      characters += 1
      if (typeof item === 'string') {
        characters += item.length
        longest = Math.max(longest, item.length)
      } else if (Array.isArray(item)) {
        breadth = Math.max(breadth, item.length)
        if (characters + next.length + item.length > limits.characters) return undefined
        for (const child of item) next.push(child)
      } else if (isJsonObject(item)) {
        let count = 0
        for (const key in item) {
          characters += key.length
          longest = Math.max(longest, key.length)
          count += 1
          if (characters + next.length > limits.characters) return undefined
          next.push(item[key])
        }
        breadth = Math.max(breadth, count)
      }
      if (characters > limits.characters) return undefined
    }
    level = next
    depth += 1
  }
  return { characters, depth, longest, breadth }
}
