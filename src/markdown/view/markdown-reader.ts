import { copyText } from '../../base/copy-text.ts'
import type { MarkdownOptions, MarkdownStream } from '../markdown-stream.ts'
import { createBaseMarkdownStream } from '../markdown-stream.ts'
import type { MarkdownRoot } from '../inline/tree.ts'
import type { NumberFootnotes } from './number-footnotes.ts'

/** A text, parsed and ready to be shown. */
export interface ParsedMarkdown {
  readonly root: MarkdownRoot
  /** The same object while no footnote changes its number, so that no mark renders for a token or for a note elsewhere. */
  readonly numbers: ReadonlyMap<string, number>
  /** The text was read as one that grows although nothing says that it does: read it again as `settled` when it rests. */
  readonly isGrowing: boolean
}

/** `live`: more text may come. `complete`: no more comes. `settled`: the text has not changed for a while. */
export type TextState = 'live' | 'complete' | 'settled'

/** Parser of one text that grows. A render that React discards does it no harm. */
export interface MarkdownReader {
  /**
   * Text that begins with what was read before costs what is new in it; any other is read from its start. While text is
   * `live`, half of a mark at its end is not shown as what it is not. Text that was `complete` and then grew at its end is
   * read as live text, until it is `settled`.
   *
   * @param number numbers its footnotes. Absent: none has a number
   */
  read(text: string, state: TextState, number?: NumberFootnotes): ParsedMarkdown
}

/** @param options How formulas are written. */
export function createMarkdownReader(options?: MarkdownOptions): MarkdownReader {
  let stream: MarkdownStream | undefined
  let known = ''
  let knownState: TextState | undefined
  let isFinished = false
  let reading: ParsedMarkdown | undefined
  let numbers = new Map<string, number>()
  let numberedBy: NumberFootnotes | undefined

  return {
    read(text, state, number) {
      // V8 compares whole strings at once, and goes through `startsWith` letter by letter.
      const hasGrown = known !== '' && text.length > known.length && text.slice(0, known.length) === known
      const isGrowing =
        state === 'complete' &&
        (text === known ? reading?.isGrowing === true : hasGrown && knownState !== undefined && knownState !== 'live')
      const finishes = state !== 'live' && !isGrowing
      if (reading && text === known && isFinished === finishes && numberedBy === number) {
        knownState = state
        return reading
      }
      if (!stream || isFinished || !(hasGrown || text === known)) {
        stream = createBaseMarkdownStream(options)
        known = ''
        numbers = new Map()
      }
      stream.append(copyText(text.slice(known.length)))
      if (finishes) stream.finish()
      known = text
      knownState = state
      isFinished = finishes
      const { root } = stream
      numbers = number?.(root, numbers) ?? numbers
      numberedBy = number
      reading = { root, numbers, isGrowing }
      return reading
    },
  }
}
