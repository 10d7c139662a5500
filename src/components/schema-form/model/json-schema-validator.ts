import type { OutputUnit, SchemaDraft } from '@cfworker/json-schema'
import { Validator } from '@cfworker/json-schema'
import type { JsonSchema } from '../../../seam/prompt.ts'
import type { JudgeError } from './judge-value.ts'

/** Keywords that only say that one inside of them failed. */
const AROUND = [
  'properties',
  'items',
  'prefixItems',
  'additionalItems',
  '$ref',
  '$recursiveRef',
  'allOf',
  'patternProperties',
  'if',
  'dependentSchemas',
]

/** What does not fit: the keywords themselves, not those around them. Throws where the schema is no valid one. */
export function validate(schema: JsonSchema, draft: SchemaDraft, value: unknown): readonly JudgeError[] {
  const { valid, errors } = new Validator(schema, draft, false).validate(value)
  if (valid) return []
  const own = withoutVariants(errors).filter(({ keyword }) => !AROUND.includes(keyword))
  return (own.length > 0 ? own : errors.slice(0, 1)).slice(0, 20).map(({ instanceLocation, keyword, error }) => ({
    path: decodeURI(instanceLocation.slice(1)),
    keyword,
    message: error,
  }))
}

/** Of a value that fits no variant, that is what is said, and not what each variant misses. */
function withoutVariants(errors: readonly OutputUnit[]): readonly OutputUnit[] {
  const variants = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')
  return errors.filter(
    ({ keywordLocation }) => !variants.some((variant) => keywordLocation.startsWith(`${variant.keywordLocation}/`)),
  )
}
