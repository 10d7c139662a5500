import type { MarkdownEngine } from './markdown-engine.ts'

let engine: MarkdownEngine | undefined
let loading: Promise<void> | undefined
const listeners = new Set<() => void>()

/** The engine, once its code is here. */
export function loadedEngine(): MarkdownEngine | undefined {
  return engine
}

/** Fetches the engine's code for the first who asks. Where it cannot be had, text stays plain, and whoever comes next asks again. */
export function subscribeToEngine(listener: () => void): () => void {
  listeners.add(listener)
  loadEngine().catch(() => (loading = undefined))
  return () => listeners.delete(listener)
}

/** Fetches the code, once. */
export function loadEngine(): Promise<void> {
  return (loading ??= load())
}

async function load(): Promise<void> {
  const { markdownEngine } = await import('./rich-text.tsx')
  engine = markdownEngine
  for (const listener of listeners) listener()
}
