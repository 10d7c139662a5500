import type { JsonSchema } from '../../../seam/prompt.ts'
import type { Verdict } from './bounded-judge.ts'
import { measureJson } from './measure-json.ts'
import { FORM_LIMITS } from './read-form.ts'

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
