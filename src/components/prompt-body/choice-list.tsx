'use client'
import type { ReactNode } from 'react'
import { useId, useState } from 'react'
import type { PromptOption } from '../../seam/prompt.ts'
import { SHOWN_AT_FIRST, ShowMore } from '../internals/show-more.tsx'
import { usePromptStrings } from '../dictionary/prompt-strings-context.tsx'
import { submitOnClick } from '../internals/forms/submit-on-click.ts'
import { optionNames } from './option-names.ts'
import { OptionRow } from './option-row.tsx'

interface ChoiceListProps {
  readonly options: readonly PromptOption[]
  readonly onTake: (option: PromptOption) => void
  /** Shown at the start of the row of actions. */
  readonly children?: ReactNode
}

/** Many options, of which one is chosen and then sent. */
export function ChoiceList({ options, onTake, children }: ChoiceListProps): ReactNode {
  const { choice: strings, approval } = usePromptStrings()
  const group = useId()
  const [chosen, setChosen] = useState<string>()
  const [limit, setLimit] = useState(SHOWN_AT_FIRST)
  const left = options.length - limit
  const seen = options.slice(0, limit)
  const names = optionNames(seen, approval)
  return (
    <form
      className="cs-choice"
      onSubmit={(event) => {
        event.preventDefault()
        const option = options.find(({ id }) => id === chosen)
        if (option) onTake(option)
      }}
    >
      <fieldset className="cs-choice-list">
        <legend className="cs-hidden">{strings.options}</legend>
        {seen.map((option, index) => (
          <label key={option.id} className="cs-option">
            <input
              type="radio"
              className="cs-choice-mark"
              name={group}
              required
              checked={chosen === option.id}
              onChange={() => setChosen(option.id)}
            />
            <OptionRow option={option} name={names[index]} />
          </label>
        ))}
        {left > 0 && <ShowMore left={left} onShow={() => setLimit(limit + SHOWN_AT_FIRST)} />}
      </fieldset>
      <div className="cs-prompt-actions">
        {children}
        <button type="submit" className="cs-button" data-kind="primary" onClick={submitOnClick}>
          {strings.send}
        </button>
      </div>
    </form>
  )
}
