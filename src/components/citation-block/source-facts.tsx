'use client'
import type { ReactNode } from 'react'
import { capMarks } from '../../base/cap-marks.ts'
import type { Citation } from '../../seam/agent-event.ts'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { hostOf, safeLink } from '../../base/safe-url.ts'
import { sourceTitle } from './source-title.ts'

/** What a source is called and what it says. */
export function SourceFacts({ citation }: { readonly citation: Citation }): ReactNode {
  return (
    <>
      <b className="cs-strong cs-source-title" dir="auto">
        {capMarks(sourceTitle(citation))}
      </b>
      {citation.snippet && (
        <span className="cs-source-snippet" dir="auto">
          {capMarks(citation.snippet)}
        </span>
      )}
    </>
  )
}

/** Where a source is from: its host, or its address and why it is not a link. */
export function SourceHost({ uri }: { readonly uri: string }): ReactNode {
  const strings = useDictionary().citations
  const link = safeLink(uri)
  const host = link && hostOf(link)
  return (
    <>
      {/* A figure would be taken for the number of another source. */}
      {host && /^\p{L}/u.test(host) && (
        <span className="cs-monogram" aria-hidden="true">
          {host.slice(0, 1)}
        </span>
      )}
      <span className="cs-source-host">
        <bdi>{host ?? capMarks(uri)}</bdi>
        {!link && <span>{` (${strings.unsafe})`}</span>}
      </span>
    </>
  )
}

interface ConfidenceProps {
  /** 0 to 1. Absent: its place stays empty. */
  readonly share: number | undefined
  readonly text: (share: number) => string
}

/** How sure the agent is, as a bar and in words. */
export function Confidence({ share, text }: ConfidenceProps): ReactNode {
  return (
    share !== undefined && (
      <span className="cs-trust cs-figures">
        <progress className="cs-trust-bar" value={share} aria-hidden="true" />
        <span>{text(share)}</span>
      </span>
    )
  )
}
