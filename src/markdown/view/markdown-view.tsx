import type { ReactNode } from 'react'
import { Blocks } from './block-view.tsx'
import { Footnotes } from './footnotes.tsx'
import { FootnoteContext } from './markdown-context.ts'
import type { ParsedMarkdown } from './markdown-reader.ts'

export interface MarkdownViewProps {
  readonly reading: ParsedMarkdown
  /** What is after the last letter while the message grows: the caret. */
  readonly tail?: ReactNode
}

/** A message's tree on the page: what is the same object as before renders nothing. */
export function MarkdownView({ reading: { root, numbers }, tail }: MarkdownViewProps): ReactNode {
  return (
    <FootnoteContext.Provider value={numbers}>
      <Blocks chunks={root.children} group={Run} tail={tail} />
      {root.children.length === 0 && tail}
      <Footnotes footnotes={root.footnotes} />
    </FootnoteContext.Provider>
  )
}

function Run({ children }: { readonly children: ReactNode }): ReactNode {
  return <div className="cs-md-run">{children}</div>
}
