import type { SchemaFormStrings } from '../form-strings/schema-form-strings.ts'
import { englishForm } from '../form-strings/english-form.ts'
import { packOf } from '../language-pack/packs.ts'

/** The words of a form in a language. English where there are none, and where they could not be fetched. */
export async function loadFormStrings(language: string): Promise<SchemaFormStrings> {
  const pack = packOf(language)
  await pack?.load().catch(() => {})
  return pack?.get()?.form ?? englishForm
}
