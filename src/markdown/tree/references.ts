import type { MathSyntax } from './math-syntax.ts'

/** What `[label]: url "title"` said. */
export interface LinkDefinition {
  /** Decoded and percent-encoded. */
  readonly url: string
  readonly title?: string
}

/** `commonmark`: CommonMark and GitHub's extensions to the letter. `chat`: what people mean who write in a chat, in any script. */
export type MarkdownFlavor = 'commonmark' | 'chat'

/**
 * Definitions of a message, by normalized label (`normalizeLabel`). An implementation can record labels that are not
 * defined.
 */
export interface References {
  /** What a link label stands for. */
  resolve(label: string): LinkDefinition | undefined
  /** Whether a footnote has the label, which is written without `^`. */
  isFootnote(label: string): boolean
  /** How formulas are written. Absent: there are none. */
  readonly math?: MathSyntax | undefined
  /** @default 'commonmark' */
  readonly flavor?: MarkdownFlavor | undefined
}

/** Two labels are the same when they are equal after this: case and the length of blanks do not count. */
export function normalizeLabel(label: string): string {
  return label
    .replace(/[ \t\r\n]+/g, ' ')
    .replace(/^ | $/g, '')
    .toLowerCase()
    .toUpperCase()
}

export interface LabelledDefinition extends LinkDefinition {
  readonly label: string
}

/** The definitions that a paragraph begins with. */
export interface LeadingDefinitions {
  readonly definitions: readonly LabelledDefinition[]
  /** Where the paragraph begins that follows them. */
  readonly end: number
  /** What follows may still turn out to belong to a definition, if more text comes. */
  readonly open: boolean
  /** Length of the text whose result no further text can change. */
  readonly settled: number
  /** How many of the definitions are settled. */
  readonly settledCount: number
}
