import { createContext } from 'react'
import type { MarkdownRenderers } from './markdown-renderers.ts'
import type { MarkdownWords } from './markdown-words.ts'
import { englishMarkdownWords } from './markdown-words.ts'

/** What every node of a message's view may ask for. Stays the same object while the message grows. */
export interface MarkdownSettings {
  readonly renderers: MarkdownRenderers
  readonly words: MarkdownWords
}

export const MarkdownContext = createContext<MarkdownSettings>({ renderers: {}, words: englishMarkdownWords })

/** Numbers of footnotes by their labels, in the order in which the text names them first. */
export const FootnoteContext = createContext<ReadonlyMap<string, number>>(new Map())
