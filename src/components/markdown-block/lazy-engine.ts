import type { MarkdownEngine } from './markdown-engine.ts'

let engine: MarkdownEngine | undefined
let loading: Promise<void> | undefined
let loadingNames: Promise<void> | undefined
const listeners = new Set<() => void>()

/** The engine, once its code is here. */
export function loadedEngine(): MarkdownEngine | undefined {
  return engine
}

/**
 * Fetches the engine's code for the first who asks, and after it the rare names of characters. Where it cannot be had, text
 * stays plain, and whoever comes next asks again.
 */
export function subscribeToEngine(listener: () => void): () => void {
  listeners.add(listener)
  loadEngine().then(loadEntityNames, () => (loading = undefined))
  return () => listeners.delete(listener)
}

/** Fetches the code, once. */
export function loadEngine(): Promise<void> {
  return (loading ??= load())
}

/** Text is shown without waiting for them: most has none, and a name that was not known is read again. */
function loadEntityNames(): Promise<void> {
  return (loadingNames ??= import('../../markdown/inline/all-entities.ts').then(
    ({ addAllEntities }) => addAllEntities(),
    () => (loadingNames = undefined),
  ))
}

async function load(): Promise<void> {
  const { RichText } = await import('./rich-text.tsx')
  engine = { Text: RichText }
  for (const listener of listeners) listener()
}
