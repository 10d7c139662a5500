import type { ComponentType, Ref } from 'react'
import type { OnDemand } from '../on-demand/on-demand.ts'
import { onDemand } from '../on-demand/on-demand.ts'
import type { SchemaFormStrings } from '../../strings/form.ts'
import type { SchemaFormProps } from './schema-form.tsx'

/** The fields of a form and their words, once they are loaded. */
export interface FormCode {
  readonly Body: ComponentType<
    SchemaFormProps & { readonly rootRef: Ref<HTMLFormElement>; readonly strings: SchemaFormStrings }
  >
  readonly strings: SchemaFormStrings
}

const inLanguages = new Map<string, OnDemand<FormCode>>()

/** The code of forms with their words in a language, so that no one sees a form in two languages, or in two steps. */
export function formIn(lang: string | undefined): OnDemand<FormCode> {
  const language = lang?.split('-')[0]?.toLowerCase() ?? ''
  const code =
    inLanguages.get(language) ?? onDemand(async () => (await import('./form-code.ts')).loadFormCode(language))
  inLanguages.set(language, code)
  return code
}
