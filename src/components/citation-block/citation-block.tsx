'use client'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { memo, useId } from 'react'
import type { Citation } from '../../protocols/agent-event.ts'
import { useDictionary } from '../dictionary-context.tsx'
import type { RenderRoot } from '../part.ts'
import { classNames, renderRoot } from '../part.ts'
import { sameItems } from '../same-items.ts'
import { CitationSource } from './citation-source.tsx'

export interface CitationBlockProps extends Omit<ComponentPropsWithoutRef<'section'>, 'children'> {
  /** Sources in the order of their numbers, without doubles (`collectCitations`). */
  readonly citations: readonly Citation[]
  /** A row of chips instead of a list: for answers that still grow, so that the end of the text stays the end. */
  readonly compact?: boolean | undefined
  /** Element id prefix that `[1]` marks point to. Default: one of its own. */
  readonly prefix?: string | undefined
  readonly render?: RenderRoot<{ readonly count: number }>
}

/**
 * The sources of an answer, numbered from 1: title, snippet, host, confidence. Addresses pass the URL
 * gate; what is not http, https or mailto is shown as text. `data-compact`.
 */
export const CitationBlock = memo(function CitationBlock(props: CitationBlockProps): ReactNode {
  const { citations, compact = false, prefix, render, className, ...rest } = props
  const words = useDictionary().citations
  const own = useId()
  if (citations.length === 0) return null
  return renderRoot(
    'section',
    render,
    {
      'aria-label': words.label,
      ...rest,
      className: classNames('cs-part cs-sources', className),
      'data-compact': compact ? '' : undefined,
      children: (
        <>
          <p className={compact ? 'cs-hidden' : 'cs-sources-title'} aria-hidden="true">
            {words.label} <span className="cs-dim">{citations.length}</span>
          </p>
          <ol className="cs-sources-list">
            {citations.map((citation, index) => (
              <CitationSource
                key={JSON.stringify([citation.sourceId, citation.uri])}
                citation={citation}
                number={index + 1}
                prefix={prefix ?? own}
                compact={compact}
              />
            ))}
          </ol>
        </>
      ),
    },
    { count: citations.length },
  )
}, sameProps)

/** The list of citations is made anew for every token; its members are not. */
function sameProps(before: CitationBlockProps, after: CitationBlockProps): boolean {
  const { citations: had, ...others } = before
  const { citations: has, ...rest } = after
  return sameItems(had, has) && sameItems(Object.values(others), Object.values(rest))
}
