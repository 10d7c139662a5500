import type { BlockStack } from './block-stack.ts'
import { withItem, withItems } from './chunks.ts'
import type { Line } from './line.ts'
import type { LineCursor } from './line-cursor.ts'

/** A line of the innermost block, which is code or HTML. */
export function addCodeLine(stack: BlockStack, cursor: LineCursor, line: Line): void {
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
