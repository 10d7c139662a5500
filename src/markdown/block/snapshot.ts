import { withItem } from './chunks.ts'
import { leadingDefinitions } from './definitions.ts'
import type { BlockState, Frame, ParagraphFrame } from './frame.ts'
import { LONGEST_HELD } from './hold-back.ts'
import { codeNode, footnoteNode, headingNode, itemNode, listNode, quoteNode, tableNode } from './nodes.ts'
import { takeTask } from './task.ts'
import { trimBlankEnd } from './trim-blanks.ts'
import { withFootnote } from './with-footnote.ts'
import type { Block, InlineSegment, ListItem, MarkdownRoot } from '../tree.ts'

/** Definitions are looked for in no longer text while it grows. */
const LONGEST_DEFINITIONS = 4096

/** A leaf whose text is not whole. */
export interface OpenLeaf {
  readonly key: number
  readonly column?: number
  /** How much of the leaf's text stands before what is shown. */
  readonly from: number
  readonly text: string
}

/** Who shows the text of what is open. */
export interface OpenLeaves {
  /** Text that more may follow. */
  growing(leaf: OpenLeaf): readonly InlineSegment[]
  /** Text that is whole. */
  whole(leaf: OpenLeaf): readonly InlineSegment[]
}

/** The tree of what is closed and of what is open. `between`: the last line is complete and no other is shown yet. */
export function snapshot(state: BlockState, leaves: OpenLeaves, between: boolean): MarkdownRoot {
  const { frames } = state
  let footnotes = state.footnotes
  let child: Block | ListItem | undefined
  for (let depth = frames.length - 1; depth > 0; depth--) {
    const frame = frames[depth]
    switch (frame?.type) {
      case 'quote':
        child = quoteNode(frame, withBlock(frame.children, child))
        break
      case 'list':
        child = listNode(frame, child?.type === 'item' ? withItem(frame.children, child) : frame.children)
        break
      case 'item': {
        const top = frames[depth + 1]
        const task = top?.type === 'paragraph' ? shownParagraph(top, between).task : undefined
        child = itemNode(task === undefined ? frame : { ...frame, task }, withBlock(frame.children, child))
        break
      }
      case 'footnote':
        if (frame.first) footnotes = withFootnote(footnotes, footnoteNode(frame, withBlock(frame.children, child)))
        child = undefined
        break
      default:
        child = frame === undefined ? undefined : leafNode(frame, leaves, between)
    }
  }
  const root = frames[0]
  return { children: root?.type === 'document' ? withBlock(root.children, child) : [], footnotes }
}

function withBlock(children: Parameters<typeof quoteNode>[1], child: Block | ListItem | undefined): Parameters<typeof quoteNode>[1] {
  return child === undefined || child.type === 'item' ? children : withItem(children, child)
}

function leafNode(frame: Frame, leaves: OpenLeaves, between: boolean): Block | undefined {
  switch (frame.type) {
    case 'paragraph': {
      const { text, from } = shownParagraph(frame, between)
      return text === '' ? undefined : { type: 'paragraph', key: frame.key, segments: leaves.growing({ key: frame.key, from: frame.cut + from, text }) }
    }
    case 'heading':
      return headingNode(frame, leaves.growing({ key: frame.key, from: 0, text: frame.text }))
    case 'table': {
      if (frame.open === undefined) return tableNode(frame, frame.rows)
      const { key, cells } = frame.open
      const row = { key, cells: frame.align.map((_, column) => {
        const text = cells[column]
        if (text === undefined) return { segments: [] }
        return { segments: leaves[column < cells.length - 1 ? 'whole' : 'growing']({ key, column, from: 0, text }) }
      }) }
      return tableNode(frame, withItem(frame.rows, row))
    }
    case 'fence':
    case 'html':
    case 'indented':
      return codeNode(frame, false)
    default:
      return undefined
  }
}

/** The text of an open paragraph without what may turn out not to be text of it. */
function shownParagraph(frame: ParagraphFrame, between: boolean): { readonly text: string; readonly from: number; readonly task?: ListItem['task'] } {
  // The head of a table, perhaps.
  let text = between && frame.bar ? trimBlankEnd(frame.text.slice(0, Math.max(0, frame.last - 1))) : frame.text
  let from = 0
  if (frame.defines !== false && text.length <= LONGEST_DEFINITIONS) {
    const { end, open } = leadingDefinitions(text)
    if (open && text.length - end <= LONGEST_HELD) return { text: '', from: end }
    from = end
    text = text.slice(end)
  }
  const { task, length } = from === 0 ? takeTask(frame, text) : { task: undefined, length: 0 }
  return { text: text.slice(length), from: from + length, task }
}
