import type { Dictionary } from 'capstan/components'
import { arabic, chinese, english, german } from 'capstan/locales'

export interface PageLanguage {
  /** In the language itself. */
  readonly name: string
  readonly dir: 'ltr' | 'rtl'
  readonly words: Dictionary
}

/** What the chat can speak. The frame around it speaks English and turns with the direction. */
export const languages = {
  en: { name: 'English', dir: 'ltr', words: english },
  de: { name: 'Deutsch', dir: 'ltr', words: german },
  ar: { name: 'العربية', dir: 'rtl', words: arabic },
  zh: { name: '中文', dir: 'ltr', words: chinese },
} as const satisfies Readonly<Record<string, PageLanguage>>

export type LanguageCode = keyof typeof languages

export function isLanguageCode(value: unknown): value is LanguageCode {
  return typeof value === 'string' && Object.hasOwn(languages, value)
}
