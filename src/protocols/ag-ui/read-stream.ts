import { noop } from '../../base/noop.ts'
import { frameBytes } from '../../wire/sse-decoder.ts'
import { PARTIAL_BATCH } from '../../wire/fetch-transport.ts'
import type { EventsAnswer, SseFrame } from '../../wire/transport.ts'
import type { Batch, Delivery, Opening } from '../../seam/protocol.ts'
import { createAgUiError, DELIVERY_UNKNOWN, LOG_EXPIRED } from './errors.ts'
import type { AgUiHandle } from './handle.ts'
import type { RareEvents } from './rare-events.ts'
import type { BodyEnd, RunReading } from './run-reading.ts'
import type { AgUiEvent } from './events.ts'

export type Batches = AsyncGenerator<Batch<AgUiEvent>, void>

export interface StreamReading {
  readonly answer: EventsAnswer
  readonly reading: RunReading
  /** State of the earlier connections. Absent: this is the first one. */
  readonly known?: AgUiHandle | undefined
  /** The run was posted before: this is what a server has kept of it. @default false */
  readonly isResumed?: boolean | undefined
  readonly opening: Pick<Opening<unknown>, 'wait'>
}

/** Type of a frame that a body ends in the middle of; see `wholeFramesFetch`. */
export const UNENDED_FRAME = 'capstan-unended-frame'
/** How long a connection may stay open after the run has ended. */
const END_GRACE_MS = 1000
const DONE = '[DONE]'
const ENDS: ReadonlySet<string> = new Set(['RUN_FINISHED', 'RUN_ERROR'])

/**
 * Reads one body until the run or the connection ends.
 *
 * @throws AgUiError `log_expired` when a server says that it has no log of the run
 * @throws ValidationError for something that is no AG-UI stream
 */
export async function* readStream({ answer, reading, known, isResumed = false, opening }: StreamReading): Batches {
  const batches = answer.batches[Symbol.asyncIterator]()
  let grace: Promise<typeof EOF> | undefined
  let rare: RareEvents | undefined
  let isFirst = true
  /** The frames up to this one are repeated. */
  let repeatedTo: string | undefined

  async function take(frame: SseFrame, deliveries: Delivery<AgUiEvent>[]): Promise<void> {
    const { data, id } = frame
    if (isFirst && isResumed) {
      isFirst = false
      // Servers that cannot continue from an id begin again, or with the frame of that id.
      if (id !== '' && (id === known?.firstId || id === known?.lastId)) repeatedTo = known.lastId
      else if (id === '' && reading.read(data).type === 'RUN_ERROR') {
        if (known === undefined) throw createAgUiError(DELIVERY_UNKNOWN)
        deliveries.push(reading.leaveOut(data))
        throw createAgUiError(LOG_EXPIRED)
      }
    }
    if (repeatedTo !== undefined) {
      if (id === repeatedTo) repeatedTo = undefined
      return
    }
    if (data === DONE) return
    const isUnended = frame.event === UNENDED_FRAME
    const isCut = isUnended && !isJson(data)
    const event = data === '' || isCut ? undefined : reading.read(data)
    // Where the log is asked for the rest, the last frame may come again: whether its id is whole, nobody knows.
    const comesAgain = isUnended && reading.isNumbered && event !== undefined && !ENDS.has(event.type)
    if (event === undefined || comesAgain) {
      deliveries.push(reading.leaveOut(data))
      return
    }
    if (reading.isRare(event)) rare ??= (await import('./rare-events.ts')).rareEvents
    deliveries.push(reading.take(event, { data, id, bytes: frameBytes(frame) }, rare))
  }

  async function conclude(end: BodyEnd): Promise<Batch<AgUiEvent>[]> {
    const ask = reading.hasQuestions ? (await import('./ask-questions.ts')).askQuestions : undefined
    const last = reading.conclude(end, ask)
    return last === undefined ? [] : [{ deliveries: [last], handle: reading.handle }]
  }

  try {
    for (;;) {
      if (reading.isSettled) grace ??= opening.wait(END_GRACE_MS).then(() => EOF)
      else grace = undefined
      let next: IteratorResult<readonly SseFrame[], unknown>
      try {
        next = await (grace === undefined ? batches.next() : Promise.race([batches.next(), grace]))
      } catch (error) {
        const last = await conclude('broken')
        if (last.length === 0) throw error
        yield* last
        return
      }
      if (next.done === true) return yield* await conclude(next === EOF ? 'grace' : 'eof')
      const deliveries: Delivery<AgUiEvent>[] = []
      try {
        for (const frame of next.value) await take(frame, deliveries)
      } catch (error) {
        // Earlier events are still delivered.
        if (deliveries.length > 0) yield { deliveries, handle: reading.handle }
        throw error
      }
      yield { deliveries, handle: reading.handle, partial: next.value === PARTIAL_BATCH }
    }
  } finally {
    batches.return?.().then(noop, noop)
  }
}

const EOF: IteratorResult<readonly SseFrame[], undefined> = { done: true, value: undefined }

function isJson(data: string): boolean {
  try {
    JSON.parse(data)
    return true
  } catch {
    return false
  }
}
