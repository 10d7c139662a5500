export interface Ending {
  readonly name: string
}

/** The ways an answer can end. */
export const ENDINGS: readonly Ending[]
