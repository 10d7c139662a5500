'use client'
import type { Dispatch } from 'react'
import { createContext } from 'react'
import type { Citation } from '../../seam/agent-event.ts'

/** What the marks and the sources of one answer share. The same object until a source comes or the reader goes to another one. */
export interface Citing {
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
