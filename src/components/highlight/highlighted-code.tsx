'use client'
import type { ComponentType, ReactNode } from 'react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { CodeRendererProps } from '../../markdown/view/markdown-renderers.ts'
import { showsMarks } from '../../markdown/view/places.tsx'
import { CodeBlock } from '../markdown-block/code-block.tsx'
import { createBlockHighlighting, UNPAINTED } from './block-highlighting.ts'
import type { GrammarLoader } from './common-languages.ts'
import { commonLanguages } from './common-languages.ts'
import { PaintedLines } from './painted-lines.tsx'
import type { CreateTokenizer } from './tokenizers.ts'
import { createTokenizers } from './tokenizers.ts'
import { createWorkQueue } from './work-queue.ts'

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
