import { useDictionary } from '../dictionary/dictionary-context.tsx'

/** The words around formulas. */
export interface MathStrings {
  /** What a formula on a line of its own is, for assistive technology. */
  readonly formula: string
  /** What one is that cannot be shown, for assistive technology: its source is there instead. */
  readonly failed: string
  /** Why it cannot be shown, where it is longer than formulas may be, for assistive technology. */
  readonly tooLong: string
}

const ENGLISH: MathStrings = {
  formula: 'Formula',
  failed: 'Formula that could not be shown',
  tooLong: 'It is too long.',
}

const STRINGS: Readonly<Record<string, MathStrings>> = {
  ar: { formula: 'صيغة رياضية', failed: 'صيغة رياضية تعذّر عرضها', tooLong: 'إنها طويلة جدًا.' },
  de: { formula: 'Formel', failed: 'Formel, die nicht angezeigt werden konnte', tooLong: 'Sie ist zu lang.' },
  zh: { formula: '公式', failed: '无法显示的公式', tooLong: '公式太长。' },
}

/** The words in the language of the dictionary; in English where it has another. */
export function useMathStrings(): MathStrings {
  const language = useDictionary().language.lang?.split('-')[0]?.toLowerCase() ?? ''
  return STRINGS[language] ?? ENGLISH
}
