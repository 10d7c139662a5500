import { FormBody } from './form-body.tsx'
import { loadFormStrings } from './load-form-strings.ts'
import type { FormCode } from './lazy-form.ts'

/** What a page fetches for its forms. */
export async function loadFormCode(language: string): Promise<FormCode> {
  return { Body: FormBody, strings: await loadFormStrings(language) }
}
