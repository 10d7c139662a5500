import type { BlockState } from './frame.ts'
import { LineCursor } from './line-cursor.ts'
import { continuedDepth } from './step-line.ts'

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
export function isOnlyMarks(text: string): boolean {
  return /^[-=_*+|:#>~` \t]*$/.test(text)
}

/** Whether an unfinished line is not shown yet, because what it says may still become something else. */
export function isHeldBack(state: BlockState, line: string): boolean {
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
