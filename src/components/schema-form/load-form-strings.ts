import type { SchemaFormStrings } from './schema-form-strings.ts'
import { englishForm } from './english-form.ts'

const loaders: Readonly<Record<string, () => Promise<SchemaFormStrings>>> = {
  ar: async () => (await import('./arabic-form.ts')).arabicForm,
  de: async () => (await import('./german-form.ts')).germanForm,
  zh: async () => (await import('./chinese-form.ts')).chineseForm,
}

/** The words of a form in a language. English where there are none, and where they could not be fetched. */
export async function loadFormStrings(language: string): Promise<SchemaFormStrings> {
  const load = Object.hasOwn(loaders, language) ? loaders[language] : undefined
  try {
    return (await load?.()) ?? englishForm
  } catch {
    return englishForm
  }
}
