'use client'
import type { ReactNode } from 'react'
import type { Citation } from '../../seam/agent-event.ts'
import { CitationSource } from './citation-source.tsx'

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
