'use client'

import {
  type ComponentType,
  type ReactNode,
  useEffect,
  useState,
  useSyncExternalStore,
  createElement,
  memo,
} from 'react'
import type { CodeRendererProps } from '../../markdown/view/markdown-props.ts'
import { showsMarks, withMarks } from '../../markdown/view/places.tsx'
import { CodeBlock, type markdownBlockAttributes } from '../markdown-block/code-block.tsx'
import {
  createBlockHighlighting,
  UNPAINTED,
  type Painted,
  type PaintedLine,
  type CreateTokenizer,
  createTokenizers,
  createWorkQueue,
} from './block-highlighting.ts'
import { type GrammarLoader, commonLanguages } from './common-languages.ts'
import { capMarks } from '../../base/cap-marks.ts'
import type { Chunk, Chunks, CodeLine } from '../../markdown/inline/tree.ts'
import { LineGroup } from '../../markdown/view/block-view.tsx'
import { showCode } from '../../base/text.ts'
import type { AttributesOf } from '../internals/part.ts'

type TokenAttributes = AttributesOf<typeof markdownBlockAttributes, 'highlighted code'>

/** The lines of a block, each in colour as soon as it is painted. The letters are those of the plain block, one for one. */
function PaintedLines({
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

export interface HighlightOptions {
  /**
   * Grammars by the names agents give their languages, in lower case; to add one, spread `commonLanguages` and name it
   * with a function that imports its grammar.
   *
   * @default `commonLanguages`
   */
  readonly languages?: Readonly<Record<string, GrammarLoader>> | undefined
  /**
   * Fetches what makes a tokenizer of the grammars of one language.
   *
   * @default shiki with JavaScript's regular expressions
   */
  readonly load?: (() => Promise<CreateTokenizer>) | undefined
}

const loadShiki = (): Promise<CreateTokenizer> =>
  import('./shiki-tokenizer.ts').then(({ createShikiTokenizer }) => createShikiTokenizer)

const unpainted = (): typeof UNPAINTED => UNPAINTED

/**
 * Makes capstan's code block with highlighted lines: `<MarkdownProvider renderers={{ code: createHighlightedCode()
 * }}>`, made once, outside of components. It needs `shiki` and the sheet `capstan/highlight.css`.
 *
 * The first block that names a known language fetches shiki and that language. Until they are here, where they cannot
 * be had and for all other languages the block is plain. A line is highlighted once, when its end has come, in idle
 * time and a few milliseconds at a stretch; from line 2,001 on, and from a line of more than 2,000 letters on, the
 * block stays plain.
 *
 * Pieces of a line are `span`s with `data-token`: `keyword`, `string`, `number`, `comment` or `name`.
 *
 * @example
 * ```tsx
 * import { Chat, MarkdownProvider } from 'capstan/components'
 * import { commonLanguages, createHighlightedCode } from 'capstan/highlight'
 * import 'capstan/highlight.css'
 *
 * const elixir = () => import('shiki/langs/elixir.mjs')
 * const renderers = { code: createHighlightedCode({ languages: { ...commonLanguages, elixir } }) }
 * export const App = () => <MarkdownProvider renderers={renderers}><Chat /></MarkdownProvider>
 * ```
 */
export function createHighlightedCode({
  languages = commonLanguages,
  load = loadShiki,
}: HighlightOptions = {}): ComponentType<CodeRendererProps> {
  const tokenizers = createTokenizers(languages, load)
  const queue = createWorkQueue()

  function HighlightedCode(props: CodeRendererProps): ReactNode {
    const { language, lines, ended } = props
    const [highlighting] = useState(() => createBlockHighlighting(tokenizers, queue))
    const painted = useSyncExternalStore(highlighting.subscribe, highlighting.painted, unpainted)
    useEffect(() => highlighting.read(language, lines, ended), [highlighting, language, lines, ended])
    useEffect(() => highlighting.stop, [highlighting])
    return (
      <CodeBlock {...props}>
        <PaintedLines chunks={lines} painted={painted} />
      </CodeBlock>
    )
  }
  showsMarks.add(HighlightedCode)
  return HighlightedCode
}
