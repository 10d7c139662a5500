'use client'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { forwardRef } from 'react'
import type { FieldError, JsonSchema } from '../../seam/prompt.ts'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import type { RenderRoot } from '../internals/part.ts'
import type { FormDrafts } from './form-drafts.ts'
import { useLoadAgain, useOnDemand } from '../on-demand/on-demand.ts'
import { formIn } from './lazy-form.ts'
import type { SchemaFormStrings } from '../../strings/form.ts'

/** Whether a form can be filled in, its values are being checked, or it is disabled. */
export type SchemaFormStatus = 'ready' | 'checking' | 'disabled'

export interface SchemaFormProps extends Omit<ComponentPropsWithoutRef<'form'>, 'onSubmit' | 'action' | 'method'> {
  /** The schema of the value. Untrusted. Keep the object stable: another one is another form. */
  readonly schema: JsonSchema
  /** The value to begin with, over the defaults of the schema. Another one is another form. Absent: only the defaults. */
  readonly initial?: unknown
  /** The user submitted a value. It fits the schema, as far as that could be checked on this page. */
  readonly onSubmit: (value: unknown) => void
  /** The user does not want to fill it in. Absent: no button. */
  readonly onCancel?: (() => void) | undefined
  /**
   * What the agent refused of the value that was submitted last, shown at its fields. The first one gets the focus. Keep the array
   * stable: another one is another refusal. Absent: nothing.
   */
  readonly errors?: readonly FieldError[] | undefined
  /** Nothing can be entered or submitted, such as while an answer is sent. @default false */
  readonly disabled?: boolean | undefined
  /** Name of the button that submits. @default the strings' "Submit" */
  readonly submitLabel?: string | undefined
  /** Keeps what was entered under this key, until it is submitted. Absent: nothing is stored. */
  readonly draftKey?: string | undefined
  /** Where drafts are stored; fields of secrets are never stored. @default the session storage of the tab */
  readonly drafts?: FormDrafts | undefined
  /** Words in another language than that of the dictionary. @default those of the dictionary's language, fetched on demand */
  readonly strings?: SchemaFormStrings | undefined
  /** More buttons, before the one that submits. Absent: none. */
  readonly children?: ReactNode
  /** Replaces the root element; receives the props to spread and the part's state. @default the part's root element */
  readonly render?: RenderRoot<{ readonly status: SchemaFormStatus }> | undefined
}

/**
 * Renders a `<form>`: an input for each value that a JSON Schema asks for. Strings with formats, numbers, booleans, one or several of
 * a list, objects and variants as groups, lists of single values as rows, and anything else as JSON text. What is wrong is said at its
 * field and in a summary; a validator, fetched with the first submission, checks the whole value before `onSubmit` gets it. Nothing
 * is rendered on a server, and until the code of the fields is fetched.
 *
 * @example
 * ```tsx
 * import { SchemaForm } from 'capstan/prompts'
 * import 'capstan/prompts.css'
 *
 * const schema = { type: 'object', properties: { email: { type: 'string', format: 'email' } }, required: ['email'] }
 *
 * export function Subscribe({ onEmail }: { onEmail: (value: unknown) => void }) {
 *   return <SchemaForm schema={schema} onSubmit={onEmail} submitLabel="Subscribe" />
 * }
 * ```
 */
export const SchemaForm = forwardRef<HTMLFormElement, SchemaFormProps>(function SchemaForm(props, ref): ReactNode {
  const dictionary = useDictionary()
  const form = formIn(props.strings === undefined ? dictionary.language.lang : undefined)
  const code = useOnDemand(form, true)
  const loadAgain = useLoadAgain(form, true)
  if (code) return <code.Body {...props} strings={props.strings ?? code.strings} rootRef={ref} />
  return loadAgain ? (
    <div className="cs-part cs-status-row" data-tone="caution" role="alert">
      <p className="cs-status-row-words">{dictionary.media.failed}</p>
      <button type="button" className="cs-button" data-kind="link" onClick={loadAgain}>
        {dictionary.ending.tryAgain}
      </button>
      {props.children}
    </div>
  ) : null
})
