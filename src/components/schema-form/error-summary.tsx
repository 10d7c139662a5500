'use client'
import type { ReactNode } from 'react'
import { forwardRef, useId } from 'react'
import type { ShownError } from './form-context.ts'
import { useForm } from './form-context.ts'
import type { FormField } from './model/form-field.ts'
import { fieldAt } from './model/form-field.ts'
import { LONGEST_NAME, PlainText } from './plain-text.tsx'

interface ErrorSummaryProps {
  readonly form: FormField
  readonly errors: readonly ShownError[]
  /** Moves the focus to a field. */
  readonly onGo: (id: string) => void
}

/** All that is wrong, each leading to its field. What is wrong with the whole value is said only here. */
export const ErrorSummary = forwardRef<HTMLDivElement, ErrorSummaryProps>(function ErrorSummary(
  { form, errors, onGo },
  ref,
): ReactNode {
  const { strings } = useForm()
  const id = useId()
  const isWhole = (error: ShownError): boolean => error.id === '' && form.kind === 'group'
  const count = new Set(errors.filter((error) => !isWhole(error)).map((error) => error.id)).size
  return (
    <div ref={ref} className="cs-form-summary" role="group" aria-labelledby={id} tabIndex={-1}>
      <p id={id} className="cs-strong">
        {count > 0 ? strings.summary(count) : errors[0]?.text}
      </p>
      <ul className="cs-form-wrong">
        {errors.map((error) =>
          isWhole(error) ? (
            count > 0 && (
              <li key={error.text}>
                <bdi className="cs-form-text">{error.text}</bdi>
              </li>
            )
          ) : (
            <li key={`${error.id} ${error.text}`}>
              <button type="button" className="cs-button" data-kind="link" onClick={() => onGo(error.id)}>
                <PlainText text={fieldAt(form, error.id).label || strings.value} longest={LONGEST_NAME} />
              </button>
              <span>{': '}</span>
              <bdi className="cs-form-text">{error.text}</bdi>
            </li>
          ),
        )}
      </ul>
    </div>
  )
})
