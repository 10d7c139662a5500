'use client'
import { createContext } from 'react'

/** Adds to how many panels of sources are open in the chat around, which makes space beside its text for them. */
export type CountOpenSources = (change: number) => void

/** Outside a `Chat` nobody makes space. */
export const OpenSourcesContext = createContext<CountOpenSources>(() => {})
