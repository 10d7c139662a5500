'use client'
import type { ReactNode } from 'react'
import { useCallback, useContext, useEffect, useRef, useState } from 'react'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { onDemand, useOnDemand } from '../on-demand/on-demand.ts'
import { CitationContext } from './citation-context.ts'
import { sourceTitle } from './source-title.ts'
import type { AttributesOf } from '../internals/attributes/part-attributes.ts'
import type { citationBlockAttributes } from './citation-block-attributes.ts'

type TargetAttributes = AttributesOf<typeof citationBlockAttributes, 'targets of marks'>
type MarkAttributes = AttributesOf<typeof citationBlockAttributes, 'marks'>

/** The card, whose code is fetched with the first hover or focus of a mark. */
export const citationCard = onDemand(() => import('./citation-card.tsx'))

const OPEN_MS = 300
/** Long enough to cross the gap between mark and card. */
const CLOSE_MS = 150

/**
 * The number of a source inside the text, as it was written, and the card of that source. A button and no
 * link: it opens something beside itself and has a state, while a link would offer tabs and bookmarks of
 * nothing. The card opens on hover (300 ms), focus and tap; Enter on a mark whose card is open leads to the
 * source in the list. `aria-expanded`; `data-active` while the reader is at its source.
 */
export function CitationMark({ figure }: { readonly figure: string }): ReactNode {
  const strings = useDictionary().citations
  const citing = useContext(CitationContext)
  const [open, setOpen] = useState(false)
  const [hovered, setHovered] = useState<boolean>()
  const whole = useRef<HTMLSpanElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const card = useOnDemand(citationCard, open || hovered === true)
  const number = +figure
  const citation = citing?.citations[number - 1]
  const addMark = citing?.addMark

  useEffect(() => addMark?.(number), [addMark, number])
  useEffect(() => {
    if (hovered === undefined) return
    timer.current = setTimeout(
      () => setOpen(hovered || !!whole.current?.querySelector(':focus')),
      hovered ? OPEN_MS : CLOSE_MS,
    )
    return () => clearTimeout(timer.current)
  }, [hovered])
  const close = useCallback(() => {
    // Closing also cancels a pending opening by hover.
    clearTimeout(timer.current)
    setOpen(false)
  }, [])

  if (!citing || !citation)
    return (
      <span className="cs-cite" data-pending={'' satisfies MarkAttributes['data-pending']}>
        {figure}
      </span>
    )
  const show = (): void => {
    if (whole.current) citing.show(whole.current, number)
    close()
  }
  return (
    <span
      ref={whole}
      // `pointermove`, not `pointerenter`: text that appears or scrolls under a resting mouse must not open a card.
      onPointerMove={({ pointerType }) => pointerType !== 'touch' && setHovered(true)}
      // A touch pointer never sets the hover state, so leaving changes nothing for it.
      onPointerLeave={() => setHovered((was) => was && false)}
      onFocus={() => setOpen(true)}
      // Without a related target, either the page lost the focus, or a press elsewhere took it; such a press closes the
      // card anyway.
      onBlur={({ relatedTarget, currentTarget }) => relatedTarget && !currentTarget.contains(relatedTarget) && close()}
    >
      <button
        type="button"
        className="cs-cite"
        aria-label={strings.source(number, sourceTitle(citation))}
        aria-haspopup="dialog"
        aria-expanded={open}
        data-source={(citing.prefix + number) satisfies TargetAttributes['data-source']}
        data-active={(citing.active === number ? '' : undefined) satisfies MarkAttributes['data-active']}
        // A pointer press only opens the card. Keys and screen readers (`detail` is 0) go to the source when the card
        // is open.
        onClick={({ detail }) => (open && detail === 0 ? show() : setOpen(true))}
      >
        {figure}
      </button>
      {open && card && <card.CitationCard citation={citation} number={number} onShow={show} onClose={close} />}
    </span>
  )
}
