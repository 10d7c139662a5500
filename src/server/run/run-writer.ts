import { AgentError } from '../../base/agent-error.ts'
import type { Clock } from '../../base/ports/clock.ts'
import type { StreamPacket } from '../../protocols/cap/schema/packet.ts'
import { canonicalUuid } from '../../protocols/cap/values/scalars.ts'
import { type WholeCharacters, createWholeCharacters } from '../../base/text.ts'
import { stringifyWellFormed } from '../../base/bounded-json.ts'
import { encodeSseFrame } from '../../wire/sse-encoder.ts'
import { appError } from './app-error.ts'
import { type AgentOutput, type EventOutput, type StreamErrorBody, checkOutput } from './agent-output.ts'
import type { AnswerRecorder } from './run-memory.ts'
import type { LogEntry, LogWriter } from '../event-log/event-log.ts'
import { createLogQueue } from './log-queue.ts'
import type { StreamPlaces } from './stream-places.ts'

/** Turns what an agent says into numbered packets in the log (CAP section 6, rule 6). */
export interface RunWriter {
  /** Marks the answer as an event stream before the first output. Idempotent. */
  openStream(): Promise<void>
  /** Resolves once it is logged. */
  write(output: AgentOutput): Promise<void>
  /**
   * The same without waiting for the log, unless too much is on its way there: then the promise says when to continue. Throws what `write`
   * rejects with before anything is logged.
   */
  say(output: AgentOutput): Promise<void> | undefined
  /**
   * Logs an event of the run itself, on the stream it names, or on the main stream or the first that is open. Undefined when that
   * stream is closed, or the answer is not a stream. Throws `response_too_large` for one that does not fit, unless it `mustFit`. Rejects
   * when it cannot be logged. What it throws is not a mistake of the agent.
   */
  note(event: EventOutput, options?: { readonly mustFit?: boolean }): Promise<void> | undefined
  /** Logs a whole answer instead of a stream. */
  answer(json: string): Promise<void>
  /** Closes every stream still open, `reason` on the main one. */
  finish(reason?: string): Promise<void>
  /** Closes every stream still open with `cancelled`, whatever the agent did wrong before. */
  cancel(): Promise<void>
  /**
   * FATAL and CLOSE on every stream still open.
   *
   * @param reason of CLOSE: `unconfirmed` while the agent function has not returned. @default 'failed'
   */
  fail(error: StreamErrorBody, reason?: 'failed' | 'unconfirmed'): Promise<void>
  /** True once the main stream has failed and no other is open: further output would not be read. */
  readonly over: boolean
}

export interface RunWriterOptions {
  readonly log: Pick<LogWriter, 'append' | 'appendAll'>
  readonly clock: Clock
  readonly uuid: () => string
  /** Longest answer, in UTF-16 units of its frames. */
  readonly maxAnswerLength: number
  /** What the log holds already, where it continues. */
  readonly before?: StreamPlaces | undefined
  /** Events that go before the end of a stream, such as those of prompts that nobody can answer any more. Absent: none. */
  readonly lastEvents?: ((stream: string) => readonly EventOutput[]) | undefined
  /** Receives all output. Absent: only the log does. */
  readonly recorder?: AnswerRecorder | undefined
  /** Called when an entry could not be logged: none after it will be. Absent: only the calls themselves tell. */
  readonly onLost?: ((error: unknown) => void) | undefined
}

interface Stream {
  /** What the agent calls it; of a log that is taken over, its id. */
  readonly name: string
  readonly id: string
  /** How each frame of it begins. */
  readonly head: string
  seq: number
  closed: boolean
  failed: boolean
  readonly text: WholeCharacters
}

const MAIN = ''
/** UTF-16 units that may be on their way to the log while the agent continues. */
const MOST_PENDING = 65_536

