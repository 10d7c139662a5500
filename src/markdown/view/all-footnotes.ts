import { addFootnoteCode } from './footnote-code.ts'
import { Footnotes } from './footnotes.tsx'
import { numberFootnotes } from './number-footnotes.ts'

const CODE = { number: numberFootnotes, List: Footnotes }

/** Makes footnotes known to all documents. */
export function addFootnotes(): void {
  addFootnoteCode(CODE)
}
