'use client'
import type { ReactNode } from 'react'
import { Fragment, memo, useContext } from 'react'
import type { GapPart, TextPart } from '../../state/message.ts'
import { CitationContext } from '../citation-block/citation-context.ts'
import { cutText, markSupported } from '../citation-block/citation-marks.ts'
import { CitedText } from '../citation-block/cited-text.tsx'
import { GapMark } from '../gap-mark/gap-mark.tsx'
import { sameProps } from '../same-props.ts'
import type { RenderPart } from './render-part.ts'

interface TextFlowProps {
  readonly parts: readonly (TextPart | GapPart)[]
  readonly live: boolean
  readonly caret: boolean
  readonly renderPart: RenderPart | undefined
}

/** Running text with the marks of missing packets in it. Line breaks are kept as the agent wrote them. */
export const TextFlow = memo(function TextFlow({ parts, live, caret, renderPart }: TextFlowProps): ReactNode {
  return (
    <div className="cs-prose cs-text" dir="auto">
      {parts.map((part) => {
        const own = renderPart?.(part, { live })
        const kit = part.type === 'gap' ? <GapMark after={part.after} before={part.before} /> : <GrowingText text={part.text} />
        return <Fragment key={part.id}>{own === undefined ? kit : own}</Fragment>
      })}
      {caret && <span className="cs-caret" aria-hidden="true" />}
    </div>
  )
}, sameProps)

/** Text in pieces that stay the same while it grows: a token renders the last of them and leaves the others alone. */
function GrowingText({ text }: { readonly text: string }): ReactNode {
  const citations = useContext(CitationContext)?.citations ?? []
  return cutText(markSupported(text, citations)).map((piece, index) => (
    // Pieces come at the end and never change places.
    // oxlint-disable-next-line react/no-array-index-key
    <span key={index} className="cs-piece">
      <CitedText text={piece} />
    </span>
  ))
}
