import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { CitedText } from '../citation-block/cited-text.tsx'
import { classNames } from '../part.ts'

export interface MarkdownBlockProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** The markdown source. */
  readonly content: string
}

/**
 * Markdown as the agent wrote it, as plain text. Inside a `CitationProvider`, such as every answer has, marks like
 * `[1]` lead to their source.
 */
export function MarkdownBlock({ content, className, ...rest }: MarkdownBlockProps): ReactNode {
  return (
    <div dir="auto" {...rest} className={classNames('cs-part cs-prose cs-text', className)}>
      <CitedText text={content} />
    </div>
  )
}
