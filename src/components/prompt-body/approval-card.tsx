'use client'
import type { ReactNode } from 'react'
import { forwardRef } from 'react'
import { usePromptStrings } from '../prompt-strings/prompt-strings-context.tsx'
import type { DecisionProps } from './decision-root.tsx'
import { DecisionRoot } from './decision-root.tsx'
import { GrantStep } from './grant-step.tsx'
import { OptionButtons } from './option-buttons.tsx'
import { SubjectTable } from './subject-table.tsx'
import { useDecision } from './use-decision.ts'

export interface ApprovalCardProps extends DecisionProps {}

/**
 * Renders a `<div>`: what the agent wants to do, literally, and a button for each option. What a button does is said by the app, and
 * what the agent calls it beside that. An option that allows more than this one time shows what it grants before it can be taken.
 *
 * @example
 * ```tsx
 * import { usePrompt } from 'capstan/react'
 * import { ApprovalCard } from 'capstan/prompts'
 *
 * export function Approval({ id }: { id: string }) {
 *   const controls = usePrompt(id)
 *   return controls && <ApprovalCard controls={controls} isReady isSending={false} decline={null} />
 * }
 * ```
 */
export const ApprovalCard = forwardRef<HTMLDivElement, ApprovalCardProps>(function ApprovalCard(props, ref): ReactNode {
  const { controls, decline } = props
  const strings = usePromptStrings().approval
  const decision = useDecision(props)
  const { subject, options = [] } = controls.prompt
  return (
    <DecisionRoot {...props} ref={ref}>
      {subject && <SubjectTable subject={subject} label={strings.action} />}
      {decision.asked ? (
        <GrantStep option={decision.asked} decision={decision} />
      ) : (
        <OptionButtons options={options} onTake={decision.take}>
          {decline}
        </OptionButtons>
      )}
    </DecisionRoot>
  )
})
