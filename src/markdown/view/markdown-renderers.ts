import type { ComponentType, ReactNode } from 'react'
import type { MathSyntax } from '../tree/math-syntax.ts'
import type { Chunks, CodeLine } from '../tree/tree.ts'

/** A block of code as it is on the page. */
export interface CodeRendererProps {
  /** The first word behind the opening fence, in lower case: the language, as the agent wrote it. */
  readonly language: string | undefined
  /** Its lines in pieces of at most 32. A piece that is the same object as before has the same lines. */
  readonly lines: Chunks<CodeLine>
  /** No more lines come. */
  readonly closed: boolean
  /** Nothing is added to the last line any more. */
  readonly ended: boolean
  /** What is after the last letter: the caret, while the answer grows here. */
  readonly tail: ReactNode
}

export interface LinkRendererProps {
  /** An absolute http, https, mailto or tel address. Whatever else an agent writes as a link is shown as its words. */
  readonly href: string
  readonly title: string | undefined
  readonly children: ReactNode
}

export interface ImageRendererProps {
  /** An absolute http or https address. Render no element with it before the reader has asked for it: browsers load what they see. */
  readonly src: string
  readonly alt: string
  readonly title: string | undefined
}

export interface TableRendererProps {
  /** The `table` element. */
  readonly children: ReactNode
}

export interface MathRendererProps {
  /** The formula as it was written, without its marks. */
  readonly text: string
  /** On a line of its own or a block (such as a fence with the language `math`), not a piece of a line. */
  readonly display: boolean
}

/** A component for formulas. */
export type MathRenderer = ComponentType<MathRendererProps> & {
  /** How formulas are written: `mathSyntax` of `capstan/markdown`. @default only as fences with the language `math` */
  readonly syntax?: MathSyntax | undefined
}

/** Components that show pieces of a message in your own way. Keep each of them the same from render to render. */
export interface MarkdownRenderers {
  /** Blocks of code. @default capstan's block */
  readonly code?: ComponentType<CodeRendererProps> | undefined
  /** Links. @default capstan's link */
  readonly link?: ComponentType<LinkRendererProps> | undefined
  /** Images. @default capstan's image */
  readonly image?: ComponentType<ImageRendererProps> | undefined
  /** The frame of a table, which scrolls where the table is wider than the message. @default capstan's frame */
  readonly table?: ComponentType<TableRendererProps> | undefined
  /** Formulas. Absent: formulas are shown as they were written. */
  readonly math?: MathRenderer | undefined
  /** Text between marks. @default the text */
  readonly text?: ComponentType<{ readonly text: string }> | undefined
}
