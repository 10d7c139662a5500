import { useSyncExternalStore } from 'react'

/** Where rail and connection panel become sheets; playground.css switches at the same width. */
const query = window.matchMedia('(max-width: 60rem)')

function subscribe(listener: () => void): () => void {
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Whether there is space for the chat alone. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => query.matches)
}
