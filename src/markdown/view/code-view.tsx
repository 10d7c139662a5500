import type { ReactNode } from 'react'
import { memo, useContext } from 'react'
import type { Chunk, Chunks, Code, CodeLine } from '../tree/tree.ts'
import { MarkdownContext } from './markdown-context.ts'
import type { TailProps } from './pieces.tsx'
import { Pieces } from './pieces.tsx'
import { linesWithoutMarks, placesIn, showsMarks, withMarks, withoutPlaces } from './places.tsx'
import { showCode } from '../../base/text.ts'

/** Lines in groups of 16: another line is written into the last text node, and a browser lays out the last group alone. */
export function LineChunks({ chunks }: { readonly chunks: Chunks<CodeLine> }): ReactNode {
  // Only the last group is given the tail, which shows nothing and says that it is the last.
  return <Pieces chunks={chunks} piece={LineChunk} tail />
}

const LineChunk = memo(function LineChunk({ chunk, tail }: TailProps & { readonly chunk: Chunk<CodeLine> }): ReactNode {
  const last = tail === true
  const text = chunk.items.map((line) => line.text).join('\n')
  return <LineGroup last={last}>{withMarks(last ? text : `${text}\n`, showCode)}</LineGroup>
})

/** A group of lines: a block of its own as soon as another follows. The last one is inline, for what is after it. */
export function LineGroup({ last, children }: { readonly last: boolean; readonly children: ReactNode }): ReactNode {
  return <span className={last ? undefined : 'cs-md-lines'}>{children}</span>
}

/** The language of a fence: the first word behind it. */
function languageOf(info: string): string | undefined {
  return /^[^\s{]+/.exec(withoutPlaces(info))?.[0].toLowerCase()
}

/** The text of a block of code. */
export function codeBlockText(chunks: Chunks<CodeLine>): string {
  return withoutPlaces(chunks.map(({ items }) => items.map(({ text }) => text).join('\n')).join('\n'))
}

/** Code runs from left to right, whatever the language around it, and scrolls where a line is too long. */
export function CodeView({ code, tail }: { readonly code: Code; readonly tail?: ReactNode }): ReactNode {
  const { renderers, strings } = useContext(MarkdownContext)
  const { code: Own, math: Formula } = renderers
  const language = languageOf(code.info)
  if (Formula && language === 'math' && code.closed) {
    return (
      <>
        <Formula text={codeBlockText(code.lines)} display />
        {withMarks(placesIn(code.lines))}
      </>
    )
  }
  if (Own) {
    const within = showsMarks.has(Own)
    return (
      <>
        <Own
          language={language}
          lines={within ? code.lines : linesWithoutMarks(code.lines)}
          closed={code.closed}
          ended={code.closed || code.ended === true}
          tail={tail}
        />
        {!within && withMarks(placesIn(code.lines))}
      </>
    )
  }
  return (
    // A scrollable frame must be focusable by keyboard.
    <pre className="cs-code" dir="ltr" translate="no" tabIndex={0} role="region" aria-label={language ?? strings.code}>
      <code>
        <LineChunks chunks={code.lines} />
        {tail}
      </code>
    </pre>
  )
}
