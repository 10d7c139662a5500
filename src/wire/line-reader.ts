const LF = 10

/** Reads a piece from a position on, where a line begins. */
export type LineReader = (text: string, from: number) => void

/**
 * Splits text that comes in pieces of whole lines: LF, CR and CRLF end a line, also when a piece ends between CR and LF.
 * `onLine` gets the piece, the range of the line in it without its end, and where the next line begins. It gives where to go on: there, or
 * behind lines that it has read as well.
 */
export function createLineReader(
  onLine: (text: string, start: number, end: number, next: number) => number,
): LineReader {
  let endedWithCr = false

  return (text, from) => {
    let start = endedWithCr && from === 0 && text.charCodeAt(0) === LF ? 1 : from
    endedWithCr = text.endsWith('\r')
    // Each is looked for again only when it has been passed, so that a piece is read through once.
    let lf = text.indexOf('\n', start)
    let cr = text.indexOf('\r', start)
    while (lf !== -1 || cr !== -1) {
      const end = cr === -1 || (lf !== -1 && lf < cr) ? lf : cr
      start = onLine(text, start, end, end === cr && lf === cr + 1 ? lf + 1 : end + 1)
      if (lf !== -1 && lf < start) lf = text.indexOf('\n', start)
      if (cr !== -1 && cr < start) cr = text.indexOf('\r', start)
    }
  }
}
