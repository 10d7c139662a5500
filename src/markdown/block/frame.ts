import type { LeafText } from './leaves.ts'
import type {
  Block,
  Chunks,
  CodeLine,
  Footnote,
  ListItem,
  Table,
  TableRow,
  InlineSegment,
  List,
  Quote,
} from '../inline/tree.ts'

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

interface QuoteFrame extends Holder {
  readonly type: 'quote'
}

interface FootnoteFrame extends Holder {
  readonly type: 'footnote'
  readonly label: string
  /** No other was defined by this label before. */
  readonly first: boolean
}

interface ListFrame extends Begun {
  readonly type: 'list'
  readonly children: Chunks<ListItem>
  /** The character of its markers: another begins another list. */
  readonly marker: string
  readonly ordered: boolean
  readonly start: number
  readonly tight: boolean
}

interface ItemFrame extends Holder {
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

interface HeadingFrame extends Begun {
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

interface IndentedFrame extends Begun {
  readonly type: 'indented'
  readonly lines: Chunks<CodeLine>
  /** Blank lines that belong to it if it continues, the last first. */
  readonly blanks: BlankLine | undefined
}

export interface BlankLine {
  readonly before: BlankLine | undefined
  readonly line: CodeLine
}

interface HtmlFrame extends Begun {
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

/** What a container is with these children. */
export function quoteNode(frame: QuoteFrame, children: Chunks<Block>): Quote {
  return { type: 'quote', key: frame.key, children }
}

export function listNode({ key, ordered, start, tight }: ListFrame, items: Chunks<ListItem>): List {
  return { type: 'list', key, ordered, start, tight, items }
}

export function itemNode({ key, task }: ItemFrame, children: Chunks<Block>): ListItem {
  return task === undefined ? { type: 'item', key, children } : { type: 'item', key, task, children }
}

export function footnoteNode({ key, label }: FootnoteFrame, children: Chunks<Block>): Footnote {
  return { key, label, children }
}

/** What a leaf without inline content is so far. */
export function codeNode(frame: FenceFrame | IndentedFrame | HtmlFrame, closed: boolean, ended = false): Block {
  const { key, lines } = frame
  if (frame.type === 'html') return { type: 'html', key, lines }
  return { type: 'code', key, info: frame.type === 'fence' ? frame.info : '', closed, ...(ended && { ended }), lines }
}

export function headingNode(
  { key, level }: Pick<HeadingFrame, 'key' | 'level'>,
  segments: readonly InlineSegment[],
): Block {
  return { type: 'heading', key, level, segments }
}

export function tableNode({ key, align, head }: TableFrame, rows: Chunks<TableRow>): Block {
  return { type: 'table', key, align, head, rows }
}

/** In the order of their keys. */
export function withFootnote(footnotes: readonly Footnote[], footnote: Footnote): readonly Footnote[] {
  if ((footnotes.at(-1)?.key ?? -1) < footnote.key) return [...footnotes, footnote]
  const after = footnotes.findLastIndex((other) => other.key < footnote.key) + 1
  return [...footnotes.slice(0, after), footnote, ...footnotes.slice(after)]
}
