/** Puts characters together again that were cut by the pieces of a text: models and libraries cut where they like. */
export interface WholeCharacters {
  /** What can be said of the text so far. Half a character at its end is held back until the next piece. */
  take(piece: string): string
  /** What was held back, at the end of the text. */
  rest(): string
}

export function createWholeCharacters(): WholeCharacters {
  let held = ''
  return {
    take(piece) {
      const text = held + piece
      const last = text.charCodeAt(text.length - 1)
      const whole = last >= 0xd800 && last < 0xdc00 ? text.length - 1 : text.length
      held = text.slice(whole)
      return text.slice(0, whole)
    },
    rest() {
      const half = held
      held = ''
      return half
    },
  }
}
