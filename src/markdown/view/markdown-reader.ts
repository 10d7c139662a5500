import type { MarkdownStream } from '../markdown-stream.ts'
import { createMarkdownStream } from '../markdown-stream.ts'
import type { MarkdownRoot } from '../tree/tree.ts'
import { numberFootnotes } from './number-footnotes.ts'

/** What a text says, ready to be shown. */
export interface ParsedMarkdown {
  readonly root: MarkdownRoot
  /** The same object while no footnote changes its number, so that no mark renders for a token or for a note elsewhere. */
  readonly numbers: ReadonlyMap<string, number>
}

/** Reads one text that grows. It depends on the texts it is given and nothing else, so a render that is thrown away does it no harm. */
export interface MarkdownReader {
  /**
   * Text that begins with what was read before costs what is new in it; any other is read from its start. `live`: more may
   * come, so half of a mark at the end is not shown as what it is not.
   */
  read(text: string, live: boolean): ParsedMarkdown
}

export function createMarkdownReader(): MarkdownReader {
  let stream: MarkdownStream | undefined
  let known = ''
  let finished = false
  let reading: ParsedMarkdown | undefined
  let numbers = new Map<string, number>()

  return {
    read(text, live) {
      if (reading && text === known && finished === !live) return reading
      // V8 compares whole strings at once, and goes through `startsWith` letter by letter.
      if (!stream || finished || text.slice(0, known.length) !== known) {
        stream = createMarkdownStream()
        known = ''
        numbers = new Map()
      }
      stream.append(text.slice(known.length))
      if (!live) stream.finish()
      known = text
      finished = !live
      const { root } = stream
      numbers = numberFootnotes(root, numbers)
      reading = { root, numbers }
      return reading
    },
  }
}
