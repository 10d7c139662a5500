import type { BlockStack } from './block-stack.ts'
import { readDefinitions } from './read-definitions.ts'
import type { ParagraphFrame } from './frame.ts'
import { addPiece, wholeText } from './leaf-text.ts'
import type { Line } from './line.ts'
import type { LineCursor } from './line-cursor.ts'
import { headingNode } from './nodes.ts'
import { trimBlankEnd } from './trim-blanks.ts'
import type { ListItem } from '../tree/tree.ts'

/** Definitions in a longer text are looked for again only when it has doubled. */
const SHORT = 2000

/** A line that nothing else claims. */
export function openParagraph(stack: BlockStack, cursor: LineCursor, line: Line): void {
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
export function addParagraphLine(stack: BlockStack, frame: ParagraphFrame, cursor: LineCursor, line: Line): void {
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
export function underlineParagraph(stack: BlockStack, frame: ParagraphFrame, level: 1 | 2): boolean {
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
