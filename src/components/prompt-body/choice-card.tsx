'use client'

import { type ReactNode, forwardRef, useId, useState } from 'react'
import { usePromptStrings } from '../dictionary/prompt-strings-context.tsx'
import { type DecisionProps, DecisionRoot, useDecision, GrantStep } from './decision.tsx'
import { optionNames, type OptionName, OptionText } from './option-buttons.tsx'
import { SubjectTable, literalLabel } from '../literal-value.tsx'
import type { PromptOption } from '../../seam/prompt.ts'
import { SHOWN_AT_FIRST, ShowMore } from '../internals/folding.tsx'
import { submitOnClick } from '../internals/input-guards.ts'

const LONGEST_DESCRIPTION = 300

/** An option with its description. */
function OptionRow({
  option,
  name,
}: {
  readonly option: PromptOption
  readonly name: OptionName | undefined
}): ReactNode {
  return (
    <span className="cs-grow">
      <span className="cs-option-name">
        <OptionText name={name} opensStep={option.kind === 'allow-always'} />
      </span>
      {option.description && (
        <bdi className="cs-option-description">{literalLabel(option.description, LONGEST_DESCRIPTION)}</bdi>
      )}
    </span>
  )
}

export interface ChoiceCardProps extends DecisionProps {}

/** More options are a list to choose from and a button that sends. */
const MOST_BUTTONS = 4

/**
 * Renders a `<div>`: the options of a question. Up to four are buttons that answer; more are a list, and a button that sends what is
 * chosen in it. Labels and descriptions are plain text; two that look the same are numbered.
 *
 * @example
 * ```tsx
 * import { usePrompt } from 'capstan/react'
 * import { ChoiceCard } from 'capstan/components'
 *
 * export function Choice({ id }: { id: string }) {
 *   const controls = usePrompt(id)
 *   return controls && <ChoiceCard controls={controls} isReady isSending={false} decline={null} />
 * }
 * ```
 */
export const ChoiceCard = forwardRef<HTMLDivElement, ChoiceCardProps>(function ChoiceCard(props, ref): ReactNode {
  const { controls, decline } = props
  const strings = usePromptStrings()
  const decision = useDecision(props)
  const { subject, options = [] } = controls.prompt
  // More have names of their own in their list.
  const names = optionNames(options.slice(0, MOST_BUTTONS), strings.approval)
  return (
    <DecisionRoot {...props} ref={ref}>
      {subject && <SubjectTable subject={subject} label={strings.choice.subject} />}
      {decision.asked ? (
        <GrantStep option={decision.asked} decision={decision} />
      ) : options.length > MOST_BUTTONS ? (
        <ChoiceList options={options} onTake={decision.take}>
          {decline}
        </ChoiceList>
      ) : (
        <>
          {options.length === 0 && <p className="cs-cut">{strings.choice.none}</p>}
          {options.map((option, index) => (
            <button key={option.id} type="button" className="cs-option" onClick={() => decision.take(option)}>
              <OptionRow option={option} name={names[index]} />
            </button>
          ))}
          {decline && <div className="cs-prompt-actions">{decline}</div>}
        </>
      )}
    </DecisionRoot>
  )
})

interface ChoiceListProps {
  readonly options: readonly PromptOption[]
  readonly onTake: (option: PromptOption) => void
  /** Shown at the start of the row of actions. */
  readonly children?: ReactNode
}

/** Many options, of which one is chosen and then sent. */
function ChoiceList({ options, onTake, children }: ChoiceListProps): ReactNode {
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
