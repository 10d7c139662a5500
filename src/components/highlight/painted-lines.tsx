import type { ReactNode } from 'react'
import { createElement, memo } from 'react'
import { capMarks } from '../../base/cap-marks.ts'
import type { Chunk, Chunks, CodeLine } from '../../markdown/tree/tree.ts'
import { withMarks } from '../../markdown/view/places.tsx'
import { LineGroup } from '../../markdown/view/code-view.tsx'
import { showCode } from '../../base/text/show-hidden.ts'
import type { Painted, PaintedLine } from './block-highlighting.ts'
import type { AttributesOf } from '../internals/attributes/part-attributes.ts'
import type { markdownBlockAttributes } from '../markdown-block/markdown-block-attributes.ts'

type TokenAttributes = AttributesOf<typeof markdownBlockAttributes, 'highlighted code'>

/** The lines of a block, each in colour as soon as it is painted. The letters are those of the plain block, one for one. */
export function PaintedLines({
  chunks,
  painted,
}: {
  readonly chunks: Chunks<CodeLine>
  readonly painted: Painted
}): ReactNode {
  return chunks.map((chunk, at) => (
    <PaintedChunk key={chunk.key} chunk={chunk} painted={painted[at]} last={at === chunks.length - 1} />
  ))
}

interface PaintedChunkProps {
  readonly chunk: Chunk<CodeLine>
  readonly painted: readonly PaintedLine[] | undefined
  readonly last: boolean
}

const PaintedChunk = memo(function PaintedChunk({
  chunk: { items },
  painted = [],
  last,
}: PaintedChunkProps): ReactNode {
  // What is painted comes a little later than the text: only lines that still say the same are shown so.
  const changed = painted.findIndex(({ source }, at) => items[at]?.text !== source)
  const done = changed < 0 ? painted : painted.slice(0, changed)
  const rest = items
    .slice(done.length)
    .map((line) => line.text)
    .join('\n')
  return (
    <LineGroup last={last}>
      {done.map((line, at) => (
        <Line key={items[at]?.key} line={line} first={at === 0} />
      ))}
      {done.length < items.length && <span>{withMarks(done.length === 0 ? rest : `\n${rest}`, showCode)}</span>}
      {!last && <span>{'\n'}</span>}
    </LineGroup>
  )
})

/** Never rendered again: a painted line is always the same object. */
const Line = memo(function Line({
  line: { tokens },
  first,
}: {
  readonly line: PaintedLine
  readonly first: boolean
}): ReactNode {
  // Its pieces never move, so that they need no keys.
  const pieces = tokens.map(({ text, kind }) =>
    kind === undefined
      ? withMarks(text, capMarks)
      : createElement(
          'span',
          { 'data-token': kind satisfies TokenAttributes['data-token'] },
          withMarks(text, capMarks),
        ),
  )
  return createElement('span', undefined, first ? undefined : '\n', ...pieces)
})
