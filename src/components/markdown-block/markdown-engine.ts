import type { ComponentType, ReactNode } from 'react'
import type { MarkdownRenderers } from '../../markdown/view/markdown-renderers.ts'

export interface MarkdownTextProps {
  /** The markdown, as far as it has come. */
  readonly text: string
  /** More may come. */
  readonly live?: boolean | undefined
  /** What stands after the last letter. */
  readonly tail?: ReactNode
  /** Components of the host, before those of the kit. */
  readonly renderers?: MarkdownRenderers | undefined
}

/** What shows markdown: `capstan/markdown` exports one as `markdownEngine`. */
export interface MarkdownEngine {
  readonly Text: ComponentType<MarkdownTextProps>
}
