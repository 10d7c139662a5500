import { rareSyntax } from '../inline/rare-syntax.ts'
import { unescapeText } from '../inline/unescape-text.ts'
import { normalizeLabel } from '../tree/references.ts'
import type { BlockStack } from './block-stack.ts'
import {
  fenceStart,
  footnoteStart,
  headingStart,
  isThematicBreak,
  maybeBlockStart,
  takeListMarker,
  underlineLevel,
} from './block-starts.ts'
import { addCodeLine } from './code-lines.ts'
import { takeQuoteMarker } from './continue-frame.ts'
import type { ParagraphFrame, TableFrame } from './frame.ts'
import { addPiece, wholeText } from './leaf-text.ts'
import type { Line } from './line.ts'
import type { LineCursor } from './line-cursor.ts'
import { underlineParagraph } from './paragraph-lines.ts'
import { openTable } from './table-lines.ts'
import { trimBlanks } from './trim-blanks.ts'

/** A line behind the marks of the blocks it belongs to. */
export interface LineRest {
  readonly stack: BlockStack
  readonly cursor: LineCursor
  readonly line: Line
  /** How many of the open blocks stay when something begins. */
  readonly depth: number
  /** The paragraph that the line may go on, wherever it is. */
  readonly paragraph: ParagraphFrame | undefined
  /** The block that the line belongs to, if nothing begins. */
  readonly goesOn: ParagraphFrame | TableFrame | undefined
}

/** What began: a container has space for more on the same line. */
type Begun = 'container' | 'leaf' | undefined

/** Begins the block that begins at the cursor, if any does. */
export function startBlock(rest: LineRest): Begun {
  const { stack, cursor, line } = rest
  if (cursor.blank) return undefined
  if (cursor.indent >= 4) return rest.paragraph === undefined || stack.begun ? startIndented(rest) : undefined
  if (!maybeBlockStart(cursor)) return undefined
  const text = line.text.slice(cursor.next)
  return (
    startQuote(rest) ?? startLeaf(rest, text) ?? startFootnote(rest, text) ?? startItem(rest) ?? startTable(rest, text)
  )
}

function startIndented({ stack, cursor, line, depth }: LineRest): Begun {
  stack.begin(depth)
  stack.open({ type: 'indented', key: line.at + cursor.next, lines: [], blanks: undefined })
  cursor.skipColumns(4)
  addCodeLine(stack, cursor, line)
  return 'leaf'
}

function startQuote({ stack, cursor, line, depth }: LineRest): Begun {
  if (cursor.line.charAt(cursor.next) !== '>' || !stack.hasRoom(depth)) return undefined
  stack.begin(depth)
  stack.open({ type: 'quote', key: line.at + cursor.next, children: [] })
  takeQuoteMarker(cursor)
  return 'container'
}

function startLeaf({ stack, cursor, line, depth, paragraph, goesOn }: LineRest, text: string): Begun {
  const key = line.at + cursor.next
  const heading = headingStart(text)
  if (heading !== undefined) {
    stack.begin(depth)
    stack.open({ type: 'heading', key, ...heading, text: addPiece(undefined, heading.text) })
    if (line.complete) stack.close()
    return 'leaf'
  }
  const fence = fenceStart(text)
  const opened =
    fence !== undefined
      ? { fence, info: unescapeText(trimBlanks(text.slice(fence.length))), lines: [] }
      : line.complete && stack.leaves.math?.openBlock(text, key, () => (stack.begun ? '' : wholeText(paragraph?.text)))
  if (opened) {
    stack.begin(depth)
    stack.open({ type: 'fence', key, indent: cursor.indent, ...opened })
    return 'leaf'
  }
  const isText = stack.leaves.flavor === 'chat' && /^<\/?(?:br|sub|sup|kbd)[ />]/i.test(text)
  const syntax = text.startsWith('<') && !isText ? rareSyntax() : undefined
  const end = syntax ? syntax.htmlBlockEnd(text, paragraph !== undefined && !stack.begun) : null
  if (end !== null) {
    stack.begin(depth)
    stack.open({ type: 'html', key, end, lines: [] })
    addCodeLine(stack, cursor, line)
    return 'leaf'
  }
  if (goesOn?.type === 'paragraph' && !stack.begun) {
    const level = underlineLevel(text)
    if (level !== undefined && underlineParagraph(stack, goesOn, level)) return 'leaf'
  }
  if (!isThematicBreak(cursor)) return undefined
  stack.begin(depth)
  stack.add({ type: 'thematic-break', key })
  return 'leaf'
}

function startFootnote({ stack, cursor, line, depth }: LineRest, text: string): Begun {
  const footnote = footnoteStart(text)
  if (footnote === undefined || !stack.hasRoom(depth)) return undefined
  const label = normalizeLabel(footnote.label)
  stack.begin(depth)
  stack.open({
    type: 'footnote',
    key: line.at + cursor.next,
    label,
    first: stack.leaves.defineFootnote(label),
    children: [],
  })
  cursor.skipBlanks()
  cursor.skip(footnote.length)
  return 'container'
}

function startItem({ stack, cursor, line, depth, goesOn }: LineRest): Begun {
  if (!stack.hasRoom(depth)) return undefined
  const key = line.at + cursor.next
  const found = takeListMarker(cursor, goesOn?.type === 'paragraph' && !stack.begun)
  if (found === undefined) return undefined
  const { marker, ordered, start, indent } = found
  stack.begin(depth)
  if (stack.top?.type !== 'list' || stack.top.marker !== marker)
    stack.open({ type: 'list', key, marker, ordered, start, tight: true, children: [] })
  stack.open({ type: 'item', key, indent, empty: true, task: undefined, children: [] })
  return 'container'
}

function startTable({ stack, goesOn }: LineRest, text: string): Begun {
  return goesOn?.type === 'paragraph' && !stack.begun && openTable(stack, goesOn, text) ? 'leaf' : undefined
}
