import type { LeafText } from './leaf-text.ts'
import type { Block, Chunks, CodeLine, Footnote, ListItem, Table, TableRow } from '../tree/tree.ts'

interface Begun {
  readonly key: number
}

interface Holder extends Begun {
  /** What is closed. */
  readonly children: Chunks<Block>
}

export interface DocumentFrame extends Holder {
  readonly type: 'document'
}

export interface QuoteFrame extends Holder {
  readonly type: 'quote'
}

export interface FootnoteFrame extends Holder {
  readonly type: 'footnote'
  readonly label: string
  /** No other was defined by this label before. */
  readonly first: boolean
}

export interface ListFrame extends Begun {
  readonly type: 'list'
  readonly children: Chunks<ListItem>
  /** The character of its markers: another begins another list. */
  readonly marker: string
  readonly ordered: boolean
  readonly start: number
  readonly tight: boolean
}

export interface ItemFrame extends Holder {
  readonly type: 'item'
  /** Columns that what belongs to it is indented by. */
  readonly indent: number
  /** Nothing has followed its marker yet: a blank line ends it. */
  readonly empty: boolean
  readonly task: ListItem['task']
}

export interface ParagraphFrame extends Begun {
  readonly type: 'paragraph'
  /** Without the blanks before its lines and at its end. */
  readonly text: LeafText
  /** The blanks behind the text. */
  readonly gap: string
  /** The text above its last line. */
  readonly above: LeafText | undefined
  /** Where its last line begins, in the message. */
  readonly lastKey: number
  /** Its last line begins with a pipe. */
  readonly bar: boolean
  /** How much of its text is no longer here: definitions that nothing can change. */
  readonly cut: number
  /** Whether it may begin with a definition, and how long it must be before it is worth looking again. */
  readonly defines: false | number
  /** Opens an item with a bracket, so it may begin with the box of a task. */
  readonly opensItem: boolean
  readonly task: ListItem['task']
  /** How much of its text is the box. */
  readonly lead: number
}

export interface HeadingFrame extends Begun {
  readonly type: 'heading'
  readonly level: 1 | 2 | 3 | 4 | 5 | 6
  readonly text: LeafText
  /** What follows the text on its line: blanks, and marks that close it. */
  readonly gap: string
}

export interface FenceFrame extends Begun {
  readonly type: 'fence'
  readonly info: string
  readonly fence: string
  /** What else ends it, at the end of a line. */
  readonly end?: RegExp
  /** Columns that are taken from the beginning of every line. */
  readonly indent: number
  readonly lines: Chunks<CodeLine>
}

export interface IndentedFrame extends Begun {
  readonly type: 'indented'
  readonly lines: Chunks<CodeLine>
  /** Blank lines that belong to it if it goes on, the last first. */
  readonly blanks: BlankLine | undefined
}

export interface BlankLine {
  readonly before: BlankLine | undefined
  readonly line: CodeLine
}

export interface HtmlFrame extends Begun {
  readonly type: 'html'
  /** What ends it; a blank line where there is none. */
  readonly end: RegExp | undefined
  readonly lines: Chunks<CodeLine>
}

export interface TableFrame extends Begun {
  readonly type: 'table'
  readonly align: Table['align']
  readonly head: TableRow
  readonly rows: Chunks<TableRow>
  /** Cells that rows did not have. */
  readonly filled: number
  /** The row of an unfinished line. */
  readonly open: OpenRow | undefined
}

export interface OpenRow extends Begun {
  readonly cells: readonly LeafText[]
  /** The blanks behind the last cell's text. */
  readonly gap: string
  /** The pipe behind the last cell has come. */
  readonly closed: boolean
}

export type LeafFrame = ParagraphFrame | HeadingFrame | FenceFrame | IndentedFrame | HtmlFrame | TableFrame
export type ContainerFrame = DocumentFrame | QuoteFrame | FootnoteFrame | ListFrame | ItemFrame

/** A block that is still open. */
export type Frame = ContainerFrame | LeafFrame

/** What is known after some lines. Nothing in it ever changes; a line makes another. */
export interface BlockState {
  /** From the document down to the innermost open block. */
  readonly frames: readonly Frame[]
  /** Closed ones, by their keys. */
  readonly footnotes: readonly Footnote[]
  /** The innermost container that the line before belongs to, if that line was blank; else -1. */
  readonly blank: number
}

export const EMPTY_BLOCK_STATE: BlockState = {
  frames: [{ type: 'document', key: 0, children: [] }],
  footnotes: [],
  blank: -1,
}
