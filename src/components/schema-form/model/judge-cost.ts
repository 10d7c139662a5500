import { isRecord } from '../../../base/guards.ts'
import type { JsonSchema } from '../../../seam/prompt.ts'

/** Schemas that are applied to the same value, to each item or property, and to certain ones. */
const IN_PLACE = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas', 'dependencies', '$ref']
const TO_EACH = [
  'items',
  'additionalItems',
  'additionalProperties',
  'patternProperties',
  'propertyNames',
  'contains',
  'unevaluatedItems',
  'unevaluatedProperties',
]
const TO_ONE = ['properties', 'prefixItems']

/** Evaluations that a page does while its user waits: some tenths of a second at worst. */
const MOST_EVALUATIONS = 100_000

/**
 * Whether a schema can be evaluated here. References can double the work with each definition, so that a small schema takes
 * hours; this counts the evaluations before any is done. `depth` and `breadth` are those of the value.
 */
export function canJudge(schema: JsonSchema, depth: number, breadth: number): boolean {
  const known = new Map<unknown, Map<number, number>>()

  function cost(given: unknown, left: number): number {
    if (left < 0 || !isRecord(given)) return 0
    const levels = known.get(given) ?? new Map<number, number>()
    known.set(given, levels)
    const counted = levels.get(left)
    if (counted !== undefined) return counted
    // Met again before it is counted, it refers to itself on the same value and never ends.
    levels.set(left, Infinity)
    let sum = 1
    for (const [keyword, value] of Object.entries(given)) {
      if (keyword === '$ref') sum += cost(targetOf(schema, value), left)
      else if (IN_PLACE.includes(keyword)) sum += costOfAll(keyword, value, left)
      else if (breadth > 0 && TO_EACH.includes(keyword)) sum += breadth * costOfAll(keyword, value, left - 1)
      else if (TO_ONE.includes(keyword)) sum += costOfAll(keyword, value, left - 1)
      if (sum > MOST_EVALUATIONS) break
    }
    levels.set(left, sum)
    return sum
  }

  function costOfAll(keyword: string, value: unknown, left: number): number {
    if (left < 0) return 0
    const isMap = keyword === 'properties' || keyword === 'patternProperties' || keyword.startsWith('depend')
    const all: readonly unknown[] = Array.isArray(value)
      ? value
      : isMap && isRecord(value)
        ? Object.values(value)
        : [value]
    return all.reduce<number>((sum, one) => (sum > MOST_EVALUATIONS ? sum : sum + cost(one, left)), 0)
  }

  return cost(schema, depth) <= MOST_EVALUATIONS
}

/** What a local reference means; the validator resolves any pointer. */
function targetOf(root: JsonSchema, ref: unknown): unknown {
  if (typeof ref !== 'string' || !ref.startsWith('#')) return undefined
  let target: unknown = root
  for (const step of ref.slice(1).split('/').slice(1)) {
    const key = decodeStep(step)
    if (Array.isArray(target)) target = (target as readonly unknown[])[Number(key)]
    else target = isRecord(target) && Object.hasOwn(target, key) ? target[key] : undefined
  }
  return target
}

function decodeStep(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return step
  }
}
