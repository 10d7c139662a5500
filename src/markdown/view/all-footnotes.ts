import { addFootnoteCode } from './footnotes/footnote-code.ts'
import { Footnotes } from './footnotes.tsx'
import { numberFootnotes } from './footnotes/number-footnotes.ts'

const CODE = { number: numberFootnotes, List: Footnotes }

/** Makes footnotes known to all documents. */
export function addFootnotes(): void {
  addFootnoteCode(CODE)
}
