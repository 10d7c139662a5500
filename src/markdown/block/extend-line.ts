import { withLastItem } from './chunks.ts'
import type { BlockState, Frame, OpenRow } from './frame.ts'
import { addPiece, type LeafText } from './leaf-text.ts'

const BLANKS = ' \t'

interface TextBeforeGap {
  readonly text: LeafText
  readonly gap: string
}

/** What is shown of a long unfinished line when more of it comes, without reading it again from its beginning. */
export function extendLine(state: BlockState, more: string): BlockState | undefined {
  const top = state.frames.at(-1)
  const extended = top === undefined ? undefined : extendFrame(top, more)
  return extended === undefined ? undefined : { ...state, frames: [...state.frames.slice(0, -1), extended] }
}

function extendFrame(frame: Frame, more: string): Frame | undefined {
  switch (frame.type) {
    case 'paragraph':
      return { ...frame, ...afterGap(frame, more, BLANKS) }
    case 'heading':
      return { ...frame, ...afterGap(frame, more, `${BLANKS}#`) }
    case 'fence':
    case 'html':
    case 'indented': {
      const last = frame.lines.at(-1)?.items.at(-1)
      return last === undefined
        ? frame
        : { ...frame, lines: withLastItem<typeof last>(frame.lines, { key: last.key, text: last.text + more }) }
    }
    case 'table': {
      const open = frame.open === undefined ? undefined : afterCell(frame.open, more, frame.align.length)
      return open === undefined ? undefined : { ...frame, open }
    }
    default:
      return undefined
  }
}

/** Text whose trailing characters may not belong to it once more text follows. */
function afterGap({ text, gap }: TextBeforeGap, more: string, gaps: string): TextBeforeGap {
  let end = more.length
  while (end > 0 && gaps.includes(more.charAt(end - 1))) end--
  return end === 0
    ? { text, gap: gap + more }
    : { text: addPiece(text, gap + more.slice(0, end)), gap: more.slice(end) }
}

/** The row with more text in its last cell. A row that has all its cells stays the same. */
function afterCell(row: OpenRow, more: string, columns: number): OpenRow | undefined {
  if (row.closed && row.cells.length === columns) return row
  const last = row.cells.at(-1)
  if (last === undefined || row.closed || /[|\\]/.test(more)) return undefined
  const { text, gap } = afterGap({ text: last, gap: row.gap }, more, BLANKS)
  return { ...row, cells: [...row.cells.slice(0, -1), text], gap }
}
