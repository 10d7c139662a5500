'use client'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { useMemo, useState } from 'react'
import { MarkdownContext } from './markdown-context.ts'
import { createMarkdownReader } from './markdown-reader.ts'
import type { MarkdownRenderers } from './markdown-renderers.ts'
import { MarkdownView } from './markdown-view.tsx'
import type { MarkdownWords } from './markdown-words.ts'
import { englishMarkdownWords } from './markdown-words.ts'
import { UnplacedMarks } from './places.tsx'

export interface MarkdownProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** The markdown, as far as it has come. */
  readonly text: string
  /** More may come: half of a mark at the end is held back or completed instead of shown as what it is not. */
  readonly live?: boolean | undefined
  /** What stands after the last letter, such as a caret. */
  readonly tail?: ReactNode
  /** Components of your own for code, links, images, tables, formulas and words. Keep the object the same. */
  readonly renderers?: MarkdownRenderers | undefined
  /** What the view says itself. Keep the object the same. */
  readonly words?: MarkdownWords | undefined
}

const NONE: MarkdownRenderers = {}

/**
 * CommonMark 0.31 with tables, strikethrough, task lists, bare links and footnotes, while it grows: a token costs what it
 * adds, and what is complete stays the same elements. HTML is shown as text, links lead to absolute http, https, mailto
 * and tel addresses only, pictures are links until `renderers.image` makes more of them, and no id, class or style of the
 * message reaches the page.
 */
export function Markdown({ text, live = false, tail, renderers = NONE, words = englishMarkdownWords, className, ...rest }: MarkdownProps): ReactNode {
  const settings = useMemo(() => ({ renderers, words }), [renderers, words])
  const [reader] = useState(createMarkdownReader)
  const reading = reader.read(text, live)
  return (
    <div dir="auto" {...rest} className={className === undefined ? 'cs-md' : `cs-md ${className}`}>
      <MarkdownContext.Provider value={settings}>
        <MarkdownView reading={reading} tail={tail} />
        <UnplacedMarks {...reading} />
      </MarkdownContext.Provider>
    </div>
  )
}
