import type { BlockStack } from './block-stack.ts'
import { joinChunks, withItem } from './chunks.ts'
import type { Line } from './line.ts'
import type { LineCursor } from './line-cursor.ts'

/** A line of the innermost block, which is code or HTML. */
export function addCodeLine(stack: BlockStack, cursor: LineCursor, line: Line): void {
  const frame = stack.top
  const added = { key: line.at + cursor.offset, text: cursor.rest() }
  if (frame?.type === 'indented') {
    if (cursor.blank) stack.replaceTop({ ...frame, blanks: withItem(frame.blanks, added) })
    else stack.replaceTop({ ...frame, lines: withItem(joinChunks(frame.lines, frame.blanks), added), blanks: [] })
  } else if (frame?.type === 'fence') {
    stack.replaceTop({ ...frame, lines: withItem(frame.lines, added) })
  } else if (frame?.type === 'html') {
    stack.replaceTop({ ...frame, lines: withItem(frame.lines, added) })
    if (line.complete && frame.end?.test(added.text) === true) stack.close()
  }
}
