'use client'
import { useEffect, useState } from 'react'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import type { SchemaFormStrings } from './schema-form-strings.ts'
import { englishForm } from './english-form.ts'

const loaders: Readonly<Record<string, () => Promise<SchemaFormStrings>>> = {
  ar: async () => (await import('./arabic-form.ts')).arabicForm,
  de: async () => (await import('./german-form.ts')).germanForm,
  zh: async () => (await import('./chinese-form.ts')).chineseForm,
}

/**
 * The words of a form: those given, or those of the dictionary's language, which are fetched on demand. Undefined while they are
 * fetched, so that no one reads a form in two languages. English where there are none.
 */
export function useFormStrings(given: SchemaFormStrings | undefined): SchemaFormStrings | undefined {
  const language = useDictionary().language.lang?.split('-')[0]?.toLowerCase() ?? ''
  const load = given === undefined && Object.hasOwn(loaders, language) ? loaders[language] : undefined
  const [loaded, setLoaded] = useState<{ readonly load: unknown; readonly strings: SchemaFormStrings }>()
  useEffect(() => {
    if (load === undefined) return undefined
    let isStale = false
    const use = (strings: SchemaFormStrings): void => {
      if (!isStale) setLoaded({ load, strings })
    }
    load().then(use, () => use(englishForm))
    return () => {
      isStale = true
    }
  }, [load])
  return given ?? (load === undefined ? englishForm : loaded?.load === load ? loaded?.strings : undefined)
}
