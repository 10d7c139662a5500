'use client'
import type { ComponentPropsWithoutRef, ReactNode, RefObject } from 'react'
import { forwardRef, useContext, useEffect, useImperativeHandle, useRef, useState } from 'react'
import type { Citation } from '../../seam/agent-event.ts'
import { useDictionary, useLang } from '../dictionary/dictionary-context.tsx'
import { IconButton } from '../internals/icon-button.tsx'
import { OpenSourcesContext } from './open-sources-context.ts'
import { classNames } from '../internals/part.ts'
import { SHOWN_AT_FIRST, ShowMore } from '../internals/show-more.tsx'
import { SourceList } from './source-list.tsx'

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
