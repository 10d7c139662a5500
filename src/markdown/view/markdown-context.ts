import { createContext } from 'react'
import type { MarkdownRenderers } from './markdown-renderers.ts'
import type { MarkdownStrings } from './markdown-strings.ts'
import { englishMarkdownStrings } from './markdown-strings.ts'

/** What every node of a message's view may ask for. Stays the same object while the message grows. */
export interface MarkdownSettings {
  readonly renderers: MarkdownRenderers
  readonly strings: MarkdownStrings
}

export const MarkdownContext = createContext<MarkdownSettings>({ renderers: {}, strings: englishMarkdownStrings })

/** More text may come. */
export const GrowingContext = createContext(false)

/** Numbers of footnotes by their labels, in the order in which the text names them first. */
export const FootnoteContext = createContext<ReadonlyMap<string, number>>(new Map())
