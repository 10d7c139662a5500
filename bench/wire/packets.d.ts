/** What test/bench knows of the generator. */
export interface MadeStream {
  readonly chunks: readonly Uint8Array[]
  /** The JSON text of each packet, in order. */
  readonly payloads: readonly string[]
  readonly counts: { readonly DELTA: number; readonly EVENT: number; readonly CLOSE: number }
  /** All that the DELTAs say. */
  readonly text: string
  readonly bytes: number
}

export function makeStream(options: { readonly packets: number; readonly seed?: number; readonly lineEnding?: '\n' | '\r\n' }): MadeStream
export function makeLongLine(bytes: number): readonly Uint8Array[]
export function seededRandom(seed: number): () => number
