'use client'
import type { ReactNode } from 'react'
import { Fragment, memo, useContext } from 'react'
import { capMarks } from '../../base/cap-marks.ts'
import type { Citation } from '../../seam/agent-event.ts'
import { CitationContext } from './citation-context.ts'
import { CitationMark } from './citation-mark.tsx'
import { namesSource, splitAtMarks } from './citation-marks.ts'

const NONE: readonly Citation[] = []

export interface CitedTextProps {
  /** Plain text with marks such as `[1]` or `[1, 3]` in it. */
  readonly text: string
}

/**
 * Renders its text as `<span>`s without an element around them, with a `<button>` for each mark: `[1]` becomes a button once the
 * source of that number is there. Until then it is an empty mark of the same width while the `CitationProvider` is `live`, and
 * text when it is not, as an index like `a[7]` is. Copies as it was written.
 * For the text nodes of a markdown view as well. Without a `CitationProvider` around it is the text.
 *
 * @example
 * ```tsx
 * import type { Citation } from 'capstan'
 * import { CitationProvider, CitedText } from 'capstan/components'
 *
 * export const Words = ({ citations }: { citations: Citation[] }) => (
 *   <CitationProvider citations={citations}><CitedText text="Rivers meander [1]." /></CitationProvider>
 * )
 * ```
 */
export const CitedText = memo(function CitedText({ text }: CitedTextProps): ReactNode {
  const { citations = NONE, live = false } = useContext(CitationContext) ?? {}
  const pieces = splitAtMarks(capMarks(text)).map((stretch, index) => {
    if (index % 2 === 0 || !stretch.match(/\d+/g)?.every((figure) => namesSource(figure, citations, live)))
      // oxlint-disable-next-line react/no-array-index-key -- text grows at its end, so no stretch changes its index
      return stretch !== '' && <span key={index}>{stretch}</span>
    return (
      // oxlint-disable-next-line react/no-array-index-key -- text grows at its end, so no stretch changes its index
      <Fragment key={index}>
        {stretch.split(/(\d+)/).map((written, at) =>
          at % 2 === 0 ? (
            // oxlint-disable-next-line react/no-array-index-key -- nor does what is between two brackets
            <span key={at} className="cs-hidden">
              {written}
            </span>
          ) : (
            // oxlint-disable-next-line react/no-array-index-key -- nor does what is between two brackets
            <CitationMark key={at} figure={written} />
          ),
        )}
      </Fragment>
    )
  })
  // Returns an element instead of an array, so that types and documentation tools recognise a component.
  return <>{pieces}</>
})
