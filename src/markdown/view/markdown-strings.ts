/** What the view says itself, beside what is in the message. */
export interface MarkdownStrings {
  /** The name of a table's frame, which the keyboard can scroll. */
  readonly table: string
  /** The name of a block of code, which the keyboard can scroll. */
  readonly code: string
  readonly taskOpen: string
  readonly taskDone: string
  /** The heading of the notes below a message. */
  readonly footnotes: string
  /** The mark of a footnote in the text. */
  readonly footnote: (number: number) => string
  /** Leads from a footnote to its mark. */
  readonly backToText: string
  /** An image that has not been loaded, after its own words. */
  readonly imageFrom: (host: string) => string
}

export const englishMarkdownStrings: MarkdownStrings = {
  table: 'Table',
  code: 'Code',
  taskOpen: 'To do',
  taskDone: 'Done',
  footnotes: 'Footnotes',
  footnote: (number) => `Footnote ${number}`,
  backToText: 'Back to the text',
  imageFrom: (host) => `Image at ${host}`,
}
