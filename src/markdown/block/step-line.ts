import { BlockStack, readDefinitions } from './block-stack.ts'
import {
  type BlockState,
  type ParagraphFrame,
  type TableFrame,
  type FenceFrame,
  type Frame,
  headingNode,
} from './frame.ts'
import { type Leaves, addPiece, wholeText, withItem, withItems } from './leaves.ts'
import { type Line, LineCursor, trimBlanks, isBlank, trimBlankEnd, trimBlankStart } from './line-cursor.ts'
import { addTableRow, openTable } from './table-lines.ts'
import { rareSyntax, unescapeText } from '../inline/rare-syntax.ts'
import { normalizeLabel, type ListItem } from '../inline/tree.ts'

/** What is known after one more line. */
export function stepLine(before: BlockState, line: Line, leaves: Leaves): BlockState {
  const cursor = new LineCursor(line.text)
  const stack = new BlockStack(before, leaves)
  const depth = continuedDepth(stack, cursor)
  return stack.state(readRest(stack, cursor, line, depth))
}

/** How many of the open blocks a line belongs to; the cursor moves behind what says so. */
export function continuedDepth({ frames }: Pick<BlockState, 'frames'>, cursor: LineCursor): number {
  const depth = frames.findIndex((frame) => !continueFrame(frame, cursor))
  return depth < 0 ? frames.length : depth
}

/** Reads what is behind the marks of open blocks. The answer is the innermost container of a blank line, else -1. */
function readRest(stack: BlockStack, cursor: LineCursor, line: Line, depth: number): number {
  const tip = stack.top
  if (tip?.type === 'fence' && depth === stack.frames.length - 1 && isFenceEnd(tip, cursor)) {
    stack.close()
    return -1
  }
  const all = depth === stack.frames.length
  if (all && (tip?.type === 'fence' || tip?.type === 'html' || tip?.type === 'indented')) {
    addCodeLine(stack, cursor, line)
    return cursor.blank && tip.type === 'indented' ? depth - 2 : -1
  }
  const paragraph = tip?.type === 'paragraph' ? tip : undefined
  const goesOn = all && (tip?.type === 'paragraph' || tip?.type === 'table') ? tip : undefined
  const start = { stack, cursor, line, depth: goesOn === undefined ? depth : depth - 1, paragraph, goesOn }
  let begun = startBlock(start)
  while (begun === 'container') begun = startBlock(start)
  if (begun === 'leaf') return -1

  if (!stack.begun && paragraph !== undefined && !cursor.blank) {
    // Its own line, or one that lacks the marks of the containers around it.
    addParagraphLine(stack, paragraph, cursor, line)
    return -1
  }
  if (!stack.begun) stack.closeTo(depth)
  if (cursor.blank) return stack.begun ? -1 : stack.frames.length - 1
  if (!stack.begun && goesOn?.type === 'table') addTableRow(stack, goesOn, cursor, line)
  else openParagraph(stack, cursor, line)
  return -1
}

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
interface LineRest {
  readonly stack: BlockStack
  readonly cursor: LineCursor
  readonly line: Line
  /** How many of the open blocks stay when something begins. */
  readonly depth: number
  /** The paragraph that the line may continue, wherever it is. */
  readonly paragraph: ParagraphFrame | undefined
  /** The block that the line belongs to, if nothing begins. */
  readonly goesOn: ParagraphFrame | TableFrame | undefined
}

/** What began: a container has space for more on the same line. */
type Begun = 'container' | 'leaf' | undefined

