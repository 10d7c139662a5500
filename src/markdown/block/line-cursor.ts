const TAB = 9

const SPACE = 32

/** A place in a line, counted in code units and in columns: a tab reaches to the next column that four divides. */
export class LineCursor {
  readonly line: string
  offset = 0
  column = 0
  /** Offset of the next character that is not a blank. */
  next = 0
  nextColumn = 0
  /** No thematic break can begin before it. */
  unbroken = 0
  /** Columns of a tab at `offset` that are already used. */
  private inTab = false

  constructor(line: string) {
    this.line = line
    this.seek()
  }

  /** Columns from here to the next character that is not a blank. */
  get indent(): number {
    return this.nextColumn - this.column
  }

  /** Nothing but blanks is left. */
  get blank(): boolean {
    return this.next >= this.line.length
  }

  /** Whether a blank is at `offset`. */
  get atBlank(): boolean {
    const code = this.line.charCodeAt(this.offset)
    return code === SPACE || code === TAB
  }

  /** Moves on by characters. */
  skip(count: number): void {
    for (let left = count; left > 0 && this.offset < this.line.length; left--) {
      if (this.line.charCodeAt(this.offset) === TAB) this.column += 4 - (this.column % 4)
      else this.column++
      this.offset++
    }
    this.inTab = false
    this.seek()
  }

  /** Moves on by columns, into a tab too. */
  skipColumns(count: number): void {
    for (let left = count; left > 0 && this.offset < this.line.length;) {
      const width = this.line.charCodeAt(this.offset) === TAB ? 4 - (this.column % 4) : 1
      this.inTab = width > left
      this.column += Math.min(width, left)
      if (!this.inTab) this.offset++
      left -= width
    }
    this.seek()
  }

  /** Moves on to the next character that is not a blank. */
  skipBlanks(): void {
    this.offset = this.next
    this.column = this.nextColumn
    this.inTab = false
  }

  /** Back to where it was. */
  back(offset: number, column: number): void {
    this.offset = offset
    this.column = column
    this.inTab = false
    this.seek()
  }

  /** What is left, the rest of a tab as spaces. */
  rest(): string {
    return this.inTab
      ? ' '.repeat(4 - (this.column % 4)) + this.line.slice(this.offset + 1)
      : this.line.slice(this.offset)
  }

  private seek(): void {
    let at = this.offset
    let column = this.column
    for (let code = this.line.charCodeAt(at); code === SPACE || code === TAB; code = this.line.charCodeAt(++at)) {
      column += code === TAB ? 4 - (column % 4) : 1
    }
    this.next = at
    this.nextColumn = column
  }
}

/** A line of the message. */
export interface Line {
  /** Without its end. */
  readonly text: string
  /** Where it begins in the message. */
  readonly at: number
  /** All of it has come. */
  readonly complete: boolean
}

/** Without spaces and tabs at its end. A pattern would take quadratic time for blanks inside. */
export function trimBlankEnd(text: string): string {
  let end = text.length
  while (end > 0 && isBlank(text.charCodeAt(end - 1))) end--
  return text.slice(0, end)
}

/** Without spaces and tabs before it. */
export function trimBlankStart(text: string): string {
  let from = 0
  while (isBlank(text.charCodeAt(from))) from++
  return text.slice(from)
}

/** Without spaces and tabs around it. */
export function trimBlanks(text: string): string {
  return trimBlankEnd(trimBlankStart(text))
}

/** Whether it is a space or a tab. */
export function isBlank(code: number): boolean {
  return code === 32 || code === 9
}
