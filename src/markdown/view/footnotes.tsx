import { type ReactNode, memo, useContext, useMemo } from 'react'
import type { Footnote } from '../inline/tree.ts'
import { Blocks, ItemGroup, itemRole, listRole } from './block-view.tsx'
import { directionOf } from './direction-of.ts'
import { goToNote } from './inline-view.tsx'
import { FootnoteContext, MarkdownContext } from './markdown-props.ts'
import { addFootnoteCode } from './footnote-code.ts'
import { numberFootnotes } from './number-footnotes.ts'

/** The notes below a message that its text names, in the order of their numbers. */
function Footnotes({ footnotes }: { readonly footnotes: readonly Footnote[] }): ReactNode {
  const { strings } = useContext(MarkdownContext)
  const numbers = useContext(FootnoteContext)
  if (numbers.size === 0) return null
  const named: Footnote[] = []
  for (const footnote of footnotes) {
    const number = numbers.get(footnote.label)
    if (number !== undefined) named[number - 1] = footnote
  }
  return (
    <section className="cs-md-notes" aria-label={strings.footnotes}>
      <ol role={listRole(named.length > LARGE)} dir={directionOf(named[0] ?? {})}>
        {inGroups(named, LARGE, 0)}
      </ol>
    </section>
  )
}

/** How many notes a group has, and how many a smaller one in it. */
const LARGE = 128

const SMALL = 16

/** One note more of thousands renders the last group, in it the last smaller one, and in that one note. */
function inGroups(footnotes: readonly Footnote[], size: number, after: number): ReactNode {
  const groups: ReactNode[] = []
  for (let at = 0; at < footnotes.length; at += size)
    groups.push(<Notes key={at} footnotes={footnotes.slice(at, at + size)} after={after + at} size={size} />)
  return groups
}

interface NotesProps {
  readonly footnotes: readonly Footnote[]
  /** How many notes are before them. */
  readonly after: number
  /** How many there may be at most. */
  readonly size: number
}

const Notes = memo(
  function Notes({ footnotes, after, size }: NotesProps): ReactNode {
    if (size > SMALL) return <ItemGroup apart={after > 0}>{inGroups(footnotes, SMALL, after)}</ItemGroup>
    return footnotes.map((footnote, at) => <Note key={footnote.key} footnote={footnote} number={after + at + 1} />)
  },
  ({ footnotes: before }, { footnotes: now }) =>
    before.length === now.length && before.every((footnote, at) => footnote === now[at]),
)

const Note = memo(function Note({
  footnote,
  number,
}: {
  readonly footnote: Footnote
  readonly number: number
}): ReactNode {
  const back = useMemo(() => <FootnoteReturn number={number} />, [number])
  // At the end of its last words, where a note ends with words.
  const within = footnote.children.at(-1)?.items.at(-1)?.type === 'paragraph'
  return (
    <li role={itemRole(number > LARGE)} data-note={number} tabIndex={-1}>
      <Blocks chunks={footnote.children} tail={within ? back : undefined} />
      {!within && back}
    </li>
  )
})

/** The way back from a footnote to where it was named first. */
function FootnoteReturn({ number }: { readonly number: number }): ReactNode {
  const { strings } = useContext(MarkdownContext)
  return (
    <button
      type="button"
      className="cs-md-mark"
      aria-label={strings.backToText}
      onClick={(event) => goToNote(event, `[data-mark="${number}"]`)}
    >
      <span aria-hidden="true">↩︎</span>
    </button>
  )
}

const CODE = { number: numberFootnotes, List: Footnotes }

/** Makes footnotes known to all documents. */
export function addFootnotes(): void {
  addFootnoteCode(CODE)
}
