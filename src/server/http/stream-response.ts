import type { Clock } from '../../base/ports/clock.ts'
import { AgentError } from '../../base/agent-error.ts'
import type { IncomingCall } from './incoming-call.ts'
import { encodeSseComment } from '../../wire/sse-encoder.ts'
import { type LogReader, type LogSlice, type LogEntry, interrupted } from '../event-log/event-log.ts'
import { HttpRefusal, isLogExpired } from './http-refusal.ts'
import { createIdleWait } from '../event-log/idle-wait.ts'
import { controlHeaders } from './control.ts'

export interface StreamOptions extends LogChunksOptions {
  readonly requestId: string
  /** What else the response says of the run. Absent: nothing. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Ends the response when the caller reads nothing for so long. */
  readonly stallTimeoutMs: number
}

/** An answer that streams, before it is a Response: an adapter that can write bytes itself needs none. */
export interface StreamAnswer {
  readonly headers: Readonly<Record<string, string>>
  readonly chunks: ChunkSource
  readonly clock: Clock
  readonly stallTimeoutMs: number
}

/** What a handler answers. */
export type Answer = Response | StreamAnswer

/**
 * An answer that follows the log of a run: a replay of its entries, then live entries, to the end of the log. It reads
 * only as much as the caller reads, and sends comments on a silent connection.
 */
export function streamAnswer(options: StreamOptions): StreamAnswer {
  const { clock, stallTimeoutMs } = options
  const headers = { ...STREAM_HEADERS, 'x-request-id': options.requestId, ...options.headers }
  return { headers, chunks: logChunks(options), clock, stallTimeoutMs }
}

export function toResponse(answer: Answer): Response {
  if (answer instanceof Response) return answer
  const { chunks, clock, stallTimeoutMs } = answer
  let fail = (_error: unknown): void => {}
  let left = false
  const leave = (): void => {
    left = true
    stall.moved()
    chunks.leave()
  }
  const stall = createReaderStallDetector(clock, stallTimeoutMs, (error) => {
    leave()
    fail(error)
  })
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      fail = (error) => controller.error(error)
      controller.enqueue(OPENING.slice())
      stall.waiting()
    },
    async pull(controller) {
      stall.moved()
      const chunk = await chunks.next().catch((error: unknown) => {
        if (!left) throw error
      })
      if (left) return
      if (chunk === undefined) {
        controller.close()
        return
      }
      // A copy, since the reader may change or transfer what others are given too.
      controller.enqueue(chunk.slice())
      stall.waiting()
    },
    cancel: leave,
  })
  return new Response(body, { headers: answer.headers })
}

/** What a response that streams says of itself: compression and buffering on the way would hold packets back. */
export const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  // The answer to a POST is kept by no cache. With `no-store` Chromium lists it as cancelled, even when it was read to its end.
  'cache-control': 'private, no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const

/** For the answer to a GET, which a cache may keep. */
export const NOT_STORED = { 'cache-control': 'no-store, no-transform' } as const

/** Longest time a client may take nothing of what is ready for it, in milliseconds. */
export const DEFAULT_STALL_TIMEOUT_MS = 60_000

/** Platform timers with a longer delay fire immediately. */
const LONGEST_TIMER_MS = 2_147_483_647

/** Notices that a client has stopped reading. */
interface ReaderStallDetector {
  /** Something is ready and waits for the client. */
  waiting(): void
  /** The client took it, or has left. */
  moved(): void
}

/** Calls `onStalled` with a TRANSIENT error once something has been waiting for `timeoutMs`. Infinity: never. */
export function createReaderStallDetector(
  clock: Clock,
  timeoutMs: number,
  onStalled: (error: AgentError) => void,
): ReaderStallDetector {
  let cancel = (): void => {}
  return {
    waiting() {
      cancel()
      if (timeoutMs <= LONGEST_TIMER_MS) cancel = clock.after(timeoutMs, () => onStalled(stalled(timeoutMs)))
    },
    moved() {
      cancel()
    },
  }
}

function stalled(ms: number): AgentError {
  return new AgentError({
    kind: 'connection',
    code: 'timeout',
    severity: 'TRANSIENT',
    message: `The client read nothing for ${ms} ms while an answer was ready for it, so its connection was closed. It may connect again and read on.`,
  })
}

