import type { JsonSchema } from '../../../seam/prompt.ts'
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
  try {
    const { judge } = await import('./bounded-judge.ts')
    return judge(schema, value, measures)
  } catch {
    return { result: 'unknown' }
  }
}
