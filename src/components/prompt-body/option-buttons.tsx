'use client'

import { type ReactNode, useState } from 'react'
import type { PromptOption } from '../../seam/prompt.ts'
import { SHOWN_AT_FIRST, ShowMore } from '../internals/folding.tsx'
import { usePromptStrings } from '../dictionary/prompt-strings-context.tsx'
import { type ApprovalStrings, timeOf } from '../../strings/prompts.ts'
import { literalLabel } from '../literal-value.tsx'

/** From the start of the row to its end: what changes nothing first, and what is done once last. */
const ORDER: readonly PromptOption['kind'][] = ['reject-always', 'reject-once', 'neutral', 'allow-always', 'allow-once']

const FIRST_BUTTONS = 20

interface OptionButtonsProps {
  readonly options: readonly PromptOption[]
  readonly onTake: (option: PromptOption) => void
  /** Shown at the start of the row. */
  readonly children?: ReactNode
  /** Shown at the end of the row. */
  readonly end?: ReactNode
}

/** A row of one button for each option, in the order of what they do. One that allows more than this one time ends in an ellipsis. */
export function OptionButtons({ options, onTake, children, end }: OptionButtonsProps): ReactNode {
  const strings = usePromptStrings().approval
  const [limit, setLimit] = useState(FIRST_BUTTONS)
  const sorted = options.toSorted((left, right) => ORDER.indexOf(left.kind) - ORDER.indexOf(right.kind)).slice(0, limit)
  const left = options.length - limit
  const names = optionNames(sorted, strings)
  const last = sorted.findLast(({ kind }) => kind === 'allow-once')
  return (
    <div className="cs-prompt-actions">
      {children}
      {sorted.map((option, index) => (
        <button
          key={option.id}
          type="button"
          className="cs-button cs-option-button"
          data-kind={option === last ? 'primary' : 'plain'}
          onClick={() => onTake(option)}
        >
          <OptionText name={names[index]} opensStep={option.kind === 'allow-always'} />
        </button>
      ))}
      {left > 0 && <ShowMore left={left} onShow={() => setLimit(limit + SHOWN_AT_FIRST)} />}
      {end}
    </div>
  )
}

interface OptionTextProps {
  readonly name: OptionName | undefined
  /** It is not taken yet, but shown with what it grants. */
  readonly opensStep?: boolean
}

/** What is written on an option: what it does, then what the agent calls it, as plain text that moves nothing around it. */
export function OptionText({ name, opensStep }: OptionTextProps): ReactNode {
  return (
    <>
      {name?.words !== undefined && (
        <span>
          {name.words}
          {opensStep && '…'}
        </span>
      )}{' '}
      {name?.label !== undefined && <bdi className={name.words && 'cs-option-label'}>{name.label}</bdi>}
    </>
  )
}

const LONGEST_LABEL = 80

/** Labels that name the kind of an option alone, as servers and adapters give them: the app has words for it. */
const PLAIN: Readonly<Partial<Record<PromptOption['kind'], RegExp>>> = {
  'allow-once': /^(allow|approve)$/i,
  'reject-once': /^(deny|reject)$/i,
}

/** What is written on an option. */
export interface OptionName {
  /** Its effect, worded by the app. Absent: it allows and rejects nothing. */
  readonly words: string | undefined
  /** The agent's label, on one line. Absent: same as the app's. */
  readonly label: string | undefined
}

/** The names of options, in the same order: no two are the same. The app words the effect of an option, independent of the agent's label. */
export function optionNames(options: readonly PromptOption[], strings: ApprovalStrings): readonly OptionName[] {
  const names = options.map((option) => nameOf(option, strings))
  const places = numberTwins(names.map(({ words = '', label = '' }) => `${words}\n${label}`))
  return names.map(({ words, label }, index) => {
    const place = places[index]
    return place === undefined ? { words, label } : { words, label: `${label ?? ''} (${place})`.trim() }
  })
}

/** The effect of choosing an option, worded by the app. */
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

/** For each text its place among those that look the same, from 1. Undefined: no other looks so. */
export function numberTwins(texts: readonly string[]): readonly (number | undefined)[] {
  const looks = texts.map((text) =>
    text
      .normalize('NFKC')
      .replaceAll(/[\u200C\u200D]/g, '')
      .toLowerCase(),
  )
  const counts = new Map<string, number>()
  for (const look of looks) counts.set(look, (counts.get(look) ?? 0) + 1)
  const seen = new Map<string, number>()
  return looks.map((look) => {
    if (counts.get(look) === 1) return undefined
    const place = (seen.get(look) ?? 0) + 1
    seen.set(look, place)
    return place
  })
}
