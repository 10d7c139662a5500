import { addAllSyntax } from './all-syntax.ts'
import type { MarkdownStream } from './markdown-stream.ts'
import { createBaseMarkdownStream } from './markdown-stream.ts'
import type { MarkdownRoot } from './tree/tree.ts'

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
export function createMarkdownStream(): MarkdownStream {
  addAllSyntax()
  return createBaseMarkdownStream()
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
export function parseMarkdown(text: string): MarkdownRoot {
  const stream = createMarkdownStream()
  stream.append(text)
  stream.finish()
  return stream.root
}
