'use client'
import type { ReactNode } from 'react'
import { forwardRef } from 'react'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import type { OnDemand } from '../on-demand.ts'
import { onDemand, useLoadAgain, useOnDemand } from '../on-demand.ts'
import type { FormCode, SchemaFormProps } from './form-body.tsx'

const inLanguages = new Map<string, OnDemand<FormCode>>()

/** The code of forms with their words in a language, so that no one sees a form in two languages, or in two steps. */
export function formIn(lang: string | undefined): OnDemand<FormCode> {
  const language = lang?.split('-')[0]?.toLowerCase() ?? ''
  const code =
    inLanguages.get(language) ?? onDemand(async () => (await import('./form-body.tsx')).loadFormCode(language))
  inLanguages.set(language, code)
  return code
}

/**
 * Renders a `<form>`: an input for each value that a JSON Schema asks for. Strings with formats, numbers, booleans, one or several of
 * a list, objects and variants as groups, lists of single values as rows, and anything else as JSON text. Errors are shown at their
 * field and in a summary; a validator, fetched with the first submission, checks the whole value before `onSubmit` gets it. Nothing
 * is rendered on a server, and until the code of the fields is fetched.
 *
 * @example
 * ```tsx
 * import { SchemaForm } from 'capstan/components'
 * import 'capstan/styles.css'
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
