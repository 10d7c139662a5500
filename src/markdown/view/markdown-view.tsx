import type { ReactNode } from 'react'
import { Blocks } from './block-view.tsx'
import type { FootnoteCode } from './footnotes/footnote-code.ts'
import { FootnoteContext } from './markdown-context.ts'
import type { ParsedMarkdown } from './markdown-reader.ts'
import { RenewableRun } from './foreign-changes/renewable-run.tsx'

export interface MarkdownViewProps {
  readonly reading: ParsedMarkdown
  /** Absent: notes are not shown. */
  readonly notes?: FootnoteCode | undefined
  /** What is after the last letter while the message grows: the caret. */
  readonly tail?: ReactNode
}

/** A message's tree on the page: what is the same object as before renders nothing. */
export function MarkdownView({ reading: { root, numbers }, notes, tail }: MarkdownViewProps): ReactNode {
  return (
    <FootnoteContext.Provider value={numbers}>
      <Blocks chunks={root.children} group={RenewableRun} tail={tail} />
      {root.children.length === 0 && tail}
      {notes && <notes.List footnotes={root.footnotes} />}
    </FootnoteContext.Provider>
  )
}
