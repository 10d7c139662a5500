import type { MouseEvent, ReactNode } from 'react'
import { useContext } from 'react'
import { FootnoteContext, GrowingContext, MarkdownContext } from './markdown-context.ts'

/** Goes to an element of the same message. Without ids, which could meet those of the page, and without the page's address, which is the app's. */
export function goToNote({ currentTarget }: MouseEvent, selector: string): void {
  const element = currentTarget.closest('.cs-md')?.querySelector<HTMLElement>(selector)
  element?.scrollIntoView({ block: 'nearest' })
  element?.focus({ preventScroll: true })
}

/** The raised number that leads to a footnote. */
export function FootnoteMark({ label }: { readonly label: string }): ReactNode {
  const { strings } = useContext(MarkdownContext)
  const number = useContext(FootnoteContext).get(label)
  if (number === undefined) return <PendingMark label={label} />
  return (
    <sup>
      <button
        type="button"
        className="cs-md-mark"
        data-mark={number}
        aria-label={strings.footnote(number)}
        onClick={(event) => goToNote(event, `[data-note="${number}"]`)}
      >
        {number}
      </button>
    </sup>
  )
}

/** A label has no blanks. */
const REFERENCE = /\[\^([^\s[\]]{1,80})\]/

/**
 * Text that may name notes of which nothing is known: most notes are at the end of a message.
 *
 * @param show shows what is between them
 */
export function withPendingNotes(text: string, show: (text: string, key?: number) => ReactNode): ReactNode {
  if (!REFERENCE.test(text)) return show(text)
  return text.split(REFERENCE).map((stretch, index) =>
    index % 2 === 0 ? (
      show(stretch, index)
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- text grows at its end, so no stretch changes its index
      <PendingMark key={index} label={stretch} />
    ),
  )
}

/** A space as wide as a figure. */
const FIGURE = '\u2007'

/**
 * While the note may still come, an empty mark as wide as its number will be: notes are numbered as they are named, and most labels are
 * that number. Then the text that was written.
 */
function PendingMark({ label }: { readonly label: string }): ReactNode {
  if (!useContext(GrowingContext)) return <span>{`[^${label}]`}</span>
  return (
    <sup>
      <span className="cs-md-mark" data-pending="">
        {/^\d{1,3}$/.test(label) ? label : FIGURE}
      </span>
    </sup>
  )
}
