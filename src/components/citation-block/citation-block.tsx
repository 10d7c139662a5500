'use client'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { forwardRef, memo, useRef } from 'react'
import type { Citation } from '../../seam/agent-event.ts'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import type { RenderRoot } from '../internals/part.ts'
import { classNames, Root } from '../internals/part.ts'
import { sameProps } from '../internals/same-props.ts'
import { SourceList } from './source-list.tsx'
import { SourcesPanel } from './sources-panel.tsx'
import type { AttributesOf } from '../internals/attributes/part-attributes.ts'
import type { citationBlockAttributes } from './citation-block-attributes.ts'

type Attributes = AttributesOf<typeof citationBlockAttributes>

export interface CitationBlockProps extends Omit<ComponentPropsWithoutRef<'section'>, 'children'> {
  /** Sources in the order of their numbers, without doubles (`collectCitations`). */
  readonly citations: readonly Citation[]
  /**
   * A row of chips instead of a list: for answers that still grow, so that the end of the text stays the end.
   *
   * @default false
   */
  readonly compact?: boolean | undefined
  /** How many sources are here; with more, "Show all" opens the `SourcesPanel`. @default 6 */
  readonly limit?: number | undefined
  /** Replaces the root element; receives the props to spread and the part's state. @default the part's root element */
  readonly render?: RenderRoot<{ readonly count: number }> | undefined
}

/**
 * Renders a `<section>`: the sources of an answer, numbered from 1, with title, snippet, host and confidence. Addresses
 * pass the URL gate; what is not http, https or mailto is shown as text. Marks in the text lead here and numbers back
 * there when both are in one `CitationProvider`.
 *
 * @example
 * ```tsx
 * import type { Citation } from 'capstan'
 * import { CitationBlock } from 'capstan/components'
 *
 * const citations: Citation[] = [{ sourceId: 'bends', uri: 'https://rivers.example', title: 'How a bend begins' }]
 * export const Sources = () => <CitationBlock citations={citations} limit={3} />
 * ```
 */
export const CitationBlock = memo(
  forwardRef<HTMLElement, CitationBlockProps>(function CitationBlock(props, ref): ReactNode {
    const { citations, compact, limit = 6, render, className, ...rest } = props
    const strings = useDictionary().citations
    const panel = useRef<HTMLDialogElement>(null)
    const count = citations.length
    if (count === 0) return null
    return (
      <Root
        tag="section"
        render={render}
        root={{
          // A landmark for each answer would be a list of landmarks with one name.
          role: render ? undefined : 'group',
          'aria-label': strings.label,
          ...rest,
          className: classNames('cs-part cs-sources', className),
          'data-compact': (compact ? '' : undefined) satisfies Attributes['data-compact'],
          children: (
            <>
              <p className={compact ? 'cs-hidden' : 'cs-sources-title'} aria-hidden="true">
                <span>{`${strings.label} `}</span>
                <span className="cs-dim">{count}</span>
              </p>
              <SourceList
                citations={citations.slice(0, limit)}
                className={compact ? 'cs-source-chips' : 'cs-source-list'}
              />
              {count > limit && (
                <>
                  <button
                    type="button"
                    className="cs-button"
                    data-kind="plain"
                    data-size="small"
                    aria-haspopup="dialog"
                    onClick={() => panel.current?.showPopover()}
                  >
                    {strings.all(count)}
                  </button>
                  <SourcesPanel ref={panel} citations={citations} />
                </>
              )}
            </>
          ),
        }}
        state={{ count }}
        rootRef={ref}
      />
    )
  }),
  sameProps,
)
