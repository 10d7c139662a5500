import type { Inline } from '../tree/tree.ts'
import { hasPlaces } from './places.tsx'

/** A formula in a line. */
export interface Formula {
  readonly type: 'formula'
  readonly text: string
}

/** Code between dollar signs is a formula, as GitHub writes it: `` $`a^2`$ ``. The signs go with it. */
export function findFormulas(inlines: readonly Inline[]): readonly (Inline | Formula)[] {
  const pieces: (Inline | Formula)[] = []
  let closes = false
  for (const [at, inline] of inlines.entries()) {
    const written = closes && inline.type === 'text' ? { ...inline, text: inline.text.slice(1) } : inline
    const after = inlines[at + 1]
    const code = inlines[at + 2]
    closes = false
    if (inline.type === 'code' && !hasPlaces(inline.text) && isSign(inlines[at - 1], -1) && isSign(after, 0)) {
      pieces.push({ type: 'formula', text: inline.text })
      closes = true
    } else if (written.type === 'text' && after?.type === 'code' && isSign(written, -1) && isSign(code, 0))
      pieces.push({ ...written, text: written.text.slice(0, -1) })
    else pieces.push(written)
  }
  return pieces
}

function isSign(inline: Inline | undefined, at: number): boolean {
  return inline?.type === 'text' && inline.text.at(at) === '$'
}
