'use client'

import { type ReactNode, type MouseEvent, useContext, useRef } from 'react'
import type { Citation } from '../../seam/agent-event.ts'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { LEAVING, safeLink } from '../internals/safe-url.ts'
import { CitationContext } from './citation-context.ts'
import { goTo } from './go-to.ts'
import { Confidence, SourceFacts, SourceHost } from './source-facts.tsx'
import type { AttributesOf } from '../internals/attributes/part-attributes.ts'
import type { citationBlockAttributes } from './citation-block-attributes.ts'

interface SourceListProps {
  readonly citations: readonly Citation[]
  readonly className: string
  readonly place?: string | undefined
}

/** Numbered sources, one under the other or side by side. */
export function SourceList({ citations, className, place }: SourceListProps): ReactNode {
  return (
    <ol className={className}>
      {citations.map((citation, index) => (
        <CitationSource
          key={JSON.stringify([citation.sourceId, citation.uri])}
          citation={citation}
          number={index + 1}
          place={place}
        />
      ))}
    </ol>
  )
}

type Attributes = AttributesOf<typeof citationBlockAttributes, 'sources'>

interface CitationSourceProps {
  readonly citation: Citation
  readonly number: number
  /** Between the prefix of the answer and the number in the element's id. */
  readonly place?: string | undefined
}

/**
 * One numbered source: a link where its address is one, plain words where it is not. Its number leads
 * back to the text: to the first mark that cites it, then to the next. `data-active`.
 */
function CitationSource({ citation, number, place = '' }: CitationSourceProps): ReactNode {
  const strings = useDictionary().citations
  const citing = useContext(CitationContext)
  const visits = useRef(0)
  const prefix = citing?.prefix ?? ''
  const link = safeLink(citation.uri)

  const goBack = ({ currentTarget }: MouseEvent<HTMLElement>): void => {
    // An element in a page is in a document or in a shadow root.
    const marks = (currentTarget.getRootNode() as Document | ShadowRoot).querySelectorAll<HTMLElement>(
      `[data-source="${prefix}${number}"]`,
    )
    const mark = marks[visits.current++ % marks.length]
    currentTarget.closest<HTMLElement>('[popover]')?.hidePopover?.()
    if (mark) goTo(mark)
  }
  const enter = (): void => citing?.setActive(number)
  const leave = (): void => citing?.setActive(0)

  const Place = link ? 'a' : 'div'
  return (
    // The handlers only track hover and focus; the item is not a control.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <li
      className="cs-source-item"
      data-active={(citing?.active === number ? '' : undefined) satisfies Attributes['data-active']}
      onPointerEnter={enter}
      onPointerLeave={leave}
      onFocus={enter}
      onBlur={leave}
    >
      {citing?.marked.includes(number) ? (
        <button
          type="button"
          className="cs-cite"
          aria-label={strings.back(number)}
          title={strings.back(number)}
          onClick={goBack}
        >
          {number}
        </button>
      ) : (
        <span className="cs-cite" aria-hidden="true">
          {number}
        </span>
      )}
      <Place
        id={citing && prefix + place + number}
        className="cs-source"
        {...(link ? { href: link.href, ...LEAVING } : { tabIndex: -1 })}
      >
        <span className="cs-hidden">{strings.source(number, '')}</span>
        <SourceFacts citation={citation} />
        <span className="cs-source-row">
          <SourceHost uri={citation.uri} />
          <Confidence share={citation.confidence} text={strings.share} />
        </span>
        {link && <span className="cs-hidden">{strings.newTab}</span>}
      </Place>
    </li>
  )
}
