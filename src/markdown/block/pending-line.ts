import type { BlockState, Frame, OpenRow } from './frame.ts'
import { isHeldBack, isOnlyMarks, LONGEST_HELD_LINE } from './hold-back.ts'
import type { Leaves } from './leaves.ts'
import { stepLine } from './step-line.ts'
import { withLastItem } from './chunks.ts'
import { addPiece, type LeafText } from './leaf-text.ts'

const BLANKS = ' \t'

interface TextBeforeGap {
  readonly text: LeafText
  readonly gap: string
}

/** What is shown of a long unfinished line when more of it comes, without reading it again from its beginning. */
function extendLine(state: BlockState, more: string): BlockState | undefined {
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

/** The last line of the message, which is not complete: read on top of what is, and read again when more of it comes. */
export class PendingLine {
  text = ''
  private onlyMarks = true
  /** What came since it was read. */
  private unread = ''
  private state: BlockState | undefined

  add(text: string): void {
    this.text += text
    this.unread += text
    this.onlyMarks &&= isOnlyMarks(text)
  }

  /** The whole line; the next one begins. */
  take(rest: string): string {
    const line = this.text + rest
    this.text = ''
    this.unread = ''
    this.onlyMarks = true
    this.state = undefined
    return line
  }

  /** What it was read on top of is no longer so. */
  forget(): void {
    this.unread = this.text
    this.state = undefined
  }

  /** What is known with it; undefined when nothing of it is to be shown yet. */
  stateAfter(before: BlockState, at: number, leaves: Leaves): BlockState | undefined {
    if (this.unread !== '') this.state = this.readOn(before, at, leaves)
    this.unread = ''
    return this.state
  }

  private readOn(before: BlockState, at: number, leaves: Leaves): BlockState | undefined {
    if (this.state !== undefined && this.text.length > LONGEST_HELD_LINE) {
      const extended = extendLine(this.state, this.unread)
      if (extended !== undefined) return extended
    }
    const tip = before.frames.at(-1)
    const marks = this.onlyMarks && tip?.type !== 'fence' && tip?.type !== 'html' && tip?.type !== 'indented'
    if (marks || isHeldBack(before, this.text)) return undefined
    return stepLine(before, { text: this.text, at, complete: false }, leaves)
  }
}
