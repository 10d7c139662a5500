import type { LinkDefinition } from '../tree/references.ts'
import type { Inline } from '../tree/tree.ts'

/** A run of `*`, `_` or `~`. Its marks go to what it closes from the left, to what it opens from the right; what is left stays text. */
export interface DelimiterRun {
  readonly type: 'run'
  readonly char: string
  readonly at: number
  readonly length: number
  readonly canOpen: boolean
  readonly canClose: boolean
  /** Marks that found no partner yet. */
  left: number
  /** How many marks each thing took that it closes, in order. */
  readonly closes: number[]
  /** The same of what it opens, the innermost first. */
  readonly opens: number[]
}

/** A `[` or `![`. */
export interface Bracket {
  readonly type: 'bracket'
  /** As written; empty where it is not shown. */
  text: string
  readonly image: boolean
  /** Where its content begins. */
  readonly at: number
  /** How many pieces and runs came before it. */
  readonly pieces: number
  readonly runs: number
  /** Another bracket came after it: what it holds is no label. */
  hasBracket: boolean
  /** It became a link or an image. */
  target?: LinkDefinition
}

/** The end of a link or an image. */
export interface Close {
  readonly type: 'close'
  /** As written, for the link that is too deep to be one. */
  readonly text: string
}

export type Piece = Inline | DelimiterRun | Bracket | Close
