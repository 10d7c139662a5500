import type { Ending } from './endings.js'

/** A client that is asked one question. */
export interface AskedClient {
  readonly wire: 'ai-sdk' | 'ag-ui' | 'cap'
  ask(url: string): object
}

export interface Outcome {
  readonly status: string
  readonly error?: string | undefined
  readonly text: string
  readonly posts: number
}

/** Asks one question of a client whose server breaks the answer, and gives what is shown then. */
export function outcomeOf(client: AskedClient, ending: Ending): Promise<Outcome>

/** An outcome in a few words. */
export function cellOf(outcome: Outcome): string
