import type { References } from '../tree/references.ts'
import type { Inline } from '../tree/tree.ts'
import { buildInlines } from './build-inlines.ts'
import { readPieces } from './read-pieces.ts'

/** Where the blanks at the end of a text begin: they are no part of it. */
export function trimmedLength(text: string): number {
  let end = text.length
  while (end > 0 && ' \t\n'.includes(text.charAt(end - 1))) end--
  return end
}

/** The inline content of a leaf whose text is whole, exact. Labels are asked for in the order of their closing brackets. */
export function parseInlines(text: string, references: References): readonly Inline[] {
  return buildInlines(readPieces(text.slice(0, trimmedLength(text)), references).pieces)
}
