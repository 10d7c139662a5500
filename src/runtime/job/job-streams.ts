import { type JsonObject, isJsonObject } from '../../base/json-object.ts'
import type { Clock } from '../../base/ports/clock.ts'
import type { ArcpPayload } from '../../protocols/arcp/schema/payloads.ts'
import { ArcpFault, faultPayload } from '../session/arcp-fault.ts'
import { createWholeCharacters } from '../../base/text.ts'
import { toBase64 } from './artifacts.ts'
import { type Scope, isShared } from '../session/scope.ts'
import type { RuntimeJob, JobEnd } from './runtime-job.ts'
import type { ArcpStreamChunks, ArcpStreamWriter } from './tool.ts'
import { noop } from '../../base/noop.ts'

/** How fast a stream may be sent (backpressure). */
interface StreamPace {
  /** What a client says it can take. */
  ask(wanted: ArcpPayload<'backpressure'>): void
  /** Resolves when the next chunk may be sent. @param length of the chunk that was sent, in bytes */
  next(length: number): Promise<void>
  /** Nothing waits any more. */
  release(): void
}

/** How often a connection that takes nothing in is looked at. */
const LOOK_MS = 20

interface StreamPaceOptions {
  readonly clock: Clock
  /** Whether the slowest connection has more on its way than it may have. */
  isFull(): boolean
}

/** Pacing of one stream: by what the client asks for, and by what its connection takes in. */
function createStreamPace({ clock, isFull }: StreamPaceOptions): StreamPace {
  let perSecond = Infinity
  let left = Infinity
  let earliest = 0
  let isOver = false
  let cancel = noop
  const waiting: (() => void)[] = []

  const gapMs = (): number => (perSecond > 0 ? 1000 / perSecond : 0)

  function waitMs(): number {
    if (isOver) return 0
    if (left <= 0) return Infinity
    const due = Math.max(0, earliest - clock.now())
    return due > 0 ? due : isFull() ? LOOK_MS : 0
  }

  function look(): void {
    cancel()
    cancel = noop
    while (waiting.length > 0) {
      const ms = waitMs()
      if (ms > 0) {
        if (ms !== Infinity) cancel = clock.after(ms, look)
        return
      }
      earliest = clock.now() + gapMs()
      waiting.shift()?.()
    }
  }

  return {
    ask({ desired_rate_per_second: rate, buffer_remaining_bytes: bytes }) {
      perSecond = rate ?? Infinity
      left = rate === 0 ? 0 : (bytes ?? Infinity)
      earliest = clock.now() + gapMs()
      look()
    },
    next(length) {
      left -= length
      return new Promise((resolve) => {
        waiting.push(resolve)
        if (waiting.length === 1) look()
      })
    },
    release() {
      isOver = true
      look()
    },
  }
}

/** A stream that is open. */
interface OpenStream {
  readonly job: RuntimeJob
  readonly pace: StreamPace
}

/** The open streams of a runtime. */
export interface Streams {
  open<Kind extends keyof ArcpStreamChunks>(
    job: RuntimeJob,
    kind: Kind,
    contentType?: string,
  ): ArcpStreamWriter<ArcpStreamChunks[Kind]>
  /** The job of an open stream. Undefined: it is not open. */
  jobOf(streamId: string): RuntimeJob | undefined
  /** What a client can take of a stream. @throws ArcpFault NOT_FOUND when it is not open, or belongs to others */
  slow(streamId: string, scope: Scope, wanted: ArcpPayload<'backpressure'>): void
}

export interface StreamsOptions {
  readonly clock: Clock
  id(): string
  /** Characters that a connection may have on its way before its streams wait. */
  readonly maxBuffered: number
}

export function createStreams({ clock, id, maxBuffered }: StreamsOptions): Streams {
  const all = new Map<string, OpenStream>()

  return {
    open(job, kind, contentType) {
      const streamId = id()
      const members = { stream_id: streamId }
      const isFull = (): boolean => [...job.session.peers].some(({ buffered }) => buffered > maxBuffered)
      const pace = createStreamPace({ clock, isFull })
      // Models and tools cut text where they like: half a character waits for the next chunk.
      const characters = createWholeCharacters()
      const textChunk = kind === 'text' ? CHUNKS.text : kind === 'thought' ? CHUNKS.thought : undefined
      let sequence = 0
      let isOpen = true
      all.set(streamId, { job, pace })
      job.emit(
        'stream.open',
        { kind, related_job_id: job.id, ...(contentType === undefined ? {} : { content_type: contentType }) },
        members,
      )

      function over(): boolean {
        if (!isOpen) return false
        isOpen = false
        all.delete(streamId)
        pace.release()
        return true
      }
      function emit(payload: JsonObject): void {
        job.emit('stream.chunk', { sequence: sequence++, ...payload }, members)
      }
      function close(reason?: string): void {
        const half = isOpen ? characters.rest() : ''
        if (half !== '' && textChunk) emit(textChunk(half))
        const payload = { total_chunks: sequence, ...(reason === undefined ? {} : { reason }) }
        if (over()) job.emit('stream.close', payload, members)
      }
      function fail(fault: ArcpFault): void {
        if (over()) job.emit('stream.error', faultPayload(fault), members)
      }
      job.onEnd((how: JobEnd) => {
        if (how.type === 'fail') fail(how.fault)
        else close(how.type === 'cancel' ? 'cancelled' : undefined)
      })

      return {
        id: streamId,
        async write(chunk) {
          if (!isOpen) return
          if (!textChunk || typeof chunk !== 'string') emit(CHUNKS[kind](chunk))
          else {
            const whole = characters.take(chunk)
            if (whole !== '' || chunk === '') emit(textChunk(whole))
          }
          await pace.next(lengthOf(chunk))
        },
        close,
        fail: (code, message) => fail(new ArcpFault(code, message)),
      }
    },
    jobOf: (streamId) => all.get(streamId)?.job,
    slow(streamId, scope, wanted) {
      const stream = all.get(streamId)
      if (stream === undefined || !isShared(stream.job.session.scope, scope))
        throw new ArcpFault('NOT_FOUND', 'There is no such stream, or it has ended.')
      stream.pace.ask(wanted)
    },
  }
}

/** What a chunk of each kind carries. */
const CHUNKS: { readonly [Kind in keyof ArcpStreamChunks]: (chunk: ArcpStreamChunks[Kind]) => JsonObject } = {
  text: (data) => ({ data }),
  binary: (bytes) => ({ data: toBase64(bytes) }),
  thought: (thought) =>
    typeof thought === 'string'
      ? { role: 'assistant', content: thought }
      : { role: 'assistant', ...thought, ...(thought.redacted === true ? { content: '' } : {}) },
  event: (event) => ({ event }),
  log: (log) => ({ log }),
  metric: (metric) => ({ metric }),
}

function lengthOf(chunk: unknown): number {
  if (typeof chunk === 'string' || chunk instanceof Uint8Array) return chunk.length
  return isJsonObject(chunk) ? JSON.stringify(chunk).length : 1
}
