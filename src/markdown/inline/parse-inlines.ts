import type { References } from '../references.ts'
import type { Inline } from '../tree.ts'
import { buildInlines } from './build-inlines.ts'
import { readPieces } from './read-pieces.ts'

/** The inline content of a leaf whose text is whole, exact. Labels are asked for in the order of their closing brackets. */
export function parseInlines(text: string, references: References): readonly Inline[] {
  let end = text.length
  while (' \t\n'.includes(text[end - 1] ?? '.')) end--
  return buildInlines(readPieces(text.slice(0, end), references).pieces)
}
