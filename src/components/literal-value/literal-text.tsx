import type { ReactNode } from 'react'
import { useMemo } from 'react'
import { literalPieces } from './literal-pieces.ts'

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
