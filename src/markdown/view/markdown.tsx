'use client'
import type { ReactNode } from 'react'
import { addAllSyntax } from '../all-syntax.ts'
import { addFootnotes } from './footnotes.tsx'
import { MarkdownDocument } from './markdown-document.tsx'
import type { MarkdownProps } from './markdown-props.ts'

/**
 * Renders a `<div>`: CommonMark 0.31 with tables, strikethrough, task lists, bare links and footnotes, while it grows.
 * A token costs what it adds, and what is complete stays the same elements. HTML is shown as text, links lead to
 * absolute http, https, mailto and tel addresses only, pictures are links until `renderers.image` makes more of them,
 * and no id, class or style of the message reaches the page.
 *
 * @example
 * ```tsx
 * import { Markdown } from 'capstan/markdown'
 *
 * export function Answer({ text, done }: { text: string; done: boolean }) {
 *   return <Markdown text={text} live={!done} />
 * }
 * ```
 */
export function Markdown(props: MarkdownProps): ReactNode {
  addAllSyntax()
  addFootnotes()
  return <MarkdownDocument {...props} />
}
