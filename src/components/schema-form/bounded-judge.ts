import type { OutputUnit, SchemaDraft } from '@cfworker/json-schema'
import { Validator } from '@cfworker/json-schema'
import { isRecord } from '../../base/guards.ts'
import type { JsonSchema } from '../../seam/prompt.ts'
import type { JsonMeasures } from './measure-json.ts'
import { canRunPattern } from './pattern-cost.ts'

/** What a validator says. */
export type Verdict =
  | { readonly result: 'valid' }
  | { readonly result: 'invalid'; readonly errors: readonly JudgeError[] }
  /** The schema or the value is too large, the schema is not a valid one, or the validator could not be loaded: the agent decides. */
  | { readonly result: 'unknown' }

export interface JudgeError {
  /** JSON Pointer to the value. */
  readonly path: string
  readonly keyword: string
  /** In English. */
  readonly message: string
}

/** Work that a page does while its user waits, in evaluations of a schema: some tenths of a second at worst. */
const MOST_WORK = 100_000
const MOST_ERRORS = 1_000

const SCHEMA_MAPS = ['properties', '$defs', 'definitions', 'patternProperties', 'dependentSchemas', 'dependencies']
/** Values, which are not schemas whatever they look like. */
const VALUES = ['enum', 'const', 'default', 'examples', 'required', 'dependentRequired', 'type']
/** Formats whose check is known to end soon, whatever the text. */
const FORMATS = [
  ...['date', 'time', 'date-time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6'],
  ...['uri', 'uri-reference', 'uuid', 'json-pointer'],
]
/** Keywords that only say that one inside of them failed. */
const AROUND = [
  ...['properties', 'items', 'prefixItems', 'additionalItems', '$ref', '$recursiveRef', 'allOf', 'patternProperties'],
  ...['if', 'dependentSchemas'],
]

/** Evaluates a schema. Throws where the schema is not a valid one, and as soon as it takes too long. */
export function judge(schema: JsonSchema, value: unknown, measures: JsonMeasures): Verdict {
  const { valid, errors } = new Validator(copyFor(schema, measures), draftOf(schema), false).validate(value)
  if (valid) return { result: 'valid' }
  // The keywords themselves, not those around them; of a value with thousands of errors only the first are compared.
  const own = withoutVariants(errors.slice(0, MOST_ERRORS)).filter(({ keyword }) => !AROUND.includes(keyword))
  return {
    result: 'invalid',
    errors: (own.length > 0 ? own : errors.slice(0, 1)).slice(0, 20).map(({ instanceLocation, keyword, error }) => ({
      path: decodeURI(instanceLocation.slice(1)),
      keyword,
      message: error,
    })),
  }
}

/**
 * A schema for the validator, which changes what it is given: without patterns and formats that could take long on
 * strings of this length, and without the addresses of its parts. Each part counts its evaluations, as references can
 * double the work with each definition, so that a small schema takes hours: too many throw. So does a pattern that would
 * be left out and decides which properties are checked at all. The schema is of a bounded depth.
 */
function copyFor(schema: JsonSchema, { longest, breadth }: JsonMeasures): JsonSchema {
  let work = 0

  function copy(given: unknown): unknown {
    if (Array.isArray(given)) return given.map(copy)
    if (!isRecord(given)) return given
    /** What one evaluation costs: more where values are compared or written down, or each property is looked at. */
    let cost = 1
    const entries = Object.entries(given).flatMap(([keyword, value]): [string, unknown][] => {
      if (keyword === '$id' || keyword === 'id' || keyword === '$schema' || keyword === '__proto__') return []
      if (keyword === 'pattern' && !(typeof value === 'string' && canRunPattern(value, longest))) return []
      // Remainders of fractions are not exact: a field checks them in its own way.
      if (keyword === 'multipleOf' && !Number.isInteger(value)) return []
      if (keyword === 'format' && !FORMATS.some((name) => name === value)) return []
      if (keyword === 'uniqueItems') cost += breadth ** 2 / 1_000
      if (VALUES.includes(keyword)) {
        cost += Math.floor(JSON.stringify(value).length / 10)
        return [[keyword, value]]
      }
      if (!SCHEMA_MAPS.includes(keyword) || !isRecord(value)) return [[keyword, copy(value)]]
      if (keyword === 'patternProperties') {
        const patterns = Object.keys(value)
        if (!patterns.every((pattern) => canRunPattern(pattern, longest)))
          throw new RangeError('A pattern takes too long.')
        cost += patterns.length * breadth
      }
      return [[keyword, Object.fromEntries(Object.entries(value).map(([name, inside]) => [name, copy(inside)]))]]
    })
    // The validator asks for the type once in each evaluation.
    return Object.defineProperty(Object.fromEntries(entries), 'type', {
      get() {
        work += cost
        if (work > MOST_WORK) throw new RangeError('The schema takes too long.')
        return given['type']
      },
    })
  }

  // The copy of an object is one.
  return copy(schema) as JsonSchema
}

function draftOf({ $schema }: JsonSchema): SchemaDraft {
  const name = typeof $schema === 'string' ? $schema : ''
  if (name.includes('draft-04')) return '4'
  if (name.includes('draft-06') || name.includes('draft-07')) return '7'
  return name.includes('2019-09') ? '2019-09' : '2020-12'
}

/** If a value fits no variant, that is the error, not the errors of each variant. */
function withoutVariants(errors: readonly OutputUnit[]): readonly OutputUnit[] {
  const variants = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')
  return errors.filter(
    ({ keywordLocation }) => !variants.some((variant) => keywordLocation.startsWith(`${variant.keywordLocation}/`)),
  )
}
