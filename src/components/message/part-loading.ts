import { useSyncExternalStore } from 'react'
import { onDemand } from '../on-demand.ts'
import type { PartComponents } from './part-components.tsx'
import { fetchParts, partsAtHand } from './parts-at-hand.ts'

const code = onDemand(fetchParts, partsAtHand)

function loadingNow(): PartComponents | 'loading' | 'failed' {
  return code.get() ?? (code.hasFailed() ? 'failed' : 'loading')
}

/**
 * The components of parts, once their code is here. It is fetched with the first transcript, so that it is here before a
 * connection is lost.
 */
export function usePartLoading(): PartComponents | 'loading' | 'failed' {
  return useSyncExternalStore(code.subscribe, loadingNow, loadingNow)
}

/** Fetches their code, again after a failure. Resolves once it is here or cannot be had. */
export function loadParts(): Promise<void> {
  return code.load().catch(() => {})
}

// A server whose code was bundled as for a browser, as that of a worker is: they are here before it answers.
if (typeof document === 'undefined') void loadParts()
