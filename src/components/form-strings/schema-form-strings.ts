import type { Problem } from '../schema-form/model/form-field.ts'

type Limited = Extract<Problem, { readonly limit: number }>['code']

/** Every word of {@link SchemaForm}. Functions get what they speak of. */
export interface SchemaFormStrings {
  readonly submit: string
  readonly cancel: string
  /** Behind the name of a field that must be filled in. */
  readonly required: string
  /** The option of a list that stands for no choice yet. */
  readonly choose: string
  /** The option of a list that stands for no value. */
  readonly none: string
  /** Names a field that has no name. */
  readonly value: string
  /** Names the list of the kinds of value there are to choose from. */
  readonly kind: string
  /** Names a kind that has no name, counted from 1. */
  readonly kindNumber: (number: number) => string
  /** Names a row of a list, counted from 1. */
  readonly item: (number: number) => string
  readonly add: (list: string) => string
  readonly remove: (list: string, number: number) => string
  /** Help of a field that takes JSON text. */
  readonly json: string
  /** Help of a form that is too large for fields. */
  readonly large: string
  /** Opens the schema. */
  readonly schema: string
  readonly localTime: string
  /** The agent checks a pattern that is not run here. */
  readonly uncheckedPattern: string
  readonly credential: string
  /** Heading of the list of what is wrong. */
  readonly summary: (count: number) => string
  /** What the validator says, in English. */
  readonly notAccepted: (detail: string) => string
  readonly problems: Readonly<Record<Exclude<Problem['code'], Limited>, string>>
  readonly limits: Readonly<Record<Limited, (limit: number) => string>>
}
