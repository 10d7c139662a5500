'use client'
import type { ReactNode } from 'react'
import { useMemo } from 'react'
import type { FieldError, JsonSchema } from '../../seam/prompt.ts'
import { usePromptStrings } from '../dictionary/prompt-strings-context.tsx'
import { SchemaForm } from '../schema-form/schema-form.tsx'
import { editablePart, withEdits } from './input-changes.ts'

interface InputEditorProps {
  readonly editable: JsonSchema
  readonly input: unknown
  /** What the agent refused of the last edits. */
  readonly errors: readonly FieldError[] | undefined
  /** The user is done: nothing is sent yet. */
  readonly onEdit: (input: unknown) => void
  readonly onCancel: () => void
}

/** A form with what may be changed in an input. */
export function InputEditor({ editable, input, errors, onEdit, onCancel }: InputEditorProps): ReactNode {
  const strings = usePromptStrings().approval
  const initial = useMemo(() => editablePart(input, editable), [input, editable])
  return (
    <SchemaForm
      className="cs-input-editor"
      schema={editable}
      initial={initial}
      errors={errors}
      submitLabel={strings.review}
      onSubmit={(value) => onEdit(withEdits(input, editable, value))}
      onCancel={onCancel}
    />
  )
}
