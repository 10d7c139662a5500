import { AgentError } from '../../base/agent-error.ts'
import type { Clock } from '../../base/clock.ts'
import type { StreamPacket } from '../../protocols/cap/schema/packet.ts'
import { canonicalUuid } from '../../protocols/cap/values/scalars.ts'
import { stringifyWellFormed } from '../../base/well-formed-json.ts'
import { encodeSseFrame } from '../../wire/sse-encoder.ts'
import { appError } from './app-error.ts'
import type { AgentOutput, StreamErrorBody } from './agent-output.ts'
import { checkOutput } from './check-output.ts'
import type { LogEntry, LogWriter } from '../event-log/event-log.ts'
import type { StreamPlaces } from './stream-places.ts'
import type { WholeCharacters } from './whole-characters.ts'
import { createWholeCharacters } from './whole-characters.ts'

/** Turns what an agent says into numbered packets in the log (CAP section 6, rule 6). */
export interface RunWriter {
  /** Marks the answer as an event stream before anything is said. Idempotent. */
  openStream(): Promise<void>
  write(output: AgentOutput): Promise<void>
  /** Logs a whole answer instead of a stream. */
  answer(json: string): Promise<void>
  /** Closes every stream still open, `reason` on the main one. */
  finish(reason?: string): Promise<void>
  /** FATAL and CLOSE on every stream still open. */
  fail(error: StreamErrorBody): Promise<void>
  /** True once the main stream has failed and no other is open: nobody would hear more. */
  readonly over: boolean
}

export interface RunWriterOptions {
  readonly log: LogWriter
  readonly clock: Clock
  readonly uuid: () => string
  /** Longest answer, in UTF-16 units of its frames. */
  readonly maxAnswerLength: number
  /** What the log holds already, where it goes on. */
  readonly before?: StreamPlaces | undefined
}

interface Stream {
  readonly id: string
  seq: number
  closed: boolean
  failed: boolean
  readonly text: WholeCharacters
}

const MAIN = ''

export function createRunWriter({ log, clock, uuid, maxAnswerLength, before }: RunWriterOptions): RunWriter {
  const streams = new Map<string, Stream>(before?.places.map((place) => [place.id, { ...place, failed: false, text: createWholeCharacters() }]))
  let first = before?.first
  let length = 0
  let tail = Promise.resolve()
  /** The first thing that could not be written. */
  let mistake: { readonly error: unknown } | undefined

  /** One append at a time, in the order of the calls; after a failed one all later ones fail alike. */
  const append = (entry: LogEntry): Promise<void> => {
    first ??= entry.kind
    tail = tail.then(async () => log.append(entry))
    tail.catch(() => {})
    return tail
  }

  const openStream = (): Promise<void> => {
    if (first === 'stream') return tail
    if (first === undefined) return append({ kind: 'stream' })
    return Promise.reject(appError('The agent spoke after it had answered with JSON. An answer is either streamed or returned whole.'))
  }

  const streamOf = (name: string): Stream => {
    const known = streams.get(name)
    if (known?.closed) throw appError(`The agent spoke on stream "${name || 'main'}" after it was closed. Use another name or speak before close().`)
    const stream = known ?? { id: streamId(uuid()), seq: 0, closed: false, failed: false, text: createWholeCharacters() }
    streams.set(name, stream)
    return stream
  }

  const packet = async (stream: Stream, said: Pick<StreamPacket, 'op' | 'p'>, bounded = true): Promise<void> => {
    const body = { stream_id: stream.id, seq: stream.seq + 1, op: said.op, t: timestamp(clock), p: said.p }
    const text = encodeSseFrame({ id: stream.id, event: 'stream.packet', data: stringifyWellFormed(body) })
    if (bounded && length + text.length > maxAnswerLength) throw tooLarge(maxAnswerLength)
    length += text.length
    stream.seq += 1
    if (said.op === 'CLOSE') stream.closed = true
    await Promise.all([openStream(), append({ kind: 'frame', text })])
  }

  const sayText = async (stream: Stream, text: string): Promise<void> => {
    const whole = stream.text.take(text)
    if (whole !== '') await packet(stream, { op: 'DELTA', p: whole })
  }

  /** A packet after which no text follows: what was held back goes out before it, in the same turn, so that the calls keep their order. */
  const endText = async (stream: Stream, said: Pick<StreamPacket, 'op' | 'p'>, bounded: boolean): Promise<void> => {
    const half = stream.text.rest()
    await Promise.all([half === '' ? undefined : packet(stream, { op: 'DELTA', p: half }, false), packet(stream, said, bounded)])
  }

  const closeStream = (stream: Stream, reason: string): Promise<void> => endText(stream, { op: 'CLOSE', p: reason }, false)

  const openOnes = (): Stream[] => {
    if (streams.size === 0) streamOf(MAIN)
    return [...streams.values()].filter((stream) => !stream.closed)
  }

  const say = async (output: AgentOutput): Promise<void> => {
    checkOutput(output)
    if (first === 'response') return openStream()
    if (typeof output === 'string') {
      if (output !== '') await sayText(streamOf(MAIN), output)
      return
    }
    const stream = streamOf(output.stream ?? MAIN)
    if (output.kind === 'text') {
      await sayText(stream, output.text)
    } else if (output.kind === 'event') {
      const { type, data, id = uuid() } = output
      await packet(stream, { op: 'EVENT', p: { id, timestamp: timestamp(clock), type, data } })
    } else if (output.kind === 'close') {
      await closeStream(stream, output.reason)
    } else {
      const said = { op: 'ERROR', p: { ...output.error } } as const
      if (output.error.severity !== 'FATAL') return packet(stream, said)
      await endText(stream, said, true)
      stream.failed = true
      await closeStream(stream, 'failed')
    }
  }

  return {
    openStream,
    write(output) {
      const written = say(output)
      // Who writes from a callback may not wait for the outcome: the run is told at its end.
      written.catch((error: unknown) => {
        mistake ??= { error }
      })
      return written
    },
    answer(json) {
      if (first !== undefined) {
        return Promise.reject(appError('The agent returned a JSON answer after it had begun to stream. An answer is either streamed or returned whole.'))
      }
      if (json.length > maxAnswerLength) return Promise.reject(tooLarge(maxAnswerLength))
      return append({ kind: 'response', text: json })
    },
    async finish(reason = 'finished') {
      if (mistake !== undefined) throw mistake.error
      if (first === 'response') return
      for (const stream of openOnes()) await closeStream(stream, stream === streams.get(MAIN) ? reason : 'finished')
    },
    async fail(error) {
      if (first === 'response') return
      for (const stream of openOnes()) {
        await endText(stream, { op: 'ERROR', p: { ...error } }, false)
        await closeStream(stream, 'failed')
      }
    },
    get over() {
      return streams.get(MAIN)?.failed === true && openOnes().length === 0
    },
  }
}

function streamId(id: unknown): string {
  if (canonicalUuid(id) !== undefined) return String(id)
  throw appError(`The option uuid gave ${JSON.stringify(id)}, and every stream needs a UUID. Return a new one at each call, such as crypto.randomUUID().`)
}

function timestamp(clock: Clock): string {
  return new Date(clock.date()).toISOString()
}

function tooLarge(limit: number): AgentError {
  return new AgentError({
    kind: 'runtime',
    code: 'response_too_large',
    severity: 'FATAL',
    message: `The answer grew over ${limit} characters on the wire, the most this server keeps of one run. Raise maxAnswerLength or say less.`,
  })
}
