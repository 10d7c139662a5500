/** A line of the message. */
export interface Line {
  /** Without its end. */
  readonly text: string
  /** Where it begins in the message. */
  readonly at: number
  /** All of it has come. */
  readonly complete: boolean
}
