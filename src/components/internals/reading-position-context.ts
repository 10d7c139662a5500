'use client'
import { createContext } from 'react'

/** What parts inside a transcript may ask about the reader. */
export interface ReadingPosition {
  /** Whether the reader is at the live edge, where changes above do not move what is being read. */
  atEnd(): boolean
}

/** Outside a `MessageList` nobody scrolls, so everyone is at the end. */
export const ReadingPositionContext = createContext<ReadingPosition>({ atEnd: () => true })
