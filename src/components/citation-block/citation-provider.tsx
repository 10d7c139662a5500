'use client'

import { type ReactNode, useId, useMemo, useReducer, useState, type Dispatch, createContext } from 'react'
import type { Citation } from '../../seam/agent-event.ts'

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

/** What the marks and the sources of one answer share. The same object until a source comes or the reader goes to another one. */
interface Citing {
  readonly citations: readonly Citation[]
  /** More sources may come: a mark without a source has its place already. */
  readonly live: boolean
  /** Begins the id of every source: in the list `${prefix}1`, in the panel `${prefix}p1`. */
  readonly prefix: string
  /** The source the reader is at: its card is open, or pointer or focus is on it. 0: at none. */
  readonly active: number
  readonly setActive: Dispatch<number>
  /** The sources that have a mark in the text. */
  readonly marked: readonly number[]
  readonly addMark: Dispatch<number>
  /** Leads to a source: where it is, or else in the panel, which opens. */
  readonly show: (from: Element, number: number) => void
}

/** Undefined outside of a `CitationProvider`, where nothing is cited. */
export const CitationContext = createContext<Citing | undefined>(undefined)

/** Takes the keyboard and the eye to an element. The address bar stays: the page may route by its hash. */
export function goTo(element: HTMLElement): void {
  element.scrollIntoView({ block: 'nearest' })
  element.focus({ preventScroll: true })
}

/** Adds to how many panels of sources are open in the chat around, which makes space beside its text for them. */
type CountOpenSources = (change: number) => void

/** Outside a `Chat` nobody makes space. */
export const OpenSourcesContext = createContext<CountOpenSources>(() => {})
