import type { BlockStack } from './block-stack.ts'
import { leadingDefinitions } from './definitions.ts'
import type { ParagraphFrame } from './frame.ts'
import type { Line } from './line.ts'
import type { LineCursor } from './line-cursor.ts'
import { headingNode } from './nodes.ts'
import { trimBlankEnd } from './trim-blanks.ts'

/** Definitions in a longer text are looked for again only when it has doubled. */
const SHORT = 2000

/** A line that nothing else claims. */
export function openParagraph(stack: BlockStack, cursor: LineCursor, line: Line): void {
  const key = line.at + cursor.next
  const { text, gap } = textOf(cursor)
  const bracket = text.startsWith('[')
  const opensItem = bracket && stack.top?.type === 'item' && stack.top.empty && stack.top.key >= line.at
  stack.open({ type: 'paragraph', key, text, gap, last: 0, lastKey: key, cut: 0, defines: bracket ? 0 : false, bar: text.startsWith('|'), opensItem })
}

/** One more line of the innermost block. */
export function addParagraphLine(stack: BlockStack, frame: ParagraphFrame, cursor: LineCursor, line: Line): void {
  const { text, gap } = textOf(cursor)
  const before = `${frame.text}${frame.gap}\n`
  stack.replaceTop(settleDefinitions(stack, { ...frame, text: before + text, gap, last: before.length, lastKey: line.at + cursor.next, bar: text.startsWith('|') }))
}

/** Makes a heading of the paragraph, unless it has no text but definitions. */
export function underlineParagraph(stack: BlockStack, frame: ParagraphFrame, level: 1 | 2): boolean {
  const text = frame.defines === false ? frame.text : frame.text.slice(leadingDefinitions(frame.text).end)
  if (text === '') return false
  stack.takeDefinitions(frame)
  stack.frames.pop()
  stack.add(headingNode({ key: frame.key, level }, stack.leaves.close(text, stack.place(frame.key))))
  return true
}

function textOf(cursor: LineCursor): { readonly text: string; readonly gap: string } {
  const whole = cursor.line.slice(cursor.next)
  const text = trimBlankEnd(whole)
  return { text, gap: whole.slice(text.length) }
}

/** Hands on the definitions that no further line can change, so that a long row of them is not read again for each. */
function settleDefinitions(stack: BlockStack, frame: ParagraphFrame): ParagraphFrame {
  if (frame.defines === false || frame.text.length < frame.defines) return frame
  const { definitions, settledCount, settled, open, end } = leadingDefinitions(frame.text)
  for (const definition of definitions.slice(0, settledCount)) stack.leaves.define(definition)
  const text = frame.text.slice(settled)
  const over = !open && end < frame.text.length
  return { ...frame, text, last: frame.last - settled, cut: frame.cut + settled, defines: over ? false : text.length > SHORT ? text.length * 2 : 0 }
}
