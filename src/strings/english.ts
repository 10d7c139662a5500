import type { Dictionary } from './dictionary.ts'
import { defaultStrings } from './dictionary.ts'

// In its own file: bundlers keep an object that is spread, used or not.
/** The default strings of the components, with `lang` and `dir`: for pages in another language. */
export const english: Dictionary = { ...defaultStrings, language: { lang: 'en', dir: 'ltr' } }
