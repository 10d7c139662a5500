import { useDictionary } from '../dictionary/dictionary-context.tsx'

/** The words around formulas. */
export interface MathStrings {
  /** What a formula on a line of its own is, for assistive technology. */
  readonly formula: string
  /** What one is that cannot be shown, for assistive technology: its source is there instead. */
  readonly failed: string
}

const ENGLISH: MathStrings = { formula: 'Formula', failed: 'Formula that could not be shown' }

const STRINGS: Readonly<Record<string, MathStrings>> = {
  ar: { formula: 'صيغة رياضية', failed: 'صيغة رياضية تعذّر عرضها' },
  de: { formula: 'Formel', failed: 'Formel, die nicht angezeigt werden konnte' },
  zh: { formula: '公式', failed: '无法显示的公式' },
}

/** The words in the language of the dictionary; in English where it has another. */
export function useMathStrings(): MathStrings {
  const language = useDictionary().language.lang?.split('-')[0]?.toLowerCase() ?? ''
  return STRINGS[language] ?? ENGLISH
}
