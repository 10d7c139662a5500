import type { JsonSchema } from '../../../protocols/prompt.ts'
import { copyForJudge } from './copy-for-judge.ts'
import { canJudge } from './judge-cost.ts'
import { measureJson } from './measure-json.ts'
import { FORM_LIMITS } from './read-form.ts'

/** What a validator says. */
export type Verdict =
  | { readonly result: 'valid' }
  | { readonly result: 'invalid'; readonly errors: readonly JudgeError[] }
  /** The schema or the value is too large, the schema is no valid one, or the validator could not be loaded: the agent decides. */
  | { readonly result: 'unknown' }

export interface JudgeError {
  /** JSON Pointer to the value. */
  readonly path: string
  readonly keyword: string
  /** In English. */
  readonly message: string
}

/** Says whether a value fits a schema; undefined is one that is too large. Loads the validator, once. Never throws. */
export async function judgeValue(schema: JsonSchema | undefined, value: unknown): Promise<Verdict> {
  const measures = measureJson(value, FORM_LIMITS)
  if (schema === undefined || measures === undefined || measureJson(schema, FORM_LIMITS) === undefined)
    return { result: 'unknown' }
  const copied = copyForJudge(schema, measures.longest)
  if (copied === undefined || !canJudge(copied, measures.depth, measures.breadth)) return { result: 'unknown' }
  try {
    const { validate } = await import('./json-schema-validator.ts')
    const errors = validate(copied, draftOf(schema), value)
    return errors.length === 0 ? { result: 'valid' } : { result: 'invalid', errors }
  } catch {
    return { result: 'unknown' }
  }
}

function draftOf({ $schema }: JsonSchema): '4' | '7' | '2019-09' | '2020-12' {
  const name = typeof $schema === 'string' ? $schema : ''
  if (name.includes('draft-04')) return '4'
  if (name.includes('draft-06') || name.includes('draft-07')) return '7'
  return name.includes('2019-09') ? '2019-09' : '2020-12'
}
