import { isRecord } from '../../../base/guards.ts'
import type { JsonSchema } from '../../../seam/prompt.ts'
import { canRunPattern } from './pattern-cost.ts'

const SCHEMA_MAPS = ['properties', '$defs', 'definitions', 'patternProperties', 'dependentSchemas', 'dependencies']
/** Values, which are no schemas whatever they look like. */
const VALUES = ['enum', 'const', 'default', 'examples', 'required', 'dependentRequired', 'type']
/** Formats whose check is known to end soon, whatever the text. */
const FORMATS = [
  'date',
  'time',
  'date-time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uri',
  'uri-reference',
  'uuid',
  'json-pointer',
]

/**
 * A schema for the validator, which changes what it is given: without patterns and formats that could take long on strings of
 * this length, and without the addresses of its parts. The schema is of a bounded depth. Undefined: what would be left out decides which
 * properties are checked at all.
 */
export function copyForJudge(schema: JsonSchema, longest: number): JsonSchema | undefined {
  let isWhole = true

  function copy(given: unknown): unknown {
    if (Array.isArray(given)) return given.map(copy)
    if (!isRecord(given)) return given
    const entries = Object.entries(given).flatMap(([keyword, value]): [string, unknown][] => {
      if (keyword === '$id' || keyword === 'id' || keyword === '$schema' || keyword === '__proto__') return []
      if (keyword === 'pattern' && !(typeof value === 'string' && canRunPattern(value, longest))) return []
      // Remainders of fractions are not exact: a field checks them in its own way.
      if (keyword === 'multipleOf' && !Number.isInteger(value)) return []
      if (keyword === 'format' && !FORMATS.some((name) => name === value)) return []
      if (keyword === 'patternProperties' && isRecord(value))
        isWhole &&= Object.keys(value).every((pattern) => canRunPattern(pattern, longest))
      if (VALUES.includes(keyword)) return [[keyword, value]]
      if (SCHEMA_MAPS.includes(keyword) && isRecord(value))
        return [[keyword, Object.fromEntries(Object.entries(value).map(([name, inside]) => [name, copy(inside)]))]]
      return [[keyword, copy(value)]]
    })
    return Object.fromEntries(entries)
  }

  // The copy of an object is one.
  const copied = copy(schema) as JsonSchema
  return isWhole ? copied : undefined
}
