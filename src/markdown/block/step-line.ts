import { BlockStack } from './block-stack.ts'
import { addCodeLine } from './code-lines.ts'
import { continueFrame, isFenceEnd } from './continue-frame.ts'
import type { BlockState } from './frame.ts'
import type { Leaves } from './leaves.ts'
import type { Line } from './line.ts'
import { LineCursor } from './line-cursor.ts'
import { addParagraphLine, openParagraph } from './paragraph-lines.ts'
import { startBlock } from './start-block.ts'
import { addTableRow } from './table-lines.ts'

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
