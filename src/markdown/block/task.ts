import type { ListItem } from '../tree.ts'
import type { ParagraphFrame } from './frame.ts'

/** The box that an item's first paragraph begins with, and its length in `text`, which is the paragraph's without definitions. */
export function takeTask(frame: ParagraphFrame, text: string): { readonly task: ListItem['task']; readonly length: number } {
  const begins = frame.opensItem && frame.cut === 0 && text.length === frame.text.length
  const match = begins ? /^\[([ \txX])\][ \t\n]+(?=[^ \t\n])/.exec(text) : null
  if (match === null) return { task: undefined, length: 0 }
  return { task: match[1]?.toLowerCase() === 'x' ? 'done' : 'open', length: match[0].length }
}
