import type { References } from '../references.ts'
import type { Inline } from '../tree.ts'

/** The inline content of a leaf, exact. */
export function parseInlines(text: string, _references: References): readonly Inline[] {
  const trimmed = text.trim()
  return trimmed === '' ? [] : [{ type: 'text', text: trimmed }]
}
