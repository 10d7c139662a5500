import type { JsonSchema } from '../../../seam/prompt.ts'
import { copyForJudge } from './copy-for-judge.ts'
import { canJudge } from './judge-cost.ts'
import type { Verdict } from './judge-value.ts'
import type { JsonMeasures } from './measure-json.ts'
import { validate } from './json-schema-validator.ts'

/** Evaluates a schema where that is known to end soon. Throws where the schema is no valid one. */
export function judge(schema: JsonSchema, value: unknown, { longest, depth, breadth }: JsonMeasures): Verdict {
  const copied = copyForJudge(schema, longest)
  if (copied === undefined || !canJudge(copied, depth, breadth)) return { result: 'unknown' }
  const errors = validate(copied, draftOf(schema), value)
  return errors.length === 0 ? { result: 'valid' } : { result: 'invalid', errors }
}

function draftOf({ $schema }: JsonSchema): '4' | '7' | '2019-09' | '2020-12' {
  const name = typeof $schema === 'string' ? $schema : ''
  if (name.includes('draft-04')) return '4'
  if (name.includes('draft-06') || name.includes('draft-07')) return '7'
  return name.includes('2019-09') ? '2019-09' : '2020-12'
}
