import { usePack } from './use-pack.ts'

/** The words around formulas. */
export interface MathStrings {
  /** What a formula on a line of its own is, for assistive technology. */
  readonly formula: string
  /** What one is that cannot be shown, for assistive technology: its source is there instead. */
  readonly failed: string
  /** Why it cannot be shown, where it is longer than formulas may be, for assistive technology. */
  readonly tooLong: string
}

export const englishMath: MathStrings = {
  formula: 'Formula',
  failed: 'Formula that could not be shown',
  tooLong: 'It is too long.',
}

/** The words given, or those of the dictionary's language; in English where it has none. Undefined while they are fetched. */
export function useMathStrings(given: MathStrings | undefined): MathStrings | undefined {
  return usePack('math', englishMath, given)
}
