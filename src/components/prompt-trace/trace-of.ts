import { shorten } from '../error-details/describe-error.ts'
import type { Prompt, PromptAnswer } from '../../protocols/prompt.ts'
import { capMarks } from '../../base/cap-marks.ts'
import type { PromptTraceStrings } from '../prompt-strings/prompt-strings.ts'

/** Longest name of an option or a tool in the row, in UTF-16 code units. */
const LONGEST_NAME = 80

/** What became of a prompt, as one phrase. */
export function traceOf(prompt: Prompt, strings: PromptTraceStrings): string {
  if (prompt.state === 'open') return strings.open
  if (prompt.state !== 'answered') return strings.states[prompt.state]
  return prompt.answer === undefined ? strings.answered : answerOf(prompt, prompt.answer, strings)
}

function answerOf(prompt: Prompt, answer: PromptAnswer, strings: PromptTraceStrings): string {
  switch (answer.type) {
    case 'option':
      return optionOf(prompt, answer, strings)
    case 'value':
      return strings.submitted
    case 'done':
      return strings.signedIn
    case 'decline':
      return strings.states.declined
    case 'cancel':
      return strings.states.cancelled
  }
}

function optionOf(
  { subject, options }: Prompt,
  { optionId, edits }: Extract<PromptAnswer, { readonly type: 'option' }>,
  strings: PromptTraceStrings,
): string {
  const option = options?.find(({ id }) => id === optionId)
  if (option === undefined) return strings.answered
  const words = wordsOf(option.kind, shortName(option.label), subject && shortName(subject.name), strings)
  return edits === undefined ? words : `${words} (${strings.edited})`
}

function wordsOf(
  kind: NonNullable<Prompt['options']>[number]['kind'],
  label: string,
  name: string | undefined,
  strings: PromptTraceStrings,
): string {
  if (name === undefined || kind === 'neutral') return strings.chosen(label)
  if (kind === 'allow-once') return strings.allowedOnce(name)
  return kind === 'allow-always' ? strings.allowedAlways(name) : strings.rejected(name)
}

function shortName(name: string): string {
  return capMarks(shorten(name, LONGEST_NAME))
}
