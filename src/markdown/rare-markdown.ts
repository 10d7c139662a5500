import { addAllSyntax } from './all-syntax.ts'
import { addFootnotes } from './view/all-footnotes.ts'

export { copyColumns, joinLines, keepColumnsFixed, keepJoined } from './view/long-blocks/long-block-layout.ts'

/**
 * Makes footnotes, HTML, links that are defined apart and the rare names of characters known to all documents. One file, which a page
 * fetches behind the engine; what lays out very long blocks is in it too.
 */
export function addRareMarkdown(): void {
  addFootnotes()
  addAllSyntax()
}
