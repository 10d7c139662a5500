'use client'
import type { ReactNode } from 'react'
import { forwardRef, useImperativeHandle, useRef } from 'react'
import { usePromptStrings } from '../dictionary/prompt-strings-context.tsx'
import { ChangesTable } from './changes-table.tsx'
import type { DecisionProps } from './decision-root.tsx'
import { DecisionRoot } from './decision-root.tsx'
import { GrantStep } from './grant-step.tsx'
import { InputEditor } from './input-editor.tsx'
import { OptionButtons } from './option-buttons.tsx'
import { SubjectTable } from '../literal-value/subject-table.tsx'
import { useDecision } from './use-decision.ts'
import { useEdits } from './use-edits.ts'

export interface ApprovalCardProps extends DecisionProps {}

/**
 * Renders a `<div>`: what the agent wants to do, literally, and a button for each option. What a button does is said by the app, and
 * what the agent calls it beside that. An option that allows more than this one time shows what it grants before it can be taken. What may be
 * changed in the input is a form; the changes are shown as it was and as it is, and only then can they be allowed.
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
  const { subject, options = [], errors } = controls.prompt
  const { input, edits, changes, ...editing } = useEdits(subject)
  const decision = useDecision(props, edits)
  const root = useRef<HTMLDivElement>(null)
  // It is there whenever somebody reads the ref.
  useImperativeHandle(ref, () => root.current as HTMLDivElement)
  /** What had the focus is removed. */
  const keepFocus = (): void => root.current?.focus({ preventScroll: true })
  if (editing.isEditing && subject?.editable) {
    return (
      <DecisionRoot {...props} ref={root}>
        <InputEditor
          editable={subject.editable}
          input={input}
          errors={errors}
          onEdit={(value) => {
            keepFocus()
            editing.take(value)
          }}
          onCancel={() => {
            keepFocus()
            editing.leave()
          }}
        />
      </DecisionRoot>
    )
  }
  return (
    <DecisionRoot {...props} ref={root}>
      {subject && <SubjectTable subject={{ ...subject, input }} label={strings.action} />}
      {changes && <ChangesTable {...changes} />}
      {decision.asked ? (
        <GrantStep option={decision.asked} decision={decision} />
      ) : (
        <>
          {subject?.editable && (
            <p className="cs-edits">
              <button
                type="button"
                className="cs-button"
                data-kind="link"
                onClick={() => {
                  keepFocus()
                  editing.begin()
                }}
              >
                {strings.edit}
              </button>
              {changes && (
                <button
                  type="button"
                  className="cs-button"
                  data-kind="link"
                  onClick={() => {
                    keepFocus()
                    editing.discard()
                  }}
                >
                  {strings.discard}
                </button>
              )}
            </p>
          )}
          <OptionButtons options={options} onTake={decision.take}>
            {decline}
          </OptionButtons>
        </>
      )}
    </DecisionRoot>
  )
})
