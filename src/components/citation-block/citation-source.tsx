'use client'
import type { ReactNode } from 'react'
import type { Citation } from '../../protocols/agent-event.ts'
import { useDictionary } from '../dictionary-context.tsx'
import { LEAVING, hostOf, safeLink } from '../safe-url.ts'
import { sourceElementId } from './source-id.ts'

interface CitationSourceProps {
  readonly citation: Citation
  readonly number: number
  readonly prefix: string
  readonly compact: boolean
}

/** One numbered source: a link where its address is one, plain words where it is not. */
export function CitationSource({ citation, number, prefix, compact }: CitationSourceProps): ReactNode {
  const words = useDictionary().citations
  const link = safeLink(citation.uri)
  const host = link && hostOf(link)
  const title = citation.title || host || citation.sourceId
  const id = sourceElementId(prefix, number)
  const inside = (
    <>
      <span className="cs-cite" aria-hidden="true">
        {number}
      </span>
      <span className="cs-hidden">{words.source(number)}: </span>
      <b className="cs-strong cs-source-title" dir="auto">
        {title}
      </b>
      {!compact && citation.snippet && (
        <span className="cs-source-snippet" dir="auto">
          {citation.snippet}
        </span>
      )}
      {!compact && (
        <span className="cs-source-line">
          {host !== undefined && (
            <>
              <span className="cs-monogram" aria-hidden="true">
                {host.slice(0, 1)}
              </span>
              <bdi className="cs-clip">{host}</bdi>
            </>
          )}
          {!link && (
            <span className="cs-source-unsafe">
              <bdi>{citation.uri}</bdi> ({words.unsafe})
            </span>
          )}
          <span className="cs-grow" />
          {citation.confidence !== undefined && <Confidence share={citation.confidence} />}
        </span>
      )}
    </>
  )
  return (
    <li className="cs-sources-item">
      {link ? (
        <a className="cs-source" id={id} href={link.href} {...LEAVING}>
          {inside}
          <span className="cs-hidden">{words.newTab}</span>
        </a>
      ) : (
        <div className="cs-source" id={id} tabIndex={-1}>
          {inside}
        </div>
      )}
    </li>
  )
}

const BAR = { width: 36, height: 3 }

function Confidence({ share }: { readonly share: number }): ReactNode {
  const words = useDictionary().citations
  const clamped = Math.min(1, Math.max(0, share))
  return (
    <span className="cs-trust">
      <svg className="cs-trust-bar" viewBox={`0 0 ${BAR.width} ${BAR.height}`} width={BAR.width} height={BAR.height} aria-hidden="true">
        <rect className="cs-trust-track" width={BAR.width} height={BAR.height} rx="1.5" />
        <rect className="cs-trust-share" width={BAR.width * clamped} height={BAR.height} rx="1.5" />
      </svg>
      <span className="cs-hidden">{words.confidence(clamped)}</span>
      <span aria-hidden="true">{words.share(clamped)}</span>
    </span>
  )
}
