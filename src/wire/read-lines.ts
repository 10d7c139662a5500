import { textFrameTooLarge } from './duplex-errors.ts'

/** The lines of a stream of bytes, all that a chunk completed at once. A last line without its end is given too. */
export async function* readLines(
  bytes: AsyncIterable<Uint8Array>,
  maxFrameLength: number,
): AsyncGenerator<readonly string[], undefined> {
  const decoder = new TextDecoder()
  /** The pieces of the line that has not ended. */
  let pieces: string[] = []
  let length = 0
  for await (const chunk of bytes) {
    const lines = decoder.decode(chunk, { stream: true }).split('\n')
    const rest = lines.pop() ?? ''
    const whole: string[] = []
    for (const line of lines) {
      whole.push(pieces.length === 0 ? line : `${pieces.join('')}${line}`)
      pieces = []
      length = 0
    }
    if (rest !== '') pieces.push(rest)
    length += rest.length
    if (length > maxFrameLength || whole.some((line) => line.length > maxFrameLength))
      throw textFrameTooLarge(maxFrameLength)
    const filled = whole.filter((line) => line.trim() !== '')
    if (filled.length > 0) yield filled
  }
  const last = pieces.join('') + decoder.decode()
  if (last.trim() !== '') yield [last]
  return undefined
}
