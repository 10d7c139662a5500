'use client'
import type { ReactNode } from 'react'
import { Fragment, memo, useContext } from 'react'
import type { GapPart, TextPart } from '../../state/message.ts'
import { CitationContext } from '../citation-block/citation-context.ts'
import { cutText, markSupported } from '../citation-block/citation-marks.ts'
import { CitedText } from '../citation-block/cited-text.tsx'
import { GapMark } from '../gap-mark/gap-mark.tsx'
import type { MarkdownEngine, MarkdownTextProps } from '../markdown-block/markdown-engine.ts'
import { useMarkdown } from '../markdown-block/markdown-provider.tsx'
import { classNames } from '../part.ts'
import { sameProps } from '../same-props.ts'
import type { RenderPart } from './render-part.ts'

interface TextFlowProps {
  readonly parts: readonly (TextPart | GapPart)[]
  readonly live: boolean
  readonly caret: boolean
  readonly renderPart: RenderPart | undefined
}

/** Running text with the marks of missing packets in it, as markdown, or as the agent wrote it where that is not wanted or not there yet. */
export const TextFlow = memo(function TextFlow({ parts, live, caret, renderPart }: TextFlowProps): ReactNode {
  const { engine, renderers } = useMarkdown()
  const end = caret && <span className="cs-caret" aria-hidden="true" />
  const own = parts.map((part) => renderPart?.(part, { live }))
  const last = parts.length - 1
  // Markdown ends in the middle of its elements, and the caret with it.
  const within = engine && parts[last]?.type === 'text' && own[last] === undefined
  return (
    <div className={classNames('cs-prose', !engine && 'cs-text')} dir="auto">
      {parts.map((part, at) => {
        if (own[at] !== undefined) return <Fragment key={part.id}>{own[at]}</Fragment>
        if (part.type === 'gap') return <GapMark key={part.id} after={part.after} before={part.before} />
        return <Words key={part.id} text={part.text} live={live} tail={within && at === last && end} engine={engine} renderers={renderers} />
      })}
      {!within && end}
    </div>
  )
}, sameProps)

interface WordsProps extends MarkdownTextProps {
  readonly engine: MarkdownEngine | undefined
}

function Words({ engine, text, live, tail, renderers }: WordsProps): ReactNode {
  const citations = useContext(CitationContext)?.citations ?? []
  const marked = markSupported(text, citations)
  if (engine) return <engine.Text text={marked} live={live} tail={tail} renderers={renderers} />
  // In pieces that stay the same while the text grows: a token renders the last of them and leaves the others alone.
  return cutText(marked).map((piece, index) => (
    // Pieces come at the end and never change places.
    // oxlint-disable-next-line react/no-array-index-key
    <span key={index} className="cs-piece">
      <CitedText text={piece} />
    </span>
  ))
}
