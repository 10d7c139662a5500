import type { DictionaryOverrides } from 'capstan/components'

export type LanguageCode = 'en'

export interface PageLanguage {
  /** In the language itself. */
  readonly name: string
  readonly dir: 'ltr' | 'rtl'
  /** Absent: the words the kit has by itself. */
  readonly words?: DictionaryOverrides
}

/** What the chat can speak. The frame around it speaks English and turns with the direction. */
export const languages: Readonly<Record<LanguageCode, PageLanguage>> = {
  en: { name: 'English', dir: 'ltr' },
}

export function isLanguageCode(value: unknown): value is LanguageCode {
  return typeof value === 'string' && Object.hasOwn(languages, value)
}
