import type { Block, Chunks, Footnote, InlineSegment, List, ListItem, Quote, TableRow } from '../tree/tree.ts'
import type {
  FenceFrame,
  FootnoteFrame,
  HeadingFrame,
  HtmlFrame,
  IndentedFrame,
  ItemFrame,
  ListFrame,
  QuoteFrame,
  TableFrame,
} from './frame.ts'

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
