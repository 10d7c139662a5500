import { rareSyntax } from '../inline/rare-syntax.ts'
import { unescapeText } from '../inline/unescape-text.ts'
import { normalizeLabel } from '../tree/references.ts'
import type { BlockStack } from './block-stack.ts'
import { addCodeLine } from './code-lines.ts'
import { takeQuoteMarker } from './continue-frame.ts'
import type { ParagraphFrame, TableFrame } from './frame.ts'
import { addPiece, wholeText } from './leaf-text.ts'
import type { Line } from './line.ts'
import type { LineCursor } from './line-cursor.ts'
import { underlineParagraph } from './paragraph-lines.ts'
import { openTable } from './table-lines.ts'
import { trimBlanks, isBlank, trimBlankEnd, trimBlankStart } from './trim-blanks.ts'

/** Characters with which something other than a paragraph can begin. */
const SPECIAL = /[#>`~<=*_+|:\d[$\\-]/

/** Whether a line that goes on like this may be more than text. */
function maybeBlockStart(cursor: LineCursor): boolean {
  return SPECIAL.test(cursor.line.charAt(cursor.next))
}

/** `***`, `- - -`. */
function isThematicBreak(cursor: LineCursor): boolean {
  const { line, next } = cursor
  const marker = line.charCodeAt(next)
  if (next < cursor.unbroken || (marker !== 42 && marker !== 45 && marker !== 95)) return false
  let count = 0
  let at = next
  for (; at < line.length; at++) {
    const code = line.charCodeAt(at)
    if (code === marker) count++
    else if (!isBlank(code)) break
  }
  if (at >= line.length && count >= 3) return true
  // The markers up to there begin lists, perhaps a hundred of them: none needs to look again.
  cursor.unbroken = at
  return false
}

/** `## text ##`. `gap`: what follows the text. */
function headingStart(
  line: string,
): { readonly level: 1 | 2 | 3 | 4 | 5 | 6; readonly text: string; readonly gap: string } | undefined {
  const marker = /^#{1,6}(?=[ \t]|$)/.exec(line)?.[0]
  if (marker === undefined) return undefined
  const whole = trimBlankStart(line.slice(marker.length))
  const text = withoutClosing(trimBlankEnd(whole))
  // The pattern takes one to six of them.
  return { level: marker.length as 1 | 2 | 3 | 4 | 5 | 6, text, gap: whole.slice(text.length) }
}

function withoutClosing(text: string): string {
  let end = text.length
  while (text.charCodeAt(end - 1) === 35) end--
  if (end === text.length || (end > 0 && !isBlank(text.charCodeAt(end - 1)))) return text
  return trimBlankEnd(text.slice(0, end))
}

/** The marks that open fenced code. */
function fenceStart(text: string): string | undefined {
  const fence = /^(?:`{3,}|~{3,})/.exec(text)?.[0]
  return fence === undefined || (fence.startsWith('`') && text.includes('`', fence.length)) ? undefined : fence
}

/** The level of the heading that `text` makes of the paragraph above it. */
function underlineLevel(text: string): 1 | 2 | undefined {
  if (!/^(?:=+|-+)[ \t]*$/.test(text)) return undefined
  return text.startsWith('=') ? 1 : 2
}

/** The label of the footnote that `text` begins, and its length with all around it. */
function footnoteStart(text: string): { readonly label: string; readonly length: number } | undefined {
  const match = /^\[\^((?:\\[[\\\]]|[^[\] \t]){1,999})\]:[ \t]*/.exec(text)
  return match?.[1] === undefined ? undefined : { label: match[1], length: match[0].length }
}

interface ListMarker {
  /** What all items of its list have. */
  readonly marker: string
  readonly ordered: boolean
  readonly start: number
  /** Columns that what belongs to the item is indented by. */
  readonly indent: number
}

/** Moves over a list marker and the blanks that belong to it. */
function takeListMarker(cursor: LineCursor, interruptsParagraph: boolean): ListMarker | undefined {
  const { line, next, indent } = cursor
  const digits = /^\d{1,9}(?=[.)])/.exec(line.slice(next, next + 10))?.[0]
  const length = (digits?.length ?? 0) + 1
  const marker = line.charAt(next + length - 1)
  if (digits === undefined && !/[*+-]/.test(marker)) return undefined
  const behind = line.charCodeAt(next + length)
  if (next + length < line.length && !isBlank(behind)) return undefined
  const start = digits === undefined ? 1 : Number(digits)
  if (interruptsParagraph && (start !== 1 || trimBlanks(line.slice(next + length)) === '')) return undefined

  cursor.skipBlanks()
  cursor.skip(length)
  const width = cursor.indent
  const blanks = cursor.blank || width > 4 ? 1 : width
  cursor.skipColumns(cursor.blank ? width : blanks)
  return { marker, ordered: digits !== undefined, start, indent: indent + length + blanks }
}

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
