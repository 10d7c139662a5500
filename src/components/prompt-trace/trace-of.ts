import { shorten } from '../error-details/describe-error.ts'
import type { Prompt, PromptAnswer, PromptOption } from '../../seam/prompt.ts'
import { capMarks } from '../../base/cap-marks.ts'
import { timeOf } from '../../strings/prompts.ts'
import type { PromptTraceStrings } from '../../strings/prompts.ts'

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
  const words = wordsOf(option, shortName(option.label), subject && shortName(subject.name), strings)
  return edits === undefined ? words : `${words} (${strings.edited})`
}

function wordsOf(option: PromptOption, label: string, name: string | undefined, strings: PromptTraceStrings): string {
  const { kind } = option
  if (name === undefined || kind === 'neutral') return strings.chosen(label)
  if (kind !== 'allow-once' && kind !== 'allow-always') return strings.rejected(name)
  const time = timeOf(option)
  if (time === null) return strings.allowed(name)
  if (time !== undefined) return strings.allowedFor(name, time)
  return kind === 'allow-once' ? strings.allowedOnce(name) : strings.allowedAlways(name)
}

function shortName(name: string): string {
  return capMarks(shorten(name, LONGEST_NAME))
}
