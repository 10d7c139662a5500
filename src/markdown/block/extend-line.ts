import { withLastItem } from './chunks.ts'
import type { BlockState, Frame } from './frame.ts'

/** What is shown of a long unfinished line when more of it comes, without reading it again from its beginning. */
export function extendLine(state: BlockState, more: string): BlockState | undefined {
  const top = state.frames.at(-1)
  const extended = top === undefined ? undefined : extendFrame(top, more)
  return extended === undefined ? undefined : { ...state, frames: [...state.frames.slice(0, -1), extended] }
}

function extendFrame(frame: Frame, more: string): Frame | undefined {
  switch (frame.type) {
    case 'paragraph':
      return { ...frame, ...afterGap(frame, more, /[ \t]*$/) }
    case 'heading':
      return { ...frame, ...afterGap(frame, more, /[ \t#]*$/) }
    case 'fence':
    case 'html':
    case 'indented': {
      const last = frame.lines.at(-1)?.items.at(-1)
      return last === undefined ? frame : { ...frame, lines: withLastItem<typeof last>(frame.lines, { key: last.key, text: last.text + more }) }
    }
    default:
      return undefined
  }
}

/** Text that ends in what may turn out not to belong to it. */
function afterGap({ text, gap }: { readonly text: string; readonly gap: string }, more: string, end: RegExp): { readonly text: string; readonly gap: string } {
  const added = gap + more
  const length = added.search(end)
  return { text: text + added.slice(0, length), gap: added.slice(length) }
}
