/** What a piece of code is, as far as it has a colour. */
export type TokenKind = 'keyword' | 'string' | 'number' | 'comment' | 'name'

export interface Token {
  readonly text: string
  /** Undefined for whatever keeps the colour of the text around it. */
  readonly kind: TokenKind | undefined
}

export interface TokenizedLine {
  /** The line in pieces: together they are the line, letter by letter. */
  readonly tokens: readonly Token[]
  /** What the next line has to know: whether a comment or a string is still open. */
  readonly state: unknown
}

/** Reads code of one language line by line. */
export interface LineTokenizer {
  /** Does a small piece of what has to be done before the first line, and says whether there is more of it. */
  prepare?(): boolean
  /**
   * Reads one line, without its end.
   * @param state What the line before left; undefined at the first one.
   * @returns Undefined where it gives up: that line and those after it stay plain.
   */
  tokenize(line: string, state: unknown): TokenizedLine | undefined
}
