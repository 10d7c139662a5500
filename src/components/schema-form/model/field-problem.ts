import type { FormField } from './form-field.ts'

/** What is wrong with an entry. */
export type Problem =
  | {
      readonly code:
        | 'missing'
        | 'pattern'
        | 'email'
        | 'uri'
        | 'date'
        | 'date-time'
        | 'number'
        | 'integer'
        | 'digits'
        | 'unique'
        | 'json'
    }
  | {
      readonly code:
        | 'minLength'
        | 'maxLength'
        | 'minimum'
        | 'maximum'
        | 'above'
        | 'below'
        | 'multipleOf'
        | 'minItems'
        | 'maxItems'
      readonly limit: number
    }

export interface FieldProblem {
  readonly field: FormField
  readonly problem: Problem
}
