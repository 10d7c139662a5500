'use client'
import type { ReactNode } from 'react'
import { addAllSyntax } from '../../markdown/all-syntax.ts'
import { toHtml } from './to-html.ts'
import { addFootnotes } from '../../markdown/view/footnotes.tsx'
import type { MarkdownEngine, MarkdownTextProps } from './markdown-engine.ts'
import { RichText } from './rich-text.tsx'

function WholeText(props: MarkdownTextProps): ReactNode {
  addAllSyntax()
  addFootnotes()
  return <RichText {...props} />
}

/**
 * The markdown engine for a `MarkdownProvider`: with it the code is in the bundle, and answers are markdown from the
 * first render on.
 *
 * @example
 * ```tsx
 * import { Chat, MarkdownProvider } from 'capstan/components'
 * import { markdownEngine } from 'capstan/markdown'
 *
 * export const App = () => <MarkdownProvider engine={markdownEngine}><Chat /></MarkdownProvider>
 * ```
 */
export const markdownEngine: MarkdownEngine = { Text: WholeText, toHtml }
