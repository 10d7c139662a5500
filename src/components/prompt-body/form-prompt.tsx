'use client'
import type { ReactNode } from 'react'
import { forwardRef } from 'react'
import { usePromptStrings } from '../dictionary/prompt-strings-context.tsx'
import { SchemaForm } from '../schema-form/schema-form.tsx'
import type { DecisionProps } from './decision-root.tsx'
import { DecisionRoot } from './decision-root.tsx'
import { SubjectTable } from '../literal-value/subject-table.tsx'
import { UnknownPrompt } from './unknown-prompt.tsx'

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
