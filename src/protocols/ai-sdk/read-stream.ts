import { noop } from '../../base/noop.ts'
import { frameBytes } from '../../wire/sse-decoder.ts'
import { PARTIAL_BATCH } from '../../wire/fetch-transport.ts'
import type { EventsAnswer, SseFrame } from '../../wire/transport.ts'
import { drain } from '../../seam/drain.ts'
import type { Batch, Delivery } from '../../seam/protocol.ts'
import type { AnswerReading, BodyEnd } from './answer-reading.ts'
import { createAiSdkError, LOG_EXPIRED } from './errors.ts'
import type { AiSdkHandle } from './handle.ts'
import { readChunk } from './chunks.ts'
import type { UiMessageChunk } from './chunks.ts'

export type Batches = AsyncGenerator<Batch<UiMessageChunk>, void>

export interface StreamReading {
  readonly answer: EventsAnswer
  /** State of the earlier connections. Absent: this is the first one. */
  readonly known?: AiSdkHandle | undefined
  /** Nobody knows yet whether the server has the message: only a chunk tells, a heartbeat does not. @default false */
  readonly isDoubtful?: boolean | undefined
  /** Called with the first chunk: a replay begins again, or the stream continues. */
  begin(chunk: UiMessageChunk, frameId: string): AnswerReading
  wait(ms: number): Promise<void>
}

/** How long a connection may stay open after `finish` or `[DONE]`. */
const END_GRACE_MS = 1000
const DONE = '[DONE]'

/**
 * Reads one body until the run or the connection ends. What a replay repeats has the numbers it had before.
 *
 * @throws AiSdkError for a chunk that cannot be read, and when a replay is of another answer
 */
export async function* readStream({ answer, known, isDoubtful = false, begin, wait }: StreamReading): Batches {
  const batches = answer.batches[Symbol.asyncIterator]()
  const repeated = known?.seen ?? 0
  let reading: AnswerReading | undefined
  let isReplay = false
  /** `[DONE]` was the last frame. Servers that join several streams send more behind it. */
  let isDone = false
  let grace: Promise<typeof EOF> | undefined

  function deliver(chunk: UiMessageChunk, frame: SseFrame): Delivery<UiMessageChunk> {
    reading ??= begin(chunk, frame.id)
    isReplay ||= reading.seen < repeated
    const delivery = reading.take(chunk, frame.id, frameBytes(frame))
    if (isReplay && reading.seen === repeated && !isSameAnswer(reading.handle, known)) throw another()
    if (reading.isOver && reading.seen < repeated) throw another()
    return delivery
  }

  function conclude(end: BodyEnd): Delivery<UiMessageChunk>[] {
    const last = reading?.conclude(end)
    if (last === undefined) return []
    if (reading !== undefined && reading.seen < repeated) throw another()
    return [last]
  }

  /** While a replay repeats what is known, less is not to be remembered. */
  const handle = (): AiSdkHandle | undefined =>
    reading !== undefined && reading.seen >= repeated ? reading.handle : undefined

  /** Whether the run has ended: nothing more is read. */
  function take(frames: readonly SseFrame[], deliveries: Delivery<UiMessageChunk>[]): boolean {
    for (const frame of frames) {
      isDone = frame.data === DONE
      if (isDone) continue
      deliveries.push(deliver(readChunk(frame.data), frame))
      if (reading?.isOver === true) return true
    }
    return false
  }

  try {
    for (;;) {
      if (isDone || reading?.hasFinish === true) grace ??= wait(END_GRACE_MS).then(() => EOF)
      else grace = undefined
      let next: IteratorResult<readonly SseFrame[], unknown>
      try {
        next = await (grace === undefined ? batches.next() : Promise.race([batches.next(), grace]))
      } catch (error) {
        const deliveries = conclude(isDone ? 'done' : 'broken')
        if (deliveries.length === 0) throw error
        yield { deliveries, handle: handle() }
        return
      }
      if (next.done === true) {
        const deliveries = conclude(isDone ? 'done' : 'eof')
        if (deliveries.length > 0) yield { deliveries, handle: handle() }
        return
      }
      const deliveries: Delivery<UiMessageChunk>[] = []
      let isEnd: boolean
      try {
        isEnd = take(next.value, deliveries)
      } catch (error) {
        // Earlier chunks are still delivered.
        if (deliveries.length > 0) yield { deliveries, handle: handle() }
        throw error
      }
      if (!isDoubtful || reading !== undefined)
        yield { deliveries, handle: handle(), partial: next.value === PARTIAL_BATCH }
      if (isEnd) return void (await drain(batches, wait))
    }
  } finally {
    batches.return?.().then(noop, noop)
  }
}

const EOF: IteratorResult<readonly SseFrame[], undefined> = { done: true, value: undefined }

/** Whether a replay has brought the same as the connections before. */
function isSameAnswer({ message }: AiSdkHandle, known: AiSdkHandle | undefined): boolean {
  return JSON.stringify(message.parts) === JSON.stringify(known?.message.parts)
}

function another(): Error {
  return createAiSdkError(LOG_EXPIRED)
}
