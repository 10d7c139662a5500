import { rareSyntax } from '../inline/rare-syntax.ts'
import type { LeadingDefinitions } from '../tree/references.ts'

/** A label that is whole and not followed by a colon: whatever follows, it defines nothing. */
const NO_DEFINITION = /^\[(?:\\.|[^[\]\\])*\][^:]/s
const NONE: LeadingDefinitions = { definitions: [], end: 0, open: false, settled: 0, settledCount: 0 }

/** The link reference definitions that a paragraph begins with; none while what reads them is not here. */
export function readDefinitions(text: string): LeadingDefinitions {
  const syntax = NO_DEFINITION.test(text) ? undefined : rareSyntax()
  return syntax?.leadingDefinitions(text) ?? NONE
}
