'use client'
import { createContext } from 'react'
import type { Draft } from './draft.ts'

/** The draft that a composer and the messages around it share. `Chat` gives one; without one, unsent messages have no Edit. */
export const DraftContext = createContext<Draft | null>(null)
