'use client'
import type { ReactNode } from 'react'
import { Fragment, memo, useContext } from 'react'
import { capMarks } from '../../base/cap-marks.ts'
import { CitationContext } from './citation-context.ts'
import { CitationMark } from './citation-mark.tsx'
import { splitAtMarks } from './citation-marks.ts'

export interface CitedTextProps {
  /** Plain text with marks such as `[1]` or `[1, 3]` in it. */
  readonly text: string
}

/**
 * Words with their marks: `[1]` becomes a button once the source of that number is there, and is text until
 * then, as an index like `a[7]` always is. Copies as it was written. For the text nodes of a markdown view as
 * well. Without a `CitationProvider` around it is the text.
 */
export const CitedText = memo(function CitedText({ text }: CitedTextProps): ReactNode {
  const citations = useContext(CitationContext)?.citations
  const pieces = splitAtMarks(capMarks(text)).map((stretch, index) => {
    if (index % 2 === 0 || !stretch.match(/\d+/g)?.every((figure) => citations?.[+figure - 1])) return stretch
    return (
      // oxlint-disable-next-line react/no-array-index-key -- text grows at its end, so no stretch changes its index
      <Fragment key={index}>
        {stretch.split(/(\d+)/).map((written, at) =>
          at % 2 === 0 ? (
            // oxlint-disable-next-line react/no-array-index-key -- nor does what stands between two brackets
            <span key={at} className="cs-hidden">
              {written}
            </span>
          ) : (
            // oxlint-disable-next-line react/no-array-index-key -- nor does what stands between two brackets
            <CitationMark key={at} figure={written} />
          ),
        )}
      </Fragment>
    )
  })
  // An element and not a list, so that whoever reads types or documents sees a component.
  return <>{pieces}</>
})
