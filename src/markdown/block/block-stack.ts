import { withItem, type LeafPlace, type Leaves, addPiece, type LeafText, wholeText } from './leaves.ts'
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
import type { Block, Footnote, InlineSegment, TableRow, LeadingDefinitions } from '../inline/tree.ts'
import { rareSyntax } from '../inline/rare-syntax.ts'

/** How many containers are in each other; the markers of more are text. */
const DEEPEST = 100

/** The open blocks while a line is read. */
export class BlockStack {
  readonly frames: Frame[]
  readonly leaves: Leaves
  /** A block has begun in this line. */
  begun = false
  private footnotes: readonly Footnote[]
  private readonly before: BlockState

  constructor(before: BlockState, leaves: Leaves) {
    this.before = before
    this.frames = [...before.frames]
    this.footnotes = before.footnotes
    this.leaves = leaves
  }

  get top(): Frame | undefined {
    return this.frames.at(-1)
  }

  /** Whether another container may be opened; in the first `depth` blocks, when it is the first of this line. */
  hasRoom(depth: number): boolean {
    const frames = this.begun ? this.frames : this.frames.slice(0, depth)
    return (
      frames.length <= DEEPEST ||
      frames.filter(({ type }) => type === 'quote' || type === 'item' || type === 'footnote').length < DEEPEST
    )
  }

  state(blank: number): BlockState {
    return { frames: this.frames, footnotes: this.footnotes, blank }
  }

  place(key: number): LeafPlace {
    return { key, home: this.frames.findLast((frame) => frame.type === 'footnote')?.key }
  }

  replaceTop(frame: Frame): void {
    this.frames[this.frames.length - 1] = frame
  }

  /** Closes the blocks that this line does not continue, before the first new block of the line. */
  begin(depth: number): void {
    if (!this.begun) this.closeTo(depth)
    this.begun = true
  }

  /** Opens a block in the innermost one that can hold it. */
  open(frame: Frame): void {
    this.makeWay(frame.type === 'item')
    this.frames.push(frame)
  }

  /** Adds a block that is whole already. */
  add(block: Block): void {
    this.makeWay(false)
    this.attach(block)
  }

  /** Closes blocks until `depth` are left. */
  closeTo(depth: number): void {
    while (this.frames.length > depth) this.close()
  }

  /** Passes on the definitions at the start of a paragraph and returns the rest of its text. */
  takeDefinitions(frame: ParagraphFrame): LeafText {
    if (frame.defines === false) return frame.text
    const whole = wholeText(frame.text)
    const { definitions, end } = readDefinitions(whole)
    for (const definition of definitions) this.leaves.define(definition)
    return end === 0 ? frame.text : addPiece(undefined, whole.slice(end))
  }

  closeRow(texts: readonly LeafText[], key: number, columns: number): TableRow {
    const place = this.place(key)
    const cells: { segments: readonly InlineSegment[] }[] = texts.map((text, column) => ({
      segments: this.leaves.close(text, { ...place, column }),
    }))
    while (cells.length < columns) cells.push({ segments: [] })
    return { key, cells }
  }

  /**
   * Closes a list that is not followed by an item. A block that follows another one after a blank line makes the list
   * around it loose.
   */
  private makeWay(forItem: boolean): void {
    if (this.top?.type === 'list' && !forItem) this.close()
    const depth = this.frames.length - 1
    const top = this.frames[depth]
    if (top?.type === 'item' && top.empty) this.frames[depth] = { ...top, empty: false }
    const { blank, frames } = this.before
    if (
      blank < depth ||
      frames[depth]?.key !== top?.key ||
      frames.slice(depth + 1, blank + 1).some((frame) => frame.type === 'quote')
    )
      return
    const at = top?.type === 'item' ? depth - 1 : depth
    const list = this.frames[at]
    if (list?.type === 'list' && list.tight) this.frames[at] = { ...list, tight: false }
  }

  /** Closes the innermost block. */
  close(): void {
    const frame = this.frames.pop()
    switch (frame?.type) {
      case 'paragraph':
        return this.closeParagraph(frame)
      case 'heading':
        return this.attach(headingNode(frame, this.leaves.close(frame.text, this.place(frame.key))))
      case 'fence':
      case 'indented':
      case 'html':
        return this.attach(codeNode(frame, true))
      case 'table':
        return this.attach(tableNode(frame, frame.rows))
      case 'quote':
        return this.attach(quoteNode(frame, frame.children))
      case 'list':
        return this.attach(listNode(frame, frame.children))
      case 'footnote':
        if (frame.first) this.footnotes = withFootnote(this.footnotes, footnoteNode(frame, frame.children))
        return
      case 'item': {
        const list = this.top
        if (list?.type === 'list')
          this.replaceTop({ ...list, children: withItem(list.children, itemNode(frame, frame.children)) })
        return
      }
      case 'document':
      case undefined:
    }
  }

  private closeParagraph(frame: ParagraphFrame): void {
    const text = this.takeDefinitions(frame)
    if (text.length === 0) return
    // Text after definitions has no task box.
    const { task, lead } = text === frame.text ? frame : { task: undefined, lead: 0 }
    const item = this.top
    if (task !== undefined && item?.type === 'item') this.replaceTop({ ...item, task })
    this.attach({ type: 'paragraph', key: frame.key, segments: this.leaves.close(text, this.place(frame.key), lead) })
  }

  private attach(block: Block): void {
    const top = this.top
    if (top?.type === 'document' || top?.type === 'quote' || top?.type === 'item' || top?.type === 'footnote') {
      this.replaceTop({ ...top, children: withItem(top.children, block) })
    }
  }
}

/** The state at the end of the message. */
export function closeAll(state: BlockState, leaves: Leaves): BlockState {
  const stack = new BlockStack(state, leaves)
  stack.closeTo(1)
  return stack.state(-1)
}

/** A label that is whole and not followed by a colon: whatever follows, it defines nothing. */
const NO_DEFINITION = /^\[(?:\\.|[^[\]\\])*\][^:]/s

const NONE: LeadingDefinitions = { definitions: [], end: 0, open: false, settled: 0, settledCount: 0 }

/** The link reference definitions that a paragraph begins with; none while what reads them is not here. */
export function readDefinitions(text: string): LeadingDefinitions {
  const syntax = NO_DEFINITION.test(text) ? undefined : rareSyntax()
  return syntax?.leadingDefinitions(text) ?? NONE
}
