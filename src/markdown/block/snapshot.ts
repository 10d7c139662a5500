import { withItem, addPiece, type LeafText, wholeText } from './leaves.ts'
import { readDefinitions } from './block-stack.ts'
import {
  type BlockState,
  type Frame,
  type ParagraphFrame,
  codeNode,
  footnoteNode,
  headingNode,
  itemNode,
  listNode,
  quoteNode,
  tableNode,
  withFootnote,
} from './frame.ts'
import { LONGEST_HELD_LINE, LONGEST_LABEL_HELD } from './pending-line.ts'
import type { Block, InlineSegment, ListItem, MarkdownRoot, Inline } from '../inline/tree.ts'

/** Definitions are looked for in no longer text while it grows. */
const LONGEST_DEFINITIONS = 4096

/** A leaf whose text is not whole. */
export interface OpenLeaf {
  readonly key: number
  readonly column?: number
  /** How much of the leaf's text is no longer in `text`. */
  readonly cut: number
  readonly text: LeafText
  /** How much of `text` is not shown. */
  readonly lead: number
}

/** Provides the inline content of open leaves. */
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
        const task = top?.type === 'paragraph' && shownParagraph(top, between) !== undefined ? top.task : undefined
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

function withBlock(
  children: Parameters<typeof quoteNode>[1],
  child: Block | ListItem | undefined,
): Parameters<typeof quoteNode>[1] {
  return child === undefined || child.type === 'item' ? children : withItem(children, child)
}

function leafNode(frame: Frame, leaves: OpenLeaves, between: boolean): Block | undefined {
  switch (frame.type) {
    case 'paragraph': {
      const leaf = shownParagraph(frame, between)
      return leaf === undefined ? undefined : { type: 'paragraph', key: frame.key, segments: leaves.growing(leaf) }
    }
    case 'heading':
      return headingNode(frame, leaves.growing({ key: frame.key, cut: 0, lead: 0, text: frame.text }))
    case 'table': {
      if (frame.open === undefined) return tableNode(frame, frame.rows)
      const { key, cells } = frame.open
      const row = {
        key,
        cells: frame.align.map((_, column) => {
          const text = cells[column]
          if (text === undefined) return { segments: [] }
          return {
            segments: leaves[column < cells.length - 1 ? 'whole' : 'growing']({ key, column, cut: 0, lead: 0, text }),
          }
        }),
      }
      return tableNode(frame, withItem(frame.rows, row))
    }
    case 'fence':
    case 'html':
    case 'indented':
      return codeNode(frame, false, between)
    default:
      return undefined
  }
}

/** The text of an open paragraph without what may turn out not to be text of it. */
function shownParagraph(frame: ParagraphFrame, between: boolean): OpenLeaf | undefined {
  const { key, cut, lead, defines } = frame
  // A line that begins with a pipe is the head of a table, perhaps.
  const text = between && frame.bar ? frame.above : frame.text
  // Above the line may be nothing but the box of a task, which is not a text of it.
  if (text === undefined || text.length < lead) return undefined
  if (defines === false || text.length > LONGEST_DEFINITIONS) return { key, cut, lead, text }
  const whole = wholeText(text)
  const { end, open } = readDefinitions(whole)
  const longest = whole.includes(']:', end) ? LONGEST_HELD_LINE : LONGEST_LABEL_HELD
  if (end === whole.length || (open && whole.length - end <= longest)) return undefined
  return end === 0
    ? { key, cut, lead, text }
    : { key, cut: cut + end, lead: 0, text: addPiece(undefined, whole.slice(end)) }
}

/** Whether both have the same content, regardless of how it is divided into segments. */
export function sameContent(one: readonly InlineSegment[], other: readonly InlineSegment[]): boolean {
  return contentOf(one) === contentOf(other)
}

function contentOf(segments: readonly InlineSegment[]): string {
  const joined: Inline[] = []
  for (const inline of segments.flatMap(({ children }) => children)) {
    const last = joined.at(-1)
    if (last?.type === 'text' && inline.type === 'text')
      joined[joined.length - 1] = { type: 'text', text: last.text + inline.text }
    else joined.push(inline)
  }
  return JSON.stringify(joined)
}
