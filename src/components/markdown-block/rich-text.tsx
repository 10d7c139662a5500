'use client'
import type { ReactNode } from 'react'
import { useMemo } from 'react'
import type { MarkdownRenderers } from '../../markdown/view/markdown-renderers.ts'
import { MarkdownDocument } from '../../markdown/view/markdown-document.tsx'
import type { Marks } from '../../markdown/view/places.tsx'
import { MOST_MARKS, MarksContext } from '../../markdown/view/places.tsx'
import { CitedWords } from '../citation-block/cited-text.tsx'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { GapMark } from '../gap-mark/gap-mark.tsx'
import type { RootProps } from '../internals/part.ts'
import { CodeBlock } from './code-block.tsx'
import type { MarkdownEngine, MarkdownTextProps, TextGap } from './markdown-engine.ts'
import { RemoteImage } from './remote-image.tsx'
import { withPlaces } from './with-places.ts'

const DEFAULT_RENDERERS: MarkdownRenderers = { code: CodeBlock, image: RemoteImage, text: CitedWords }

const NONE: readonly TextGap[] = []

/**
 * Markdown with the look and the strings of capstan: marks lead to their sources, code can be copied, pictures load when asked.
 * The text before and behind a gap is one document.
 */
export function RichText({ text, gaps = NONE, live, tail, renderers }: MarkdownTextProps): ReactNode {
  const { markdown: strings } = useDictionary()
  const both = useMemo(() => ({ ...DEFAULT_RENDERERS, ...renderers }), [renderers])
  const marks = useGapMarks(gaps.slice(0, MOST_MARKS))
  // A document holds so many gaps; an answer with more goes on in another one.
  const end = gaps[MOST_MARKS]?.at
  const whole = end === undefined
  const document = (
    <MarkdownDocument
      text={gaps.length === 0 ? text : withPlaces(text.slice(0, end), gaps.slice(0, MOST_MARKS))}
      live={live && whole}
      tail={whole && tail}
      renderers={both}
      strings={strings}
    />
  )
  return (
    <>
      <MarksContext.Provider value={marks}>{document}</MarksContext.Provider>
      {!whole && (
        <RichText
          text={text.slice(end)}
          gaps={gaps.slice(MOST_MARKS).map((gap) => ({ ...gap, at: gap.at - end }))}
          live={live}
          tail={tail}
          renderers={renderers}
        />
      )}
    </>
  )
}

const asWords = ({ className, children }: RootProps): React.JSX.Element => <span className={className}>{children}</span>

/** The marks of some gaps, by their numbers alone: the same object for every token. */
function useGapMarks(gaps: readonly TextGap[]): Marks | undefined {
  const numbers = gaps.flatMap(({ after, before }) => [after, before]).join()
  return useMemo(() => {
    if (numbers === '') return undefined
    const known = numbers.split(',').map(Number)
    return {
      count: known.length / 2,
      show(index, linked) {
        const [after, before] = known.slice(2 * index)
        return (
          after !== undefined &&
          before !== undefined && <GapMark after={after} before={before} render={linked ? asWords : undefined} />
        )
      },
    }
  }, [numbers])
}

let loading: Promise<void> | undefined
let toHtml: MarkdownEngine['toHtml']

/**
 * Fetches what few texts need, and what copies answers as HTML: footnotes, tags, rare names of characters. Text is shown without waiting for it, and read again where it
 * had some. A load that failed is tried again at the next call.
 */
function loadRest(): void {
  loading ??= import('./rest-of-engine.ts').then(
    (code) => {
      toHtml = code.toHtml
      return code.addRareMarkdown()
    },
    () => (loading = undefined),
  )
}

/** The engine as a chat fetches it. What follows it is named here alone, so that bundlers keep together what both need. */
export const lazyEngine = {
  Text: RichText,
  loadRest,
  toHtml: (parts, math) => toHtml?.(parts, math),
} satisfies MarkdownEngine & { loadRest(): void }
