'use client'
import { createContext } from 'react'

/** Tells the chat around whether the panel of sources with that id is open, so that it makes space beside its text. */
export type TellOpenSources = (panelId: string, isOpen: boolean) => void

/** Outside a `Chat` nobody makes space. */
export const OpenSourcesContext = createContext<TellOpenSources>(() => {})
