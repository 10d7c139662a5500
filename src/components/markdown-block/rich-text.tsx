'use client'

import { type ReactNode, useMemo, useState } from 'react'
import type { MarkdownRenderers, ImageRendererProps } from '../../markdown/view/markdown-props.ts'
import { MarkdownDocument } from '../../markdown/view/markdown-document.tsx'
import { type Marks, MOST_MARKS, MarksContext, placeholderOf, withoutPlaces } from '../../markdown/view/places.tsx'
import { CitedWords } from '../citation-block/cited-text.tsx'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { GapMark } from '../gap-mark.tsx'
import type { RootProps } from '../internals/part.ts'
import { CodeBlock } from './code-block.tsx'
import type { MarkdownEngine, MarkdownTextProps, TextGap } from './markdown-engine.ts'
import { capMarks } from '../../base/cap-marks.ts'
import { Icon } from '../internals/icon.tsx'
import { useMediaConsent } from '../media-policy.tsx'
import { hostOf } from '../../base/safe-url.ts'

/** What begins a block and hardly ever continues in the middle of a line. */
const BLOCK = /^(?:#{1,6} |[-*+] |\d{1,9}[.)] |```|~~~)/
/** What would make a heading of the line above it. */
const UNDERLINE = /^ {0,3}(?:=|-(?! ))/

/**
 * A text with a place for each of its gaps, and without whatever the agent wrote that looks like one. Text behind a gap begins
 * a line where the text before ended one, or where it begins as only a line does; else it goes on in the line.
 */
function withPlaces(text: string, gaps: readonly TextGap[]): string {
  let joined = withoutPlaces(text.slice(0, gaps[0]?.at))
  let between = joined === '' || joined.endsWith('\n')
  for (const [index, { at }] of gaps.entries()) {
    const next = withoutPlaces(text.slice(at, gaps[index + 1]?.at))
    joined += placeholderOf(index)
    if (next === '') continue
    joined += (between || BLOCK.test(next) ? (UNDERLINE.test(next) ? '\n\n' : '\n') : '') + next
    between = next.endsWith('\n')
  }
  return joined
}

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

/** A picture in the text: a chip with its words and its host until the reader asks for it, for loading it tells the host who reads. */
function RemoteImage({ src, alt, title }: ImageRendererProps): ReactNode {
  const strings = useDictionary().media
  const [allowed, ask] = useMediaConsent(src)
  const [failed, setFailed] = useState(false)
  if (allowed && !failed) {
    return (
      <img
        className="cs-md-picture"
        src={src}
        alt={alt}
        title={title}
        referrerPolicy="no-referrer"
        loading="lazy"
        decoding="async"
        onError={() => setFailed(true)}
      />
    )
  }
  const load = (): void => {
    ask()
    setFailed(false)
  }
  return (
    <span className="cs-md-image">
      <Icon name="image" />
      <span>
        {alt && (
          <>
            <bdi>{capMarks(alt)}</bdi>
            <span> · </span>
          </>
        )}
        <bdi>{hostOf(new URL(src))}</bdi>
        {failed && <span>{` · ${strings.failed}`}</span>}
      </span>
      <button type="button" className="cs-button" data-kind="plain" data-size="small" onClick={load}>
        {failed ? strings.retry : strings.load.image}
      </button>
    </span>
  )
}
