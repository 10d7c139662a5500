import { onDemand } from '../on-demand/on-demand.ts'
import type { MarkdownEngine } from './markdown-engine.ts'

let toHtml: MarkdownEngine['toHtml']
const engine = onDemand(async (): Promise<MarkdownEngine> => ({
  Text: (await import('./rich-text.tsx')).RichText,
  toHtml: (parts, math) => toHtml?.(parts, math),
}))
let loadingSyntax: Promise<void> | undefined
let loadingRest: Promise<unknown> | undefined

/** The engine, once its code is here. */
export const loadedEngine = engine.get

/** Fetches the code, once. */
export const loadEngine = engine.load

/**
 * Fetches the engine's code for the first who asks, and after it footnotes, what copies answers as HTML, tags and the rare names of
 * characters. Where it cannot be had, text stays plain, and whoever comes next asks again.
 */
export function subscribeToEngine(listener: () => void): () => void {
  const unsubscribe = engine.subscribe(listener)
  loadEngine().then(loadRest, () => {})
  return unsubscribe
}

/** Text is shown without waiting for them: most has none, and what was not known is read again. */
function loadRest(): void {
  loadingRest ??= import('./rest-of-engine.ts').then(
    (code) => {
      toHtml = code.toHtml
      return code.addFootnotes()
    },
    () => (loadingRest = undefined),
  )
  loadingSyntax ??= import('../../markdown/all-syntax.ts').then(
    ({ addAllSyntax }) => addAllSyntax(),
    () => (loadingSyntax = undefined),
  )
}
