import { addAllSyntax } from './all-syntax.ts'
import type { MarkdownOptions, MarkdownStream } from './markdown-stream.ts'
import { createBaseMarkdownStream } from './markdown-stream.ts'
import type { MarkdownRoot } from './inline/tree.ts'

/**
 * Reads CommonMark 0.31 with GitHub's tables, task lists, strikethrough, autolinks and footnotes, in pieces of any
 * size.
 *
 * @example
 * ```ts
 * import { createMarkdownStream } from 'capstan/markdown'
 *
 * const stream = createMarkdownStream()
 * for (const piece of ['Rivers ', '**meander**.']) stream.append(piece)
 * stream.finish()
 * console.log(stream.root)
 * ```
 */
export function createMarkdownStream(options?: MarkdownOptions): MarkdownStream {
  addAllSyntax()
  return createBaseMarkdownStream(options)
}

/**
 * The tree of a whole text.
 *
 * @example
 * ```ts
 * import { parseMarkdown } from 'capstan/markdown'
 *
 * const root = parseMarkdown('Rivers **meander**.')
 * console.log(root)
 * ```
 */
export function parseMarkdown(text: string, options?: MarkdownOptions): MarkdownRoot {
  const stream = createMarkdownStream(options)
  stream.append(text)
  stream.finish()
  return stream.root
}
