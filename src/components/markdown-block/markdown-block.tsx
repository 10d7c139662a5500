import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { CitedText } from '../citation-block/cited-text.tsx'
import type { RenderRoot } from '../part.ts'
import { classNames, renderRoot } from '../part.ts'

export interface MarkdownBlockProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** The markdown source. */
  readonly content: string
  /** Puts the content on a root of your own. */
  readonly render?: RenderRoot | undefined
}

/**
 * Markdown as the agent wrote it, as plain text. Inside a `CitationProvider`, such as every answer has, marks like
 * `[1]` lead to their source.
 */
export function MarkdownBlock({ content, render, className, ...rest }: MarkdownBlockProps): ReactNode {
  return renderRoot(
    'div',
    render,
    { dir: 'auto', ...rest, className: classNames('cs-part cs-prose cs-text', className), children: <CitedText text={content} /> },
    undefined,
  )
}
