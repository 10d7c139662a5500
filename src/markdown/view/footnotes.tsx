import type { ReactNode } from 'react'
import { memo, useContext, useMemo } from 'react'
import type { Footnote } from '../tree.ts'
import { Blocks } from './block-view.tsx'
import { FootnoteReturn } from './footnote-mark.tsx'
import { FootnoteContext, MarkdownContext } from './markdown-context.ts'

/** How many notes stand together: one more renders the last of them. */
const GROUP = 16

/** The notes below a message that its text names, in the order of their numbers. */
export function Footnotes({ footnotes }: { readonly footnotes: readonly Footnote[] }): ReactNode {
  const { words } = useContext(MarkdownContext)
  const numbers = useContext(FootnoteContext)
  if (numbers.size === 0) return null
  const named: Footnote[] = []
  for (const footnote of footnotes) {
    const number = numbers.get(footnote.label)
    if (number !== undefined) named[number - 1] = footnote
  }
  const groups: ReactNode[] = []
  for (let at = 0; at < named.length; at += GROUP) groups.push(<Notes key={at} footnotes={named.slice(at, at + GROUP)} after={at} />)
  return (
    <section className="cs-md-notes" aria-label={words.footnotes}>
      <ol>{groups}</ol>
    </section>
  )
}

interface NotesProps {
  readonly footnotes: readonly Footnote[]
  /** How many notes stand before them. */
  readonly after: number
}

const Notes = memo(
  function Notes({ footnotes, after }: NotesProps): ReactNode {
    return footnotes.map((footnote, at) => <Note key={footnote.key} footnote={footnote} number={after + at + 1} />)
  },
  ({ footnotes: before }, { footnotes: now }) => before.length === now.length && before.every((footnote, at) => footnote === now[at]),
)

const Note = memo(function Note({ footnote, number }: { readonly footnote: Footnote; readonly number: number }): ReactNode {
  const back = useMemo(() => <FootnoteReturn number={number} />, [number])
  // At the end of its last words, where a note ends with words.
  const within = footnote.children.at(-1)?.items.at(-1)?.type === 'paragraph'
  return (
    <li data-note={number} tabIndex={-1}>
      <Blocks chunks={footnote.children} tail={within ? back : undefined} />
      {!within && back}
    </li>
  )
})
