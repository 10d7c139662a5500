import type { ReactNode } from 'react'
import { memo, useContext } from 'react'
import type { Footnote } from '../tree.ts'
import { Blocks } from './block-view.tsx'
import { FootnoteReturn } from './footnote-mark.tsx'
import { FootnoteContext, MarkdownContext } from './markdown-context.ts'

/** The notes below a message that its text names, in the order of their numbers. */
export function Footnotes({ footnotes }: { readonly footnotes: readonly Footnote[] }): ReactNode {
  const { words } = useContext(MarkdownContext)
  const numbers = useContext(FootnoteContext)
  if (numbers.size === 0) return null
  const named = footnotes
    .map((footnote) => ({ footnote, number: numbers.get(footnote.label) ?? 0 }))
    .filter(({ number }) => number > 0)
    .toSorted((a, b) => a.number - b.number)
  return (
    <section className="cs-md-notes" aria-label={words.footnotes}>
      <ol>
        {named.map(({ footnote, number }) => (
          <Note key={footnote.key} footnote={footnote} number={number} />
        ))}
      </ol>
    </section>
  )
}

const Note = memo(function Note({ footnote, number }: { readonly footnote: Footnote; readonly number: number }): ReactNode {
  return (
    <li data-note={number} tabIndex={-1}>
      <Blocks chunks={footnote.children} />
      <FootnoteReturn number={number} />
    </li>
  )
})
