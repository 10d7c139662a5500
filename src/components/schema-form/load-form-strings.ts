import type { SchemaFormStrings } from '../../strings/form.ts'
import { englishForm } from '../../strings/form.ts'
import { packOf } from '../dictionary/use-pack.ts'

/** The words of a form in a language. English where there are none, and where they could not be fetched. */
export async function loadFormStrings(language: string): Promise<SchemaFormStrings> {
  const pack = packOf(language)
  await pack?.load().catch(() => {})
  return pack?.get()?.form ?? englishForm
}
