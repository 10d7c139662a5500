'use client'

import {
  type ComponentPropsWithoutRef,
  type ReactNode,
  forwardRef,
  memo,
  useRef,
  type RefObject,
  useContext,
  useEffect,
  useImperativeHandle,
  useState,
  type MouseEvent,
} from 'react'
import type { Citation } from '../../seam/agent-event.ts'
import { useDictionary, useLang } from '../dictionary/dictionary-context.tsx'
import { type RenderRoot, classNames, Root, type AttributesOf } from '../internals/part.ts'
import { sameMembers } from '../../base/equal-json.ts'
import type { citationBlockAttributes } from './cited-text.tsx'
import { IconButton } from '../internals/buttons.tsx'
import { OpenSourcesContext, CitationContext, goTo } from './citation-provider.tsx'
import { SHOWN_AT_FIRST, ShowMore } from '../internals/folding.tsx'
import { LEAVING, safeLink } from '../../base/safe-url.ts'
import { Confidence, SourceFacts, SourceHost } from './source-facts.tsx'

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
  sameMembers,
)

export interface SourcesPanelProps extends Omit<ComponentPropsWithoutRef<'dialog'>, 'children' | 'open' | 'popover'> {
  /** Sources in the order of their numbers, without doubles (`collectCitations`). */
  readonly citations: readonly Citation[]
}

/**
 * Renders a `<dialog>`: all sources of an answer, closed until asked for. A native dialog with `popover`: any button
 * with its `id` as `popoverTarget` opens it, Escape, the back gesture and a press elsewhere close it, and the focus
 * goes back. Wide: beside the text, which stays in use. From 60rem down: a sheet of 72 % at the lower edge.
 *
 * @example
 * ```tsx
 * import type { Citation } from 'capstan'
 * import { SourcesPanel } from 'capstan/components'
 *
 * export const AllSources = ({ citations }: { citations: Citation[] }) => (
 *   <>
 *     <button popoverTarget="sources">All sources</button>
 *     <SourcesPanel id="sources" citations={citations} />
 *   </>
 * )
 * ```
 */
export const SourcesPanel = forwardRef<HTMLDialogElement, SourcesPanelProps>(function SourcesPanel(
  { citations, className, ...rest },
  ref,
): ReactNode {
  const strings = useDictionary().citations
  const [limit, setLimit] = useState(SHOWN_AT_FIRST)
  const panel = useRef<HTMLDialogElement>(null)
  // The element is there whenever a ref is asked for.
  useImperativeHandle(ref, () => panel.current as HTMLDialogElement)
  useTellOpen(panel)
  return (
    <dialog
      lang={useLang()}
      aria-label={strings.label}
      {...rest}
      ref={panel}
      popover="auto"
      className={classNames('cs-part cs-source-panel', className)}
    >
      <p className="cs-source-head">
        <b className="cs-strong">{strings.label}</b>
        <span className="cs-dim cs-grow">{citations.length}</span>
        <IconButton
          icon="x"
          size={20}
          label={strings.close}
          onClick={({ currentTarget }) => currentTarget.closest('dialog')?.hidePopover()}
        />
      </p>
      <SourceList citations={citations.slice(0, limit)} className="cs-source-list" place="p" />
      {citations.length > limit && (
        <ShowMore left={citations.length - limit} onShow={() => setLimit(limit + SHOWN_AT_FIRST)} />
      )}
    </dialog>
  )
})

/** Tells the chat when the panel opens and closes. A selector with `:has()` would search the whole chat for each new word. */
function useTellOpen(panel: RefObject<HTMLDialogElement | null>): void {
  const add = useContext(OpenSourcesContext)
  useEffect(() => {
    const element = panel.current
    let open = 0
    const follow = (now: number): void => {
      add(now - open)
      open = now
    }
    // React 18 has no such prop for a dialog.
    const onToggle = ({ newState }: ToggleEvent): void => follow(newState === 'open' ? 1 : 0)
    element?.addEventListener('toggle', onToggle)
    return () => {
      element?.removeEventListener('toggle', onToggle)
      follow(0)
    }
  }, [panel, add])
}

interface SourceListProps {
  readonly citations: readonly Citation[]
  readonly className: string
  readonly place?: string | undefined
}

/** Numbered sources, one under the other or side by side. */
function SourceList({ citations, className, place }: SourceListProps): ReactNode {
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

type SourceAttributes = AttributesOf<typeof citationBlockAttributes, 'sources'>

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
      data-active={(citing?.active === number ? '' : undefined) satisfies SourceAttributes['data-active']}
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
