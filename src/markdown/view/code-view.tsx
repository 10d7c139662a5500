import type { ReactNode } from 'react'
import { memo, useContext } from 'react'
import type { Chunk, Chunks, Code, CodeLine } from '../tree.ts'
import { MarkdownContext } from './markdown-context.ts'
import { showHidden } from './show-hidden.ts'

/** Lines in pieces of 32: one more is written into the last text node, and all others stay. */
export function LineChunks({ chunks }: { readonly chunks: Chunks<CodeLine> }): ReactNode {
  return chunks.map((chunk, at) => <LineChunk key={chunk.key} chunk={chunk} first={at === 0} />)
}

const LineChunk = memo(function LineChunk({ chunk, first }: { readonly chunk: Chunk<CodeLine>; readonly first: boolean }): ReactNode {
  const text = showHidden(chunk.items.map((line) => line.text).join('\n'))
  return first ? text : `\n${text}`
})

/** The language of a fence: the first word behind it. */
export function languageOf(info: string): string | undefined {
  return /^[^\s{]+/.exec(info)?.[0].toLowerCase()
}

/** The text of a block of code. */
export function codeText(chunks: Chunks<CodeLine>): string {
  return chunks.map(({ items }) => items.map(({ text }) => text).join('\n')).join('\n')
}

/** Code runs from left to right, whatever the language around it, and scrolls where a line is too long. */
export function CodeView({ code, tail }: { readonly code: Code; readonly tail?: ReactNode }): ReactNode {
  const { renderers, words } = useContext(MarkdownContext)
  const { code: Own, math: Formula } = renderers
  const language = languageOf(code.info)
  if (Formula && language === 'math' && code.closed) return <Formula text={codeText(code.lines)} display />
  if (Own) return <Own language={language} lines={code.lines} closed={code.closed} tail={tail} />
  return (
    // A frame that scrolls must be within reach of the keyboard.
    <pre className="cs-code" dir="ltr" translate="no" tabIndex={0} role="region" aria-label={language ?? words.code}>
      <code>
        <LineChunks chunks={code.lines} />
        {tail}
      </code>
    </pre>
  )
}
