import type { BlockState, Frame, OpenRow } from './frame.ts'
import { type Leaves, addPiece, type LeafText, withLastItem } from './leaves.ts'
import { stepLine, continuedDepth } from './step-line.ts'
import { LineCursor } from './line-cursor.ts'

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
  /** Text received since it was read. */
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

/** An incomplete construct longer than this many code units is shown as text. */
export const LONGEST_HELD_LINE = 256

/** A label is shorter: a link at the beginning of a paragraph should not wait for long. */
export const LONGEST_LABEL_HELD = 80

/** A table's head may be longer. */
const LONGEST_HEAD = 1024

/** Marks that may still become something else: a list, a line below a heading, a break, a row of a table. */
const MARKS = /^(?:[-=_*+|:#>~` \t]*|\d{1,9}[.)]?[ \t]*)$/

const CONTAINERS = /^(?:(?:[-+*]|\d{1,9}[.)])[ \t]+|>[ \t]*|\[\^[^\][\s]+\]:[ \t]*)+/

/** An opening fence, a tag that may be all of its line, a footnote's label. */
const HALF = /^(?:`{3,}[^`]*|~{3,}.*|<(?:[!?/a-z][^>]*>?[ \t]*)?|\[(?:\^[^\][\s]*\]?)?)$/i

/** A label or the box of a task. */
const BRACKET = /^\[[^\][]*(?:\][ \t]*)?$/

/** Whether there is nothing but marks in `text`, which may be any part of a line. */
function isOnlyMarks(text: string): boolean {
  return /^[-=_*+|:#>~` \t]*$/.test(text)
}

/** Whether an unfinished line is not shown yet, because what it says may still become something else. */
function isHeldBack(state: BlockState, line: string): boolean {
  if (line.length > LONGEST_HEAD) return false
  const cursor = new LineCursor(line)
  const all = continuedDepth(state, cursor) === state.frames.length
  const tip = state.frames.at(-1)
  if (all && (tip?.type === 'fence' || tip?.type === 'html' || tip?.type === 'indented')) {
    return tip.type === 'fence' && /^(?:`*|~*)[ \t]*$/.test(line.slice(cursor.next))
  }
  const rest = line.slice(cursor.next).replace(CONTAINERS, '')
  if (rest.startsWith('|') && !(all && tip?.type === 'table')) return true
  if (line.length > LONGEST_HELD_LINE || cursor.indent >= 4) return false
  const goesOn = tip?.type === 'paragraph' && tip.defines === false && rest.length === line.length - cursor.next
  return MARKS.test(rest) || HALF.test(rest) || (!goesOn && rest.length <= LONGEST_LABEL_HELD && BRACKET.test(rest))
}
