'use client'
import type { ReactNode } from 'react'
import { useMemo, useState } from 'react'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { useScrollPlace } from '../internals/use-scroll-place.ts'
import { usePromptStrings } from '../dictionary/prompt-strings-context.tsx'
import { boundedText } from './bounded-text.ts'
import { literalPieces } from './literal-pieces.ts'

/** How many more characters are shown at a time. */
const STEP = 10_000

interface LiteralValueProps {
  /** Any JSON value. */
  readonly value: unknown
  /** How many characters are shown at first. */
  readonly limit: number
}

/** A value of an agent, literally: text as it is, anything else as JSON. Scrolls in itself; of a giant one the beginning, and more on request. */
export function LiteralValue({ value, limit }: LiteralValueProps): ReactNode {
  const { cut } = usePromptStrings().approval
  const { showMore } = useDictionary().data
  const [more, setMore] = useState(0)
  const [box, place] = useScrollPlace<HTMLDivElement>()
  const { text, isCut } = useMemo(() => boundedText(value, limit + more), [value, limit, more])
  return (
    <>
      <div
        ref={box}
        className="cs-literal"
        dir={typeof value === 'string' ? undefined : 'ltr'}
        tabIndex={place === 'none' ? undefined : 0}
      >
        <LiteralText text={text} />
        {isCut && <span>…</span>}
      </div>
      {isCut && (
        <p className="cs-cut">
          <span>{`${cut} `}</span>
          <button type="button" className="cs-button" data-kind="link" onClick={() => setMore(more + STEP)}>
            {showMore}
          </button>
        </p>
      )}
    </>
  )
}

/** Text of an agent, literally: plain text, and characters that nobody would see as their codes. */
export function LiteralText({ text }: { readonly text: string }): ReactNode {
  const pieces = useMemo(() => literalPieces(text), [text])
  return (
    // Another text is another element, so that no text node in it ever changes: a script may have replaced it.
    <span key={text}>
      {pieces.map((piece, index) =>
        piece.isCode ? (
          // oxlint-disable-next-line react/no-array-index-key -- a piece is its place in the text
          <span key={index} className="cs-unseen">
            {piece.text}
          </span>
        ) : (
          piece.text
        ),
      )}
    </span>
  )
}
