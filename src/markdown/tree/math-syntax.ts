import type { Chunks, CodeLine, Inline } from './tree.ts'

/** A formula as it was written. */
export type Formula = Extract<Inline, { readonly type: 'math' }>

/** What the first line of a formula on lines of its own says. It is a block of code with the language `math`. */
export interface FormulaFence {
  readonly info: 'math'
  /** A line of nothing but this closes it. */
  readonly fence: string
  /** So does a line that ends so. */
  readonly end: RegExp
  /** What is behind the mark on its line; none where nothing is. */
  readonly lines: Chunks<CodeLine>
}

/** How formulas are written. Without one a message has none: its text stays as it was written. */
export interface MathSyntax {
  /**
   * What is at `at`, a dollar sign or a backslash: a formula; most code units that may be held back, when more text has to decide;
   * undefined when no formula begins there.
   *
   * @param open The character behind the text is not known.
   */
  scan(text: string, at: number, open: boolean): Formula | number | undefined
  /**
   * What closes the formula that a whole line begins.
   *
   * @param line Its text from its first letter on.
   * @param key Where it begins in the message.
   * @param above The text of the paragraph that it would end.
   */
  openBlock(line: string, key: number, above: () => string): FormulaFence | undefined
}
