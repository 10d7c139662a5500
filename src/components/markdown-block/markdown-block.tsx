'use client'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { forwardRef } from 'react'
import { CitedText } from '../citation-block/cited-text.tsx'
import type { RenderRoot } from '../internals/part.ts'
import { classNames, Root } from '../internals/part.ts'
import { useMarkdown } from './markdown-provider.tsx'

export interface MarkdownBlockProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** The markdown source. */
  readonly content: string
  /** Replaces the root element; receives the props to spread and the part's state. @default the part's root element */
  readonly render?: RenderRoot | undefined
}

/**
 * Renders a `<div>`: markdown that is complete, as a `MarkdownProvider` around says; rich text once its code is there,
 * plain text until then. Inside a `CitationProvider`, such as every answer has, marks like `[1]` lead to their source.
 *
 * @example
 * ```tsx
 * import { MarkdownBlock } from 'capstan/components'
 *
 * export function Note() {
 *   return <MarkdownBlock content="A loop the river has **left behind**." />
 * }
 * ```
 */
export const MarkdownBlock = forwardRef<HTMLDivElement, MarkdownBlockProps>(function MarkdownBlock(
  { content, render, className, ...rest },
  ref,
): ReactNode {
  const { engine, renderers } = useMarkdown()
  return (
    <Root
      tag="div"
      render={render}
      root={{
        dir: 'auto',
        ...rest,
        className: classNames('cs-part cs-prose', !engine && 'cs-text', className),
        children: engine ? <engine.Text text={content} renderers={renderers} /> : <CitedText text={content} />,
      }}
      state={undefined}
      rootRef={ref}
    />
  )
})
