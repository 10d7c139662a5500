'use client'

import { type ReactNode, Fragment, memo, useContext, useCallback, useEffect, useRef, useState } from 'react'
import { capMarks } from '../../base/cap-marks.ts'
import type { Citation } from '../../seam/agent-event.ts'
import { CitationContext } from './citation-provider.tsx'
import { namesSource, splitAtMarks, sourceTitle } from './collect-citations.ts'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { onDemand, useOnDemand } from '../on-demand.ts'
import type { AttributesOf, PartAttributes } from '../internals/part.ts'

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
function CitationMark({ figure }: { readonly figure: string }): ReactNode {
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
  // Returns an element instead of an array, so that types and documentation tools recognise a component.
  return <>{useCitedText(text, true)}</>
})

/** The same inside of a markdown view, which observes its text: words between marks need no elements. */
export const CitedWords = ({ text }: CitedTextProps): ReactNode => useCitedText(text)

function useCitedText(text: string, wrapped?: boolean): ReactNode {
  const { citations = NONE, live = false } = useContext(CitationContext) ?? {}
  return splitAtMarks(capMarks(text)).map((stretch, index) => {
    if (index % 2 === 0 && !wrapped) return stretch
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
}

/** The `data-*` attributes of `CitationBlock`. */
export const citationBlockAttributes = {
  root: {
    selector: '.cs-sources',
    attributes: {
      'data-compact': { values: 'present', meaning: 'While it is a row of chips' },
    },
  },
  marks: {
    selector: '.cs-cite',
    internal: true,
    attributes: {
      'data-active': { values: 'present', meaning: 'While the reader is at the source of this mark' },
      'data-pending': { values: 'present', meaning: 'While the source of this mark may still come' },
    },
  },
  sources: {
    selector: '.cs-source-item',
    internal: true,
    attributes: {
      'data-active': { values: 'present', meaning: 'While the reader is at a mark of this source' },
    },
  },
  'targets of marks': {
    selector: '.cs-cite',
    internal: true,
    attributes: {
      'data-source': { values: 'any', meaning: 'Leads from a source back to its marks' },
    },
  },
} as const satisfies PartAttributes
