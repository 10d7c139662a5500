'use client'
import { useSyncExternalStore } from 'react'

const never = (): (() => void) => () => {}

/** False on the server and in the first client render, then true: for text that depends on the reader's machine. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
