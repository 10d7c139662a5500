/**
 * Append-only text, stored as the pieces it arrived in. A string would be copied as a whole each time its end is read.
 * The difference between two texts that share pieces costs only the length of the new text.
 */
export interface LeafText {
  readonly before: LeafText | undefined
  readonly piece: string
  /** Of the whole text, in UTF-16 code units. */
  readonly length: number
}

/** With one more piece. */
export function addPiece(before: LeafText | undefined, piece: string): LeafText {
  return { before, piece, length: (before?.length ?? 0) + piece.length }
}

/** All of it; or what is behind `until`, one of its beginnings. */
export function wholeText(text: LeafText | undefined, until?: LeafText): string {
  const pieces: string[] = []
  for (let at = text; at !== undefined && at !== until; at = at.before) pieces.push(at.piece)
  return pieces.toReversed().join('')
}

/** What `text` has more than `known`; undefined when it does not begin with it. */
export function textBehind(text: LeafText, known: LeafText): string | undefined {
  let one: LeafText | undefined = text
  let other: LeafText | undefined = known
  while (one !== other) {
    if (other === undefined || (one !== undefined && one.length >= other.length)) one = one?.before
    else other = other.before
  }
  const more = wholeText(text, one)
  const shared = wholeText(known, one)
  return more.slice(0, shared.length) === shared ? more.slice(shared.length) : undefined
}
