import type { LogEntry } from './event-log.ts'

/** The frames of one slice of a log that were not sent yet. */
export interface UnsentText {
  /** The next piece: at most `maxLength` UTF-16 units and one more where a pair would be cut; empty when all was taken. */
  take(maxLength: number): string
}

export function unsentText(entries: readonly LogEntry[]): UnsentText {
  // In reverse, since an array gives up its last item cheaply and what was sent must not be held.
  const texts = entries.flatMap((entry) => (entry.kind === 'frame' ? [entry.text] : [])).toReversed()
  let offset = 0
  return {
    take(maxLength) {
      let piece = ''
      while (piece.length < maxLength) {
        const text = texts.at(-1)
        if (text === undefined) break
        const end = endOfPiece(text, offset + maxLength - piece.length)
        piece += text.slice(offset, end)
        offset = end
        if (end === text.length) {
          texts.pop()
          offset = 0
        }
      }
      return piece
    },
  }
}

/** Two units that are one character become one only when they are encoded together. */
function endOfPiece(text: string, end: number): number {
  if (end >= text.length) return text.length
  const last = text.charCodeAt(end - 1)
  return last >= 0xd800 && last < 0xdc00 ? end + 1 : end
}