type Handler = (http: Request) => Promise<Response>

/** Answers without Request and Response, for an adapter that has other objects. Never rejects. */
export type DirectHandler = (http: IncomingCall) => Promise<Answer>

const direct = new WeakMap<Handler, DirectHandler>()

/** A handler that can be asked in both ways, with the same answers. */
export function withDirect(handler: Handler, how: DirectHandler): Handler {
  direct.set(handler, how)
  return handler
}

/** Undefined for a handler of the app's own. */
export function directOf(handler: Handler): DirectHandler | undefined {
  return direct.get(handler)
}

/** The body of an answer, read piece by piece. */
interface ChunkSource {
  /** The next bytes; undefined at the end. Rejects when the answer breaks off. */
  next(): Promise<Uint8Array | undefined>
  /** The client has left: nothing more is read, and nothing is kept for it. */
  leave(): void
}

interface LogChunksOptions {
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

const utf8 = new TextEncoder()

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
function logChunks(options: LogChunksOptions): ChunkSource {
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

/** The frames of one slice of a log that were not sent yet. */
interface UnsentText {
  /** The next piece: at most `maxLength` UTF-16 units and one more where a pair would be cut; empty when all was taken. */
  take(maxLength: number): string
}

function unsentText(entries: readonly LogEntry[]): UnsentText {
  // In reverse, since an array gives up its last item cheaply and what was sent must not be held.
  const texts = entries.flatMap((entry) => (entry.kind === 'frame' ? [entry.text] : [])).toReversed()
  let offset = 0
  return {
    take(maxLength) {
      let piece = ''
      while (piece.length < maxLength) {
        const text = texts.at(-1)
        if (text === undefined) break
        const end = endOfPiece(text, offset + maxLength - piece.length)
        piece += text.slice(offset, end)
        offset = end
        if (end === text.length) {
          texts.pop()
          offset = 0
        }
      }
      return piece
    },
  }
}

/** Two units that are one character become one only when they are encoded together. */
function endOfPiece(text: string, end: number): number {
  if (end >= text.length) return text.length
  const last = text.charCodeAt(end - 1)
  return last >= 0xd800 && last < 0xdc00 ? end + 1 : end
}

/** Frames of slices that many followers have in common. */
const shared = new WeakMap<LogSlice, Uint8Array>()

/** Encodes text for the wire. */
function encodeText(text: string): Uint8Array {
  return utf8.encode(text)
}

/** The frames of a slice, encoded once for all who were given the same slice; undefined when they are longer than `maxLength`. */
function sharedBytes(slice: LogSlice, maxLength: number): Uint8Array | undefined {
  const known = shared.get(slice)
  if (known !== undefined) return known
  let text = ''
  for (const entry of slice.entries) {
    if (entry.kind !== 'frame') continue
    if (text.length + entry.text.length > maxLength) return undefined
    text += entry.text
  }
  const bytes = encodeText(text)
  shared.set(slice, bytes)
  return bytes
}

interface LogResponseOptions {
  readonly reader: LogReader
  readonly requestId: string
  readonly clock: Clock
  readonly heartbeatMs: number
  readonly stallTimeoutMs: number
  /** What else the response says of the run. Absent: nothing. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly http: Pick<IncomingCall, 'signal' | 'leave'>
  /** Called when the log cannot be read on and the answer breaks off. */
  readonly onError: (error: unknown) => void
}

/** The answer a log holds: an event stream, or one JSON body. Its first entry says which, so a replay is of the same kind. */
export async function logResponse(options: LogResponseOptions): Promise<Answer> {
  const { requestId, http } = options
  const { signal } = http
  const slice = await readFirst({ ...options, signal })
  const first = slice.entries[0]
  if (first?.kind === 'response') {
    const headers = {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-request-id': requestId,
      ...options.headers,
    }
    return new Response(first.text, { headers })
  }
  const announced = first?.kind === 'stream' ? controlHeaders(first.control) : {}
  const headers = { ...announced, ...options.headers }
  return streamAnswer({ ...options, headers, first: slice, signal, onLeave: () => http.leave() })
}
