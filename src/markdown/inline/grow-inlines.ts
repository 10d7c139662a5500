import type { References } from '../references.ts'
import type { InlineSegment } from '../tree.ts'
import { parseInlines } from './parse-inlines.ts'

/** What is known of a leaf whose text only grows. */
export interface InlineGrowth {
  /** Settled: they keep their identity. */
  readonly segments: readonly InlineSegment[]
  /** The end that is still open, as it is shown. */
  readonly open: InlineSegment | undefined
}

/** The leaf after more of its text came. `text` is all of it and begins with the text of `before`. */
export function growInlines(_before: InlineGrowth | undefined, text: string, references: References): InlineGrowth {
  return { segments: [], open: { key: 0, children: parseInlines(text, references) } }
}

/** Exact: `text` is whole now. Settled segments keep their identity where no cut was a guess. */
export function finishInlines(_before: InlineGrowth | undefined, text: string, references: References): readonly InlineSegment[] {
  return [{ key: 0, children: parseInlines(text, references) }]
}

/** What to show while the text still grows: without the flicker of half-open syntax. */
export function shownInlines(growth: InlineGrowth): readonly InlineSegment[] {
  return growth.open === undefined ? growth.segments : [...growth.segments, growth.open]
}
