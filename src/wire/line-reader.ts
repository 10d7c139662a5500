const LF = 10

/**
 * Splits text that comes in pieces of whole lines: LF, CR and CRLF end a line, also when a piece ends between CR and LF.
 * `onLine` gets the piece and the range of the line in it, without its end.
 */
export function createLineReader(onLine: (text: string, start: number, end: number) => void): (text: string) => void {
  let endedWithCr = false

  return (text) => {
    let start = endedWithCr && text.charCodeAt(0) === LF ? 1 : 0
    endedWithCr = text.endsWith('\r')
    // Each is looked for again only when it has been passed, so that a piece is read through once.
    let lf = text.indexOf('\n', start)
    let cr = text.indexOf('\r', start)
    while (lf !== -1 || cr !== -1) {
      const end = cr === -1 || (lf !== -1 && lf < cr) ? lf : cr
      onLine(text, start, end)
      start = end === cr && lf === cr + 1 ? lf + 1 : end + 1
      if (lf !== -1 && lf < start) lf = text.indexOf('\n', start)
      if (cr !== -1 && cr < start) cr = text.indexOf('\r', start)
    }
  }
}
