import type { Clock } from '../../base/ports/clock.ts'
import { encodeSseComment } from '../../wire/sse-encoder.ts'
import type { LogReader, LogSlice } from '../event-log/event-log.ts'
import { interrupted } from '../event-log/failover-reader.ts'
import { encodeText, sharedBytes } from '../event-log/shared-bytes.ts'
import { unsentText, type UnsentText } from '../event-log/unsent-text.ts'
import { HttpRefusal } from './http-refusal.ts'
import { createIdleWait } from '../event-log/idle-wait.ts'
import { isLogExpired } from './log-refusals.ts'

/** The body of an answer, read piece by piece. */
export interface ChunkSource {
  /** The next bytes; undefined at the end. Rejects when the answer breaks off. */
  next(): Promise<Uint8Array | undefined>
  /** The client has left: nothing more is read, and nothing is kept for it. */
  leave(): void
}

export interface LogChunksOptions {
  readonly reader: LogReader
  /** What was read from the start already. */
  readonly first: LogSlice
  readonly clock: Clock
  readonly heartbeatMs: number
  /** Aborts when the caller is gone. */
  readonly signal: AbortSignal
  /** Aborts that signal. */
  readonly onLeave: () => void
  /** Called when the log cannot be read on and the answer breaks off. Not called for a log that is gone: its writer has reported why. */
  readonly onError: (error: unknown) => void
}

/** Some proxies send no headers before the first byte. */
export const OPENING = encodeText(encodeSseComment('open'))
const HEARTBEAT = encodeText(encodeSseComment('heartbeat'))
/** Large enough to be efficient, and small enough that a slow reader needs little memory. */
const CHUNK_LENGTH = 16_384

/**
 * The entries after a counter, as soon as there are any. A timer runs until then: workerd ends a request that only waits for another one,
 * and a run that ends before its first entry is noticed.
 */
export async function readFirst(
  { reader, clock, heartbeatMs, signal }: Pick<LogChunksOptions, 'reader' | 'clock' | 'heartbeatMs' | 'signal'>,
  after = 0,
): Promise<LogSlice> {
  const silence = createIdleWait<LogSlice>(clock, heartbeatMs)
  try {
    for (;;) {
      const slice = await silence.orBeat(() => reader.read(after, signal))
      if (slice !== 'silent') return slice
      reader.checkWriter?.()
    }
  } finally {
    silence.end()
  }
}

/** Follows the log of a run: a replay of its entries, then live entries, to the end of the log, with comments in between while it is silent. */
export function logChunks(options: LogChunksOptions): ChunkSource {
  const { reader, first, clock, heartbeatMs, signal, onLeave, onError } = options
  let position = first.end
  let ended = first.closed
  let whole: LogSlice | undefined = first
  let unsent: UnsentText | undefined
  let over = false
  const silence = createIdleWait<LogSlice>(clock, heartbeatMs)

  /** The next piece of what was read; undefined when all was taken. */
  const take = (): Uint8Array | undefined => {
    if (whole !== undefined) {
      const slice = whole
      whole = undefined
      const bytes = sharedBytes(slice, CHUNK_LENGTH)
      if (bytes !== undefined) return bytes.byteLength > 0 ? bytes : undefined
      unsent = unsentText(slice.entries)
    }
    const piece = unsent?.take(CHUNK_LENGTH) ?? ''
    if (piece !== '') return encodeText(piece)
    unsent = undefined
    return undefined
  }

  return {
    async next() {
      for (;;) {
        const bytes = take()
        if (bytes !== undefined) return bytes
        if (ended || over) {
          over = true
          silence.end()
          return undefined
        }
        const slice = await silence
          .orBeat(() => reader.read(position, signal))
          .catch((error: unknown) => {
            if (!signal.aborted && !(error instanceof HttpRefusal) && !isLogExpired(error)) onError(error)
            throw error
          })
        if (slice === 'silent') {
          reader.checkWriter?.()
          return HEARTBEAT
        }
        if (slice.orphaned) throw interrupted()
        whole = slice
        position = slice.end
        ended = slice.closed
      }
    },
    leave() {
      if (over) return
      over = true
      whole = undefined
      unsent = undefined
      silence.end()
      onLeave()
    },
  }
}
