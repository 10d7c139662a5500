'use client'

import { type ReactNode, forwardRef } from 'react'
import { usePromptStrings } from '../dictionary/prompt-strings-context.tsx'
import { SchemaForm } from '../schema-form/schema-form.tsx'
import { type DecisionProps, DecisionRoot } from './decision.tsx'
import { SubjectTable, LiteralValue } from '../literal-value.tsx'
import type { Prompt } from '../../seam/prompt.ts'
import { FoldSummary } from '../internals/folding.tsx'

export interface FormPromptProps extends DecisionProps {}

/**
 * Renders a `<div>`: a form for the values that the agent asks for. What was entered outlives a reload of the tab, and what the agent
 * refuses is shown at its field. A form without a schema can only be declined.
 *
 * @example
 * ```tsx
 * import { usePrompt } from 'capstan/react'
 * import { FormPrompt } from 'capstan/components'
 *
 * export function Form({ id }: { id: string }) {
 *   const controls = usePrompt(id)
 *   return controls && <FormPrompt controls={controls} isReady isSending={false} decline={null} />
 * }
 * ```
 */
export const FormPrompt = forwardRef<HTMLDivElement, FormPromptProps>(function FormPrompt(props, ref): ReactNode {
  const { controls, isReady, isSending, decline } = props
  const strings = usePromptStrings()
  const { id, schema, initial, subject, errors } = controls.prompt
  if (schema === undefined) return <UnknownPrompt {...props} ref={ref} />
  return (
    <DecisionRoot
      {...props}
      ref={ref}
      onSubmitCapture={(event) => {
        // The values are checked first, which may take a while: what counts is whether it was ready when the user sent them.
        if (isReady) return props.onSubmitCapture?.(event)
        event.preventDefault()
        event.stopPropagation()
      }}
    >
      {subject && <SubjectTable subject={subject} label={strings.choice.subject} />}
      <SchemaForm
        schema={schema}
        initial={initial}
        errors={errors}
        disabled={isSending}
        draftKey={`prompt:${id}`}
        submitLabel={strings.choice.send}
        onSubmit={(value) => void controls.submit(value)}
      >
        {decline}
      </SchemaForm>
    </DecisionRoot>
  )
})

export interface UnknownPromptProps extends DecisionProps {}

const FIRST_CHARACTERS = 4_000

/**
 * Renders a `<div>`: says that this kind of question is not known here and can only be declined, with what the agent sent as JSON
 * behind it.
 *
 * @example
 * ```tsx
 * import { usePrompt } from 'capstan/react'
 * import { UnknownPrompt } from 'capstan/components'
 *
 * export function Unknown({ id }: { id: string }) {
 *   const controls = usePrompt(id)
 *   const decline = <button onClick={() => void controls?.decline()}>Decline</button>
 *   return controls && <UnknownPrompt controls={controls} isReady isSending={false} decline={decline} />
 * }
 * ```
 */
export const UnknownPrompt = forwardRef<HTMLDivElement, UnknownPromptProps>(
  function UnknownPrompt(props, ref): ReactNode {
    const { controls, decline } = props
    const strings = usePromptStrings().unknown
    return (
      <DecisionRoot {...props} ref={ref}>
        <p>{strings.text}</p>
        <details className="cs-fold">
          <FoldSummary label={strings.sent} />
          <div className="cs-fold-body">
            <LiteralValue value={sentOf(controls.prompt)} limit={FIRST_CHARACTERS} />
          </div>
        </details>
        {decline && <div className="cs-prompt-actions">{decline}</div>}
      </DecisionRoot>
    )
  },
)

/** The schema, or the agent's data of a prompt without one. */
function sentOf({ schema, subject, options, url }: Prompt): unknown {
  return schema ?? { ...(subject && { subject }), ...(options && { options }), ...(url !== undefined && { url }) }
}
