import type { LabelledDefinition, MarkdownFlavor } from '../tree/references.ts'
import type { LeafText } from './leaf-text.ts'
import type { MathSyntax } from '../tree/math-syntax.ts'
import type { InlineSegment } from '../tree/tree.ts'

/** Where inline content is. */
export interface LeafPlace {
  /** Of its paragraph, heading or row. */
  readonly key: number
  /** Of a table's cell. */
  readonly column?: number
  /** The key of the innermost footnote around it. */
  readonly home: number | undefined
}

/** Who makes inline content of the texts of leaves, and keeps what is defined. */
export interface Leaves {
  /** How formulas are written. Absent: there are none. */
  readonly math?: MathSyntax | undefined
  readonly flavor: MarkdownFlavor
  /** The first definition of a label is kept. */
  define(definition: LabelledDefinition): void
  /** Whether this footnote is the first with its label. */
  defineFootnote(label: string): boolean
  /** The content of a leaf that is complete, without the first `lead` code units of its text. */
  close(text: LeafText, place: LeafPlace, lead?: number): readonly InlineSegment[]
}
