import type { Dictionary } from '../dictionary/dictionary.ts'
import { defaultStrings as strings } from '../dictionary/dictionary.ts'

/** The default strings of the components, with `lang` and `dir`: for pages in another language. */
export const english: Dictionary = { ...strings, language: { lang: 'en', dir: 'ltr' } }
