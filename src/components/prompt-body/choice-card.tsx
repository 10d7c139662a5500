'use client'
import type { ReactNode } from 'react'
import { forwardRef } from 'react'
import { usePromptStrings } from '../dictionary/prompt-strings-context.tsx'
import { ChoiceList } from './choice-list.tsx'
import type { DecisionProps } from './decision-root.tsx'
import { DecisionRoot } from './decision-root.tsx'
import { GrantStep } from './grant-step.tsx'
import { optionNames } from './option-names.ts'
import { OptionRow } from './option-row.tsx'
import { SubjectTable } from '../literal-value/subject-table.tsx'
import { useDecision } from './use-decision.ts'

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
 * import { ChoiceCard } from 'capstan/prompts'
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
