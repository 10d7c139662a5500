/** What test/bench knows of the generator. */
export interface MadeStream {
  /** The chunks of each run. */
  readonly runs: readonly (readonly Uint8Array[])[]
  /** Those of all runs. */
  readonly chunks: readonly Uint8Array[]
  /** The JSON text of each packet, in order. */
  readonly payloads: readonly string[]
  readonly counts: { readonly DELTA: number; readonly EVENT: number; readonly CLOSE: number }
  /** All that the DELTAs say. */
  readonly text: string
  readonly bytes: number
}

export interface CorpusOptions {
  /** How times end. @default 'Z' */
  readonly offset?: 'Z' | '+00:00'
  /** Most words of a DELTA. @default 8 */
  readonly mostWords?: number
}

export const CORPORA: Readonly<Record<'Z' | '+00:00' | 'one word', CorpusOptions>>

export function makeStream(
  options: CorpusOptions & { readonly packets: number; readonly seed?: number; readonly lineEnding?: '\n' | '\r\n' },
): MadeStream
export function makeLongLine(bytes: number): readonly Uint8Array[]
export function seededRandom(seed: number): () => number
