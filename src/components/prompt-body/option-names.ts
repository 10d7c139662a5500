import type { PromptOption } from '../../seam/prompt.ts'
import type { ApprovalStrings } from '../../strings/prompts.ts'
import { timeOf } from '../../strings/prompts.ts'
import { literalLabel } from '../literal-value/literal-pieces.ts'
import { numberTwins } from './number-twins.ts'

const LONGEST_LABEL = 80

/** Labels that name the kind of an option alone, as servers and adapters give them: the app has words for it. */
const PLAIN: Readonly<Partial<Record<PromptOption['kind'], RegExp>>> = {
  'allow-once': /^(allow|approve)$/i,
  'reject-once': /^(deny|reject)$/i,
}

/** What is written on an option. */
export interface OptionName {
  /** What it does, in words of the app. Absent: it allows and rejects nothing. */
  readonly words: string | undefined
  /** What the agent calls it, on one line. Absent: it says nothing else. */
  readonly label: string | undefined
}

/** The names of options, in the same order: no two are the same. What an option does is said by the app, whatever the agent calls it. */
export function optionNames(options: readonly PromptOption[], strings: ApprovalStrings): readonly OptionName[] {
  const names = options.map((option) => nameOf(option, strings))
  const places = numberTwins(names.map(({ words = '', label = '' }) => `${words}\n${label}`))
  return names.map(({ words, label }, index) => {
    const place = places[index]
    return place === undefined ? { words, label } : { words, label: `${label ?? ''} (${place})`.trim() }
  })
}

/** What taking an option does, in words of the app. */
export function wordsOf(option: PromptOption, strings: ApprovalStrings): string | undefined {
  switch (option.kind) {
    case 'allow-once':
    case 'allow-always': {
      const time = timeOf(option)
      if (typeof time === 'number') return strings.allowFor(time)
      return option.kind === 'allow-once' ? strings.allowOnce : strings.allowAlways
    }
    case 'reject-once':
      return strings.reject
    case 'reject-always':
      return strings.rejectAlways
    case 'neutral':
      return undefined
  }
}

function nameOf(option: PromptOption, strings: ApprovalStrings): OptionName {
  const words = wordsOf(option, strings)
  const label = literalLabel(option.label, LONGEST_LABEL)
  // "Allow" beside "Allow once" would say nothing more, nor would it in another language.
  const isSaid = words?.toLowerCase().includes(label.toLowerCase()) === true || PLAIN[option.kind]?.test(label) === true
  return { words, label: isSaid ? undefined : label === '' ? literalLabel(option.id, LONGEST_LABEL) : label }
}