export function createRunWriter(options: RunWriterOptions): RunWriter {
  const { log, clock, uuid, maxAnswerLength, before, recorder } = options
  const streams = new Map<string, Stream>(
    before?.places.map((place) => [
      place.id,
      { ...place, name: place.id, head: headOf(place.id), failed: false, text: createWholeCharacters() },
    ]),
  )
  const queue = createLogQueue(log, options.onLost ?? (() => {}))
  const timestamp = createTimestamps(clock)
  let first = before?.first
  let length = 0
  /** The first thing that could not be written. */
  let mistake: { readonly error: unknown } | undefined

  const append = (entry: LogEntry): void => {
    first ??= entry.kind
    queue.push(entry)
  }

  const beginStream = (): void => {
    if (first === undefined) append({ kind: 'stream' })
    else if (first !== 'stream')
      throw appError('The agent spoke after it had answered with JSON. An answer is either streamed or returned whole.')
  }

  const streamOf = (name: string): Stream => {
    const known = streams.get(name)
    if (known?.closed)
      throw appError(
        `The agent spoke on stream "${name || 'main'}" after it was closed. Use another name or speak before close().`,
      )
    if (known) return known
    const id = streamId(uuid())
    const stream = { name, id, head: headOf(id), seq: 0, closed: false, failed: false, text: createWholeCharacters() }
    streams.set(name, stream)
    return stream
  }

  const packet = (stream: Stream, said: Pick<StreamPacket, 'op' | 'p'>, bounded = true): void => {
    const body = { stream_id: stream.id, seq: stream.seq + 1, op: said.op, t: timestamp(), p: said.p }
    // JSON has no line breaks, so it is one line of data.
    const text = `${stream.head}${stringifyWellFormed(body)}\n\n`
    if (bounded && length + text.length > maxAnswerLength) throw tooLarge(maxAnswerLength)
    length += text.length
    stream.seq += 1
    if (said.op === 'CLOSE') stream.closed = true
    beginStream()
    append({ kind: 'frame', text })
  }

  const sayText = (stream: Stream, text: string): void => {
    const whole = stream.text.take(text)
    if (whole !== '') packet(stream, { op: 'DELTA', p: whole })
  }

  /** A packet after which no text follows: what was held back goes out before it. */
  const endText = (stream: Stream, said: Pick<StreamPacket, 'op' | 'p'>, bounded: boolean): void => {
    const half = stream.text.rest()
    if (half !== '') packet(stream, { op: 'DELTA', p: half }, false)
    packet(stream, said, bounded)
  }

  const sayEvent = (stream: Stream, { type, data, id = uuid() }: EventOutput, bounded: boolean): void =>
    packet(stream, { op: 'EVENT', p: { id, timestamp: timestamp(), type, data } }, bounded)

  const sayLastEvents = (stream: Stream): void => {
    for (const last of options.lastEvents?.(stream.name) ?? []) sayEvent(stream, last, false)
  }

  const closeStream = (stream: Stream, reason: string): void => {
    sayLastEvents(stream)
    endText(stream, { op: 'CLOSE', p: reason }, false)
  }

  const openOnes = (): Stream[] => {
    if (streams.size === 0) streamOf(MAIN)
    return [...streams.values()].filter((stream) => !stream.closed)
  }

  /** Undefined when no stream is open that was. */
  const noteName = (): string | undefined =>
    streams.get(MAIN)?.closed === true ? [...streams.values()].find(({ closed }) => !closed)?.name : MAIN

  const put = (output: AgentOutput): void => {
    checkOutput(output)
    if (first === 'response') return beginStream()
    if (typeof output === 'string') {
      if (output !== '') sayText(streamOf(MAIN), output)
      return
    }
    const stream = streamOf(output.stream ?? MAIN)
    if (output.kind === 'text') {
      sayText(stream, output.text)
    } else if (output.kind === 'event') {
      sayEvent(stream, output, true)
    } else if (output.kind === 'close') {
      closeStream(stream, output.reason)
    } else {
      const said = { op: 'ERROR', p: { ...output.error } } as const
      if (output.error.severity !== 'FATAL') return packet(stream, said)
      // A client reads nothing after FATAL.
      sayLastEvents(stream)
      endText(stream, said, true)
      stream.failed = true
      closeStream(stream, 'failed')
    }
  }

  return {
    async openStream() {
      beginStream()
      await queue.settled()
    },
    async write(output) {
      try {
        put(output)
        recorder?.take(output)
        await queue.settled()
      } catch (error) {
        // A callback that writes may not wait for the outcome: the run reports it at its end.
        mistake ??= { error }
        throw error
      }
    },
    say(output) {
      put(output)
      recorder?.take(output)
      return queue.pending > MOST_PENDING ? queue.settled() : undefined
    },
    note(event, { mustFit = false } = {}) {
      if (first === 'response') return undefined
      const name = event.stream ?? noteName()
      if (name === undefined || streams.get(name)?.closed) return undefined
      sayEvent(streamOf(name), event, !mustFit)
      recorder?.take(event)
      return queue.settled()
    },
    async answer(json) {
      if (first !== undefined) {
        throw appError(
          'The agent returned a JSON answer after it had begun to stream. An answer is either streamed or returned whole.',
        )
      }
      if (json.length > maxAnswerLength) throw tooLarge(maxAnswerLength)
      append({ kind: 'response', text: json })
      recorder?.takeResponse(json)
      await queue.settled()
    },
    async finish(reason = 'finished') {
      if (mistake !== undefined) throw mistake.error
      if (first === 'response') return
      for (const stream of openOnes()) closeStream(stream, stream === streams.get(MAIN) ? reason : 'finished')
      await queue.settled()
    },
    async cancel() {
      if (first === 'response') return
      for (const stream of openOnes()) closeStream(stream, 'cancelled')
      await queue.settled()
    },
    async fail(error, reason = 'failed') {
      if (first === 'response') return
      for (const stream of openOnes()) {
        sayLastEvents(stream)
        endText(stream, { op: 'ERROR', p: { ...error } }, false)
        closeStream(stream, reason)
      }
      await queue.settled()
    },
    get over() {
      return streams.get(MAIN)?.failed === true && openOnes().length === 0
    },
  }
}

function headOf(id: string): string {
  return encodeSseFrame({ id, event: 'stream.packet', data: '' }).slice(0, -2)
}

function streamId(id: unknown): string {
  if (canonicalUuid(id) !== undefined) return String(id)
  throw appError(
    `The option uuid gave ${JSON.stringify(id)}, and every stream needs a UUID. Return a new one at each call, such as crypto.randomUUID().`,
  )
}

/** The time as packets have it. Packets of one millisecond share one text. */
function createTimestamps(clock: Clock): () => string {
  let date: number | undefined
  let text = ''
  return () => {
    const now = clock.date()
    if (now !== date) text = new Date(now).toISOString()
    date = now
    return text
  }
}

function tooLarge(limit: number): AgentError {
  return new AgentError({
    kind: 'runtime',
    code: 'response_too_large',
    severity: 'FATAL',
    message: `The answer exceeds ${limit} characters on the wire, the most this server stores for one run. Raise maxAnswerLength or send less.`,
  })
}
