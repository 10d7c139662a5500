'use client'
import type { ReactNode } from 'react'
import { useId, useMemo, useReducer, useState } from 'react'
import type { Citation } from '../../seam/agent-event.ts'
import type { Citing } from './citation-context.ts'
import { CitationContext } from './citation-context.ts'
import { goTo } from './go-to.ts'

export interface CitationProviderProps {
  /** The sources of one answer, in the order of their numbers. Pass the same list while its members are the same, as `collectCitations` does. */
  readonly citations: readonly Citation[]
  /**
   * More sources may come. Until then a mark whose source is not there is an empty mark as wide as it will be, and nothing moves
   * when the source comes; where none has come by the end, the mark is the text that it was written as.
   *
   * @default false
   */
  readonly live?: boolean | undefined
  /** The text of the answer (`CitedText`, `MarkdownBlock`) and its `CitationBlock`. Absent: none. */
  readonly children?: ReactNode
}

const withNumber = (known: readonly number[], number: number): readonly number[] =>
  known.includes(number) ? known : [...known, number]

/**
 * Renders its children, and joins the marks in the text of one answer to its sources, and back. `Message` has one; text
 * of your own needs one around.
 *
 * @example
 * ```tsx
 * import type { Citation } from 'capstan'
 * import { CitationBlock, CitationProvider, CitedText } from 'capstan/components'
 *
 * export const Note = ({ citations }: { citations: Citation[] }) => (
 *   <CitationProvider citations={citations}>
 *     <CitedText text="Rivers meander [1]." />
 *     <CitationBlock citations={citations} />
 *   </CitationProvider>
 * )
 * ```
 */
export function CitationProvider({ citations, live = false, children }: CitationProviderProps): ReactNode {
  const prefix = useId()
  const [active, setActive] = useState(0)
  const [marked, addMark] = useReducer(withNumber, [])
  const citing = useMemo((): Citing => {
    const show = (from: Element, number: number): void => {
      // An element in a page is in a document or in a shadow root, and both find by id.
      const root = from.getRootNode() as Document | ShadowRoot
      const kept = root.getElementById(`${prefix}p${number}`)
      // The panel, where it is open; else the list; else the panel opens.
      // Of very many sources the panel shows the first ones until it is asked for more.
      const source = kept?.offsetParent
        ? kept
        : (root.getElementById(prefix + number) ?? kept ?? root.getElementById(`${prefix}p1`))
      source?.closest<HTMLElement>('[popover]')?.showPopover?.()
      if (source) goTo(source)
    }
    return { citations, live, prefix, active, setActive, marked, addMark, show }
  }, [citations, live, prefix, active, marked])
  return <CitationContext.Provider value={citing}>{children}</CitationContext.Provider>
}
