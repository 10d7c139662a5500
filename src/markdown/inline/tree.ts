/** A stretch of text inside a block. Addresses are decoded and percent-encoded, and not checked for safety yet. */
export type Inline =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'softbreak' }
  | { readonly type: 'break' }
  | { readonly type: 'code'; readonly text: string }
  | { readonly type: 'emphasis' | 'strong' | 'strikethrough'; readonly children: readonly Inline[] }
  /** Lowered or raised text, or a key: of the flavor `chat` alone. */
  | { readonly type: 'sub' | 'sup' | 'kbd'; readonly children: readonly Inline[] }
  | {
      readonly type: 'link'
      readonly url: string
      readonly title?: string
      readonly children: readonly Inline[]
      /** Written without brackets: `https://…`. */ readonly bare?: true
    }
  | { readonly type: 'image'; readonly url: string; readonly title?: string; readonly alt: string }
  | { readonly type: 'footnote-reference'; /** Normalised. */ readonly label: string }
  | {
      readonly type: 'math'
      /** The formula without its marks. */ readonly text: string
      /** As written. */ readonly source: string
      /** On its own line. */ readonly display: boolean
    }
  | { readonly type: 'html'; /** As written: shown as text. */ readonly text: string }

/** A piece of a block's text. Settled ones never change and never become another object. */
export interface InlineSegment {
  /** Where it begins in the text of its block, in UTF-16 code units. */
  readonly key: number
  readonly children: readonly Inline[]
}

/** Part of a list, with at most 16 items, so that adding an item copies only one chunk. */
export interface Chunk<Item> {
  /** The key of its first item. */
  readonly key: number
  readonly items: readonly Item[]
}

export type Chunks<Item> = readonly Chunk<Item>[]

interface Node {
  /** Where the block begins in the message, counted so that it never changes while the message grows; ascending in document order. */
  readonly key: number
}

export interface Paragraph extends Node {
  readonly type: 'paragraph'
  readonly segments: readonly InlineSegment[]
}

export interface Heading extends Node {
  readonly type: 'heading'
  readonly level: 1 | 2 | 3 | 4 | 5 | 6
  readonly segments: readonly InlineSegment[]
}

export interface CodeLine extends Node {
  readonly text: string
}

/** Fenced or indented code. */
export interface Code extends Node {
  readonly type: 'code'
  /** What is behind the opening fence, decoded; empty for indented code. */
  readonly info: string
  /** The closing fence has come, or the block it is in has ended. */
  readonly closed: boolean
  /** Not closed, but the end of its last line has come. */
  readonly ended?: true
  readonly lines: Chunks<CodeLine>
}

/** Raw HTML: shown as text. */
export interface Html extends Node {
  readonly type: 'html'
  readonly lines: Chunks<CodeLine>
}

export interface ThematicBreak extends Node {
  readonly type: 'thematic-break'
}

export interface Quote extends Node {
  readonly type: 'quote'
  readonly children: Chunks<Block>
}

export interface List extends Node {
  readonly type: 'list'
  readonly ordered: boolean
  /** The number of the first item; 1 when not ordered. */
  readonly start: number
  /** No blank line is between its items or their blocks. May become false and true again while the list is open. */
  readonly tight: boolean
  readonly items: Chunks<ListItem>
}

export interface ListItem extends Node {
  readonly type: 'item'
  /** Its box, of a task. */
  readonly task?: 'open' | 'done' | undefined
  readonly children: Chunks<Block>
}

export interface TableCell {
  readonly segments: readonly InlineSegment[]
}

export interface TableRow extends Node {
  /** Fewer than the header's only beyond the limit of filled cells. */
  readonly cells: readonly TableCell[]
}

export interface Table extends Node {
  readonly type: 'table'
  /** One for each column. */
  readonly align: readonly ('left' | 'center' | 'right' | undefined)[]
  readonly head: TableRow
  readonly rows: Chunks<TableRow>
}

export type Block = Paragraph | Heading | Code | Html | ThematicBreak | Quote | List | Table

/** What a footnote says. It is beside the text and not in it. */
export interface Footnote extends Node {
  /** Normalised. */
  readonly label: string
  readonly children: Chunks<Block>
}

/** A message, as far as it has come. What did not change is the same object as before. */
export interface MarkdownRoot {
  readonly children: Chunks<Block>
  /** In the order they were written; of two with one label the first. */
  readonly footnotes: readonly Footnote[]
}

/** A formula as it was written. */
export type Formula = Extract<Inline, { readonly type: 'math' }>

/** What the first line of a formula on its own lines says. It is a block of code with the language `math`. */
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

/** The content of `[label]: url "title"`. */
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
