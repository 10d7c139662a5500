'use client'
import type { ReactNode } from 'react'
import { useState } from 'react'
import type { PromptOption } from '../../seam/prompt.ts'
import { SHOWN_AT_FIRST, ShowMore } from '../internals/show-more.tsx'
import { usePromptStrings } from '../dictionary/prompt-strings-context.tsx'
import { OptionText } from './option-text.tsx'
import { optionNames } from './option-names.ts'

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
