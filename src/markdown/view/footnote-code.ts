import type { ComponentType } from 'react'
import type { Footnote } from '../inline/tree.ts'
import type { NumberFootnotes } from './number-footnotes.ts'

/** What shows footnotes, which most answers have none of. */
export interface FootnoteCode {
  readonly number: NumberFootnotes
  readonly List: ComponentType<{ readonly footnotes: readonly Footnote[] }>
}

let code: FootnoteCode | undefined
const listeners = new Set<() => void>()

/** Undefined before it is here: notes are not shown, and their marks are text. */
export function footnoteCode(): FootnoteCode | undefined {
  return code
}

export function subscribeToFootnoteCode(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Makes footnotes known to all documents. */
export function addFootnoteCode(added: FootnoteCode): void {
  if (code) return
  code = added
  // Not at once: a component that renders may have added it.
  queueMicrotask(() => {
    for (const listener of listeners) listener()
  })
}
