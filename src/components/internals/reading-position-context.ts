'use client'
import { createContext } from 'react'

/** What parts inside a transcript may ask about the reader. */
export interface ReadingPosition {
  /** Whether the reader is at the live edge, where changes above do not move what is being read. */
  atEnd(): boolean
}

/** Undefined outside of a `MessageList`: nobody scrolls there, so everyone is at the end. */
export const ReadingPositionContext = createContext<ReadingPosition | undefined>(undefined)
