import { addAllSyntax } from '../all-syntax.ts'
import { addFootnotes } from './footnotes.tsx'

/**
 * Makes footnotes, HTML, links that are defined apart and the rare names of characters known to all documents. One file, which a page
 * fetches behind the engine.
 */
export function addRareMarkdown(): void {
  addFootnotes()
  addAllSyntax()
}
