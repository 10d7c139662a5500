'use client'
import type { ReactNode } from 'react'
import { useContext, useEffect } from 'react'
import type { Citation } from '../../seam/agent-event.ts'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { OpenLink } from '../internals/open-link.tsx'
import { safeLink } from '../internals/safe-url.ts'
import { CitationContext } from './citation-context.ts'
import { Confidence, SourceFacts, SourceHost } from './source-facts.tsx'
import { sourceTitle } from './source-title.ts'
import { useOpenCard } from './use-open-card.ts'

interface CitationCardProps {
  readonly citation: Citation
  readonly number: number
  /** Leads to the source in the list. */
  readonly onShow: () => void
  readonly onClose: () => void
}

/**
 * Card of the source that a mark cites: a non-modal dialog directly after its mark in the document. It is not a tooltip
 * because it contains controls. Tab moves from the mark into the card and then on into the text. Opening it neither
 * moves the focus nor announces anything, so reading is not interrupted. On narrow and touch screens it is a sheet at
 * the lower edge.
 */
export function CitationCard({ citation, number, onShow, onClose }: CitationCardProps): ReactNode {
  const strings = useDictionary().citations
  const setActive = useContext(CitationContext)?.setActive
  const card = useOpenCard(onClose)
  useEffect(() => {
    setActive?.(number)
    return () => setActive?.(0)
  }, [setActive, number])
  const link = safeLink(citation.uri)
  return (
    // Spans, because text may be in a paragraph, and a paragraph holds no blocks.
    <span
      ref={card}
      popover="manual"
      role="dialog"
      aria-label={strings.source(number, sourceTitle(citation))}
      tabIndex={-1}
      className="cs-part cs-source-card"
    >
      <button type="button" className="cs-grab" aria-label={strings.close} onPointerUp={onClose} onClick={onClose} />
      <span className="cs-source-row">
        <SourceHost uri={citation.uri} />
        <button type="button" className="cs-button" data-kind="link" onClick={onShow}>
          {strings.show}
        </button>
      </span>
      <SourceFacts citation={citation} />
      <span className="cs-source-row">
        <Confidence share={citation.confidence} text={strings.confidence} />
        {link && (
          <OpenLink data-kind="link" href={link.href}>
            {strings.open}
          </OpenLink>
        )}
      </span>
    </span>
  )
}
