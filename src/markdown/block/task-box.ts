import type { ListItem } from '../tree/tree.ts'
import type { ParagraphFrame } from './frame.ts'

/** The box a paragraph begins with, and how long it is with the blanks behind it. */
export type TaskBoxMatch = Pick<ParagraphFrame, 'task' | 'lead'>

/** The box at the beginning of an item's first line. */
export function boxOf(line: string): TaskBoxMatch {
  const match = /^\[([ \txX])\][ \t]+(?=[^ \t])/.exec(line)
  return match === null ? { task: undefined, lead: 0 } : { task: stateOf(match[1]), lead: match[0].length }
}

/** The box that is all of an item's first line; `gap` follows it before the next. */
export function boxAbove(line: string, gap: string): TaskBoxMatch {
  const match = /^\[([ \txX])\]$/.exec(line)
  return match === null ? { task: undefined, lead: 0 } : { task: stateOf(match[1]), lead: line.length + gap.length + 1 }
}

function stateOf(mark: string | undefined): ListItem['task'] {
  return mark === 'x' || mark === 'X' ? 'done' : 'open'
}
