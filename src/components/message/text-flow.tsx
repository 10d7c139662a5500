'use client'
import type { ReactNode } from 'react'
import { Fragment, memo } from 'react'
import type { GapPart, TextPart } from '../../state/message.ts'
import { CitationMark } from '../citation-block/citation-mark.tsx'
import { findMarks } from '../citation-block/citation-marks.ts'
import { GapMark } from '../gap-mark/gap-mark.tsx'
import { sameItems } from '../same-items.ts'
import type { RenderPart } from './render-part.ts'

interface TextFlowProps {
  readonly parts: readonly (TextPart | GapPart)[]
  /** How many sources `[1]` marks may name. */
  readonly sources: number
  readonly prefix: string
  readonly live: boolean
  readonly caret: boolean
  readonly renderPart: RenderPart | undefined
}

/** Running text with the marks of missing packets in it. Line breaks are kept as the agent wrote them. */
export const TextFlow = memo(
  function TextFlow({ parts, sources, prefix, live, caret, renderPart }: TextFlowProps): ReactNode {
    return (
      <div className="cs-prose cs-text" dir="auto">
        {parts.map((part) =>
          part.type === 'gap' ? (
            <GapMark key={part.id} after={part.after} before={part.before} />
          ) : (
            <Fragment key={part.id}>
              {renderPart?.(part, { live }) ?? <MarkedText text={part.text} sources={sources} prefix={prefix} />}
            </Fragment>
          ),
        )}
        {caret && <span className="cs-caret" aria-hidden="true" />}
      </div>
    )
  },
  ({ parts: had, ...before }, { parts: has, ...after }) =>
    sameItems(had, has) && sameItems(Object.values(before), Object.values(after)),
)

function MarkedText({ text, sources, prefix }: { readonly text: string; readonly sources: number; readonly prefix: string }): ReactNode {
  return findMarks(text, sources).map((stretch) =>
    stretch.type === 'words' ? (
      <Fragment key={stretch.at}>{stretch.text}</Fragment>
    ) : (
      <CitationMark key={stretch.at} numbers={stretch.numbers} prefix={prefix} />
    ),
  )
}
