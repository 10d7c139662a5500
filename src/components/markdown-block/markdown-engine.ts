import type { ComponentType, ReactNode } from 'react'
import type { MathSyntax } from '../../markdown/inline/tree.ts'
import type { MarkdownRenderers } from '../../markdown/view/markdown-props.ts'
import type { MessagePart } from '../../state/turn.ts'

export interface TextGap {
  /** In UTF-16 code units. */
  readonly at: number
  /** The last packet number before the gap. */
  readonly after: number
  /** The first packet number behind it. */
  readonly before: number
}

export interface MarkdownTextProps {
  /** The markdown, as far as it has come. */
  readonly text: string
  /**
   * Packets that never came, each by the place in `text` where it is missing, in their order. An engine shows a mark
   * there (`GapMark`).
   *
   * @default []
   */
  readonly gaps?: readonly TextGap[] | undefined
  /** More may come. @default false */
  readonly live?: boolean | undefined
  /** What is shown after the last letter. Absent: nothing. */
  readonly tail?: ReactNode
  /** Components of the host, before capstan's own. @default capstan's own */
  readonly renderers?: MarkdownRenderers | undefined
}

/** What shows markdown: `capstan/markdown` exports one as `markdownEngine`. */
export interface MarkdownEngine {
  readonly Text: ComponentType<MarkdownTextProps>
  /**
   * The parts of an answer as HTML without scripts, handlers and classes, which its copy has beside the text. Undefined: not yet.
   *
   * @param math how formulas are written. Absent: text between dollar signs is text
   * @default a copy is text alone
   */
  readonly toHtml?: ((parts: readonly MessagePart[], math?: MathSyntax) => string | undefined) | undefined
}