/** Begins the block that begins at the cursor, if any does. */
function startBlock(rest: LineRest): Begun {
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

/** Whether a line belongs to an open block; moves over what says so. `ends`: it does and is its last. */
function continueFrame(frame: Frame, cursor: LineCursor): boolean {
  switch (frame.type) {
    case 'document':
    case 'list':
      return true
    case 'quote':
      if (cursor.indent >= 4 || cursor.line.charAt(cursor.next) !== '>') return false
      takeQuoteMarker(cursor)
      return true
    case 'item':
      return (!cursor.blank || !frame.empty) && takeColumns(cursor, frame.indent)
    case 'footnote':
      return takeColumns(cursor, 4)
    case 'paragraph':
    case 'table':
      return !cursor.blank
    case 'html':
      return frame.end !== undefined || !cursor.blank
    case 'indented':
      return takeColumns(cursor, 4)
    case 'fence':
      if (isFenceEnd(frame, cursor)) return false
      cursor.skipColumns(Math.min(frame.indent, cursor.indent))
      return true
    case 'heading':
      return false
  }
}

function takeQuoteMarker(cursor: LineCursor): void {
  cursor.skipBlanks()
  cursor.skip(1)
  if (cursor.atBlank) cursor.skipColumns(1)
}

/** Moves over the indentation, or over what there is of it on a blank line. */
function takeColumns(cursor: LineCursor, columns: number): boolean {
  if (cursor.indent < columns && !cursor.blank) return false
  cursor.skipColumns(Math.min(columns, cursor.indent))
  return true
}

/** Whether the line closes fenced code. */
function isFenceEnd({ fence }: FenceFrame, { line, next, indent }: LineCursor): boolean {
  if (indent >= 4 || !line.startsWith(fence, next)) return false
  let end = next + fence.length
  while (line.charAt(end) === fence.charAt(0)) end++
  return trimBlankEnd(line.slice(end)) === ''
}

/** Definitions in a longer text are looked for again only when it has doubled. */
const SHORT = 2000

/** A line that is no other block. */
function openParagraph(stack: BlockStack, cursor: LineCursor, line: Line): void {
  const key = line.at + cursor.next
  const { text, gap } = paragraphText(cursor)
  const bracket = text.startsWith('[')
  const opensItem = bracket && stack.top?.type === 'item' && stack.top.empty && stack.top.key >= line.at
  const box = opensItem ? boxOf(text) : { task: undefined, lead: 0 }
  const defines = bracket ? 0 : false
  stack.open({
    type: 'paragraph',
    key,
    text: addPiece(undefined, text),
    gap,
    above: undefined,
    lastKey: key,
    bar: text.startsWith('|'),
    cut: 0,
    defines,
    opensItem,
    ...box,
  })
}

/** One more line of the innermost block. */
function addParagraphLine(stack: BlockStack, frame: ParagraphFrame, cursor: LineCursor, line: Line): void {
  const { text, gap } = paragraphText(cursor)
  const box =
    frame.opensItem && frame.above === undefined && frame.lead === 0
      ? boxAbove(frame.text.piece, frame.gap)
      : { task: frame.task, lead: frame.lead }
  const added = {
    ...frame,
    ...box,
    text: addPiece(frame.text, `${frame.gap}\n${text}`),
    gap,
    above: frame.text,
    lastKey: line.at + cursor.next,
    bar: text.startsWith('|'),
  }
  stack.replaceTop(
    frame.defines === false || added.text.length < frame.defines ? added : settleDefinitions(stack, added),
  )
}

/** Makes a heading of the paragraph, unless it has no text but definitions. */
function underlineParagraph(stack: BlockStack, frame: ParagraphFrame, level: 1 | 2): boolean {
  if (frame.defines !== false && readDefinitions(wholeText(frame.text)).end === frame.text.length) return false
  const text = stack.takeDefinitions(frame)
  stack.frames.pop()
  stack.add(headingNode({ key: frame.key, level }, stack.leaves.close(text, stack.place(frame.key))))
  return true
}

function paragraphText(cursor: LineCursor): { readonly text: string; readonly gap: string } {
  const whole = cursor.line.slice(cursor.next)
  const text = trimBlankEnd(whole)
  return { text, gap: whole.slice(text.length) }
}

/** Hands on the definitions that no further line can change, so that a long row of them is not read again for each. */
function settleDefinitions(stack: BlockStack, frame: ParagraphFrame): ParagraphFrame {
  const whole = wholeText(frame.text)
  const { definitions, settledCount, settled, open, end } = readDefinitions(whole)
  for (const definition of definitions.slice(0, settledCount)) stack.leaves.define(definition)
  const left = whole.length - settled
  const defines = !open && end < whole.length ? false : left > SHORT ? left * 2 : 0
  if (settled === 0) return { ...frame, defines }
  // What is settled ends with a line, and never with the last.
  const above =
    (frame.above?.length ?? 0) > settled ? addPiece(undefined, whole.slice(settled, frame.above?.length)) : undefined
  const text = addPiece(above, whole.slice(settled + (above?.length ?? 0)))
  return { ...frame, text, above, cut: frame.cut + settled, defines }
}

/** The box a paragraph begins with, and how long it is with the blanks behind it. */
type TaskBoxMatch = Pick<ParagraphFrame, 'task' | 'lead'>

/** The box at the beginning of an item's first line. */
function boxOf(line: string): TaskBoxMatch {
  const match = /^\[([ \txX])\][ \t]+(?=[^ \t])/.exec(line)
  return match === null ? { task: undefined, lead: 0 } : { task: stateOf(match[1]), lead: match[0].length }
}

/** The box that is all of an item's first line; `gap` follows it before the next. */
function boxAbove(line: string, gap: string): TaskBoxMatch {
  const match = /^\[([ \txX])\]$/.exec(line)
  return match === null ? { task: undefined, lead: 0 } : { task: stateOf(match[1]), lead: line.length + gap.length + 1 }
}

function stateOf(mark: string | undefined): ListItem['task'] {
  return mark === 'x' || mark === 'X' ? 'done' : 'open'
}

/** A line of the innermost block, which is code or HTML. */
function addCodeLine(stack: BlockStack, cursor: LineCursor, line: Line): void {
  const frame = stack.top
  const added = { key: line.at + cursor.offset, text: cursor.rest() }
  if (frame?.type === 'indented') {
    if (cursor.blank) return stack.replaceTop({ ...frame, blanks: { before: frame.blanks, line: added } })
    const more = [added]
    for (let blank = frame.blanks; blank !== undefined; blank = blank.before) more.push(blank.line)
    stack.replaceTop({ ...frame, lines: withItems(frame.lines, more.toReversed()), blanks: undefined })
  } else if (frame?.type === 'fence') {
    const end = line.complete ? frame.end?.exec(added.text) : undefined
    const last = end ? { ...added, text: added.text.slice(0, end.index) } : added
    stack.replaceTop({ ...frame, lines: withItem(frame.lines, last) })
    if (end) stack.close()
  } else if (frame?.type === 'html') {
    stack.replaceTop({ ...frame, lines: withItem(frame.lines, added) })
    if (line.complete && frame.end?.test(added.text) === true) stack.close()
  }
}
