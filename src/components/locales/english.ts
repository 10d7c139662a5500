import type { Dictionary } from '../dictionary/dictionary.ts'
import { english as words } from '../dictionary/dictionary.ts'

/** The words the components have by themselves, with their language named: for pages in another one. */
export const english: Dictionary = { ...words, language: { lang: 'en', dir: 'ltr' } }
