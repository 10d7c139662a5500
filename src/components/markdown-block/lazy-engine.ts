import { onDemand } from '../on-demand.ts'

const engine = onDemand(async () => (await import('./rich-text.tsx')).lazyEngine)

/** The engine, once its code is here. */
export const loadedEngine = engine.get

/** Fetches the code, once. */
export const loadEngine = engine.load

/**
 * Fetches the engine's code for the first who asks, and after it footnotes, what copies answers as HTML, tags and the rare names of
 * characters. If loading fails, text stays plain, and the next block retries.
 */
export function subscribeToEngine(listener: () => void): () => void {
  const unsubscribe = engine.subscribe(listener)
  loadEngine().then(
    () => engine.get()?.loadRest(),
    () => {},
  )
  return unsubscribe
}
