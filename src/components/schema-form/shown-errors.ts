import type { FieldError } from '../../seam/prompt.ts'
import type { ShownError } from './form-context.ts'
import type { CollectedValue } from './model/collect-value.ts'
import { placeOf } from './model/collect-value.ts'
import type { FieldProblem } from './model/field-problem.ts'
import { isWithin } from './model/form-field.ts'
import type { JudgeError } from './model/judge-value.ts'
import { plainText } from './plain-text.tsx'
import type { SchemaFormStrings } from '../../strings/form.ts'

/** What was found at one moment, and is shown until its field is changed. */
export type Report = readonly ShownError[]

/** The newest reports there were when a field was changed, by its id. */
export type Edits = Readonly<Record<string, readonly unknown[]>>

const MOST_ERRORS = 50
const LONGEST_MESSAGE = 500

export function problemText({ problem }: FieldProblem, strings: SchemaFormStrings): string {
  return 'limit' in problem ? strings.limits[problem.code](problem.limit) : strings.problems[problem.code]
}

/** Errors by paths, as the agent and the validator write them, at the fields of those values. */
export function reportOf(
  errors: readonly FieldError[] | readonly JudgeError[],
  collected: CollectedValue,
  textOf: (message: string) => string,
): Report {
  return errors.slice(0, MOST_ERRORS).map(({ path, message }) => ({
    id: placeOf(collected, path),
    text: textOf(plainText(message, LONGEST_MESSAGE)),
  }))
}

/** The errors of a report whose fields were not changed since it came, nor what is inside or around them. `source` is what it was made of. */
export function unchanged(report: Report, source: unknown, edits: Edits): Report {
  const changed = Object.keys(edits).filter((id) => edits[id]?.includes(source))
  return report.filter(({ id }) => !changed.some((edited) => isWithin(edited, id) || isWithin(id, edited)))
}

/** Each text once for each field. */
export function distinct(errors: Report): Report {
  return errors.filter(({ id, text }, at) => errors.findIndex((other) => other.id === id && other.text === text) === at)
}
