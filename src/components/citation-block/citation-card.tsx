'use client'

import { type ReactNode, useContext, useEffect, type RefObject, useLayoutEffect, useRef } from 'react'
import type { Citation } from '../../seam/agent-event.ts'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { OpenLink } from '../internals/open-link.tsx'
import { safeLink } from '../../base/safe-url.ts'
import { CitationContext } from './citation-provider.tsx'
import { Confidence, SourceFacts, SourceHost } from './source-facts.tsx'
import { sourceTitle } from './collect-citations.ts'
import { rootsOf, windowOf } from '../../base/node-page.ts'

/** A press elsewhere, a key, and anything else that opens over the page: another card, a menu, a dialog. */
const HEARD = ['pointerdown', 'keydown', 'beforetoggle', 'cs-card']

/**
 * Puts a card into the top layer for as long as it is mounted, where the style sheet places it below its mark.
 * It asks to be closed by Escape, by a press elsewhere, and when something else opens: there is one in a page.
 */
function useOpenCard(onClose: () => void): RefObject<HTMLSpanElement | null> {
  const ref = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    const card = ref.current
    const whole = card?.parentElement
    if (!card || !whole) return
    const hear = (event: Event): void => {
      const escape = 'key' in event && event.key === 'Escape'
      if ('key' in event ? !escape : event.composedPath().includes(whole)) return
      if (escape) {
        // Stops the event here, because Escape also stops the answer.
        event.preventDefault()
        event.stopPropagation()
        if (whole.querySelector(':focus')) whole.querySelector('button')?.focus()
      }
      onClose()
    }
    // Dispatched before the card is shown, so that the previous card closes in the same frame.
    card.dispatchEvent(new Event('cs-card', { bubbles: true, composed: true }))
    const listening = new AbortController()
    const options = { capture: true, signal: listening.signal }
    // Outside of a shadow root an event does not tell where inside it happened: a listener inside decides about it.
    let inside: readonly Node[] = []
    for (const root of rootsOf(card)) {
      const inner = inside
      const listen = (event: Event): void => {
        if (!event.composedPath().some((node) => inner.includes(node as Node))) hear(event)
      }
      for (const type of HEARD) root.addEventListener(type, listen, options)
      if ('host' in root) inside = [root, root.host as Node]
    }
    // In the next frame: the focus may come from a popover that is closing, and two popovers cannot change at the same
    // time.
    const view = windowOf(card)
    const frame = view?.requestAnimationFrame(() => card.showPopover?.())
    return () => {
      if (frame !== undefined) view?.cancelAnimationFrame(frame)
      listening.abort()
    }
  }, [onClose])
  return ref
}

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
