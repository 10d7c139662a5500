import type { MouseEvent, ReactNode } from 'react'
import { useContext } from 'react'
import { FootnoteContext, MarkdownContext } from './markdown-context.ts'

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
  if (number === undefined) return <span>{`[^${label}]`}</span>
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
