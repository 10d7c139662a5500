import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { classNames } from '../part.ts'

export interface MarkdownBlockProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  readonly content: string
}

/** Markdown as the agent wrote it, as plain text. */
export function MarkdownBlock({ content, className, ...rest }: MarkdownBlockProps): ReactNode {
  return (
    <div dir="auto" {...rest} className={classNames('cs-part cs-prose cs-text', className)}>
      {content}
    </div>
  )
}
