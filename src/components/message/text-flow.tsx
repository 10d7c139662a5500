'use client'
import type { ReactElement, ReactNode } from 'react'
import { Fragment, memo, useContext } from 'react'
import type { GapPart, TextPart } from '../../state/conversation/message.ts'
import { CitationContext } from '../citation-block/citation-context.ts'
import { cutText, markSupported, withoutHalfMark } from '../citation-block/citation-marks.ts'
import { CitedText } from '../citation-block/cited-text.tsx'
import { GapMark } from '../gap-mark/gap-mark.tsx'
import type { MarkdownEngine, MarkdownTextProps, TextGap } from '../markdown-block/markdown-engine.ts'
import { useMarkdown } from '../markdown-block/markdown-provider.tsx'
import { classNames } from '../internals/part.ts'
import { sameMembers } from '../../base/equal-json.ts'
import type { RenderPart } from './render-part.ts'

interface TextFlowProps {
  readonly parts: readonly (TextPart | GapPart)[]
  readonly live: boolean
  readonly caret: boolean
  readonly renderPart: RenderPart | undefined
}

/** A constant element: a piece of text that did not change does not render again because of it. */
const CARET = <span className="cs-caret" aria-hidden="true" />

/** Running text with the marks of missing packets in it, as markdown, or as the agent wrote it where that is not wanted or not there yet. */
export const TextFlow = memo(function TextFlow({ parts, live, caret, renderPart }: TextFlowProps): ReactNode {
  const { engine, renderers } = useMarkdown()
  const end = caret && CARET
  const own = parts.map((part) => renderPart?.(part, { live }))
  const lastOwn = own.findLastIndex((shown) => shown !== undefined)
  // With markdown, the caret is inside the last element.
  const within = engine && lastOwn < parts.length - 1
  // Text and gaps between two parts that the host renders form one markdown document.
  let run: (TextPart | GapPart)[] | undefined
  const shown: ReactElement[] = []
  for (const [at, part] of parts.entries()) {
    if (own[at] !== undefined) {
      run = undefined
      shown.push(<Fragment key={part.id}>{own[at]}</Fragment>)
    } else if (engine && run) run.push(part)
    else if (engine || part.type === 'text') {
      run = [part]
      shown.push(
        <Words
          key={part.id}
          parts={run}
          live={live}
          tail={at > lastOwn && end}
          engine={engine}
          renderers={renderers}
        />,
      )
    } else shown.push(<GapMark key={part.id} after={part.after} before={part.before} />)
  }
  return (
    <div className={classNames('cs-prose', !engine && 'cs-text')} dir="auto">
      {shown}
      {!within && end}
    </div>
  )
}, sameMembers)

interface WordsProps extends Omit<MarkdownTextProps, 'text' | 'gaps'> {
  readonly engine: MarkdownEngine | undefined
  readonly parts: readonly (TextPart | GapPart)[]
}

function Words({ engine, parts, ...rest }: WordsProps): ReactNode {
  const citations = useContext(CitationContext)?.citations ?? []
  const gaps: TextGap[] = []
  let text = ''
  for (const part of parts) {
    if (part.type === 'text') text += markSupported(part.text, citations)
    else gaps.push({ ...part, at: text.length })
  }
  if (engine) return <engine.Text {...rest} text={text} gaps={gaps} />
  // In pieces that stay the same while the text grows: a token renders the last of them and leaves the others alone.
  return cutText(rest.live ? withoutHalfMark(text) : text).map((piece, index) => (
    // Pieces come at the end and never change places.
    // oxlint-disable-next-line react/no-array-index-key
    <span key={index} className="cs-piece">
      <CitedText text={piece} />
    </span>
  ))
}
