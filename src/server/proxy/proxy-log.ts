import { onAbort, abortWith } from '../../base/on-abort.ts'
import { backoff, type RetryPolicy } from '../../base/backoff.ts'
import { type Clock, SHORTEST_BEAT_MS, delay } from '../../base/ports/clock.ts'
import { systemEnvironment } from '../../base/ports/environment.ts'
import type { BoundCall } from './bind-call.ts'
import { readAdopted, createRunRecord, type RunRecord } from '../run/run-record.ts'
import {
  type Adopted,
  type EventLog,
  type LogReader,
  type LogWriter,
  type LogEntry,
  failoverReader,
} from '../event-log/event-log.ts'
import { isLogExpired, logExpired, HttpRefusal } from '../http/http-refusal.ts'
import type { IncomingCall } from '../http/incoming-call.ts'
import { logResponse, type Answer } from '../http/stream-response.ts'
import type { AssistCall } from '../http/read-assist-call.ts'
import { type StreamPlaces, createStreamPlaces } from '../run/stream-places.ts'
import { SERVER_STOPPING, ANSWER_TOO_LARGE, UPSTREAM_LOST, UPSTREAM_RESTARTED } from '../run/run-verdicts.ts'
import type { Upstream } from './upstream.ts'
import type { ProxyCaller } from './upstream-connection.ts'
import type { AgentError } from '../../base/agent-error.ts'
import { encodeSseFrame } from '../../wire/sse-encoder.ts'
import { createSseDecoder } from '../../wire/sse-decoder.ts'
import { type SseFrame, DEFAULT_MAX_FRAME_BYTES } from '../../wire/transport.ts'
import type { EventOutput, StreamErrorBody } from '../run/agent-output.ts'
import { appendEntries } from '../run/log-queue.ts'
import { createRunWriter } from '../run/run-writer.ts'
import { upstreamCutOff, UpstreamFailure } from './upstream-failure.ts'

export interface ProxyLogOptions {
  readonly log: EventLog
  readonly upstream: Upstream
  readonly clock: Clock
  readonly maxAnswerLength: number
  readonly heartbeatMs: number
  readonly stallTimeoutMs: number
  readonly maxResumes: number
  readonly stopping: AbortSignal | undefined
  readonly waitUntil: ((run: Promise<void>) => void) | undefined
  onError(error: unknown, context: { readonly requestId: string }): void
}

/** Answers out of a log that an upstream run is carried into. */
export interface ProxyLog {
  answer(call: AssistCall, bound: BoundCall, caller: ProxyCaller, http: IncomingCall): Promise<Answer>
}

/**
 * Most attempts per request. A request that waited for a run that the upstream refused is sent again, so that it gets
 * the reason.
 */
const MOST_TRIES = 3

export function createProxyLog(options: ProxyLogOptions): ProxyLog {
  const { log, upstream, clock, heartbeatMs, stallTimeoutMs, stopping } = options
  const { uuid, random } = systemEnvironment

  return {
    async answer(call, bound, caller, http) {
      const { requestId, lastEventId } = call
      // No key of `createAgentHandler` starts with `proxy`. The user name is last, so it cannot be mistaken for another
      // field.
      const key = `proxy ${upstream.name} ${requestId} ${caller.user}`
      const onError = (error: unknown): void => options.onError(error, { requestId })

      const start = (writer: LogWriter, before?: StreamPlaces, record?: RunRecord): ProxyRun => {
        const { maxAnswerLength, maxResumes } = options
        const leaveWhenStopping = log.adopt !== undefined
        const run = startProxyRun({
          upstream,
          call: bound,
          caller,
          requestId,
          writer,
          before,
          record,
          lastEventId,
          clock,
          random,
          uuid,
          maxAnswerLength,
          retry: backoff({ maxAttempts: maxResumes }),
          stopping,
          leaveWhenStopping,
          onError,
        })
        options.waitUntil?.(run.ended)
        return run
      }

      /** The process that carried the run is gone: this one continues where it stopped. */
      const takeOver = async (reader: LogReader, adopted: Adopted): Promise<void> => {
        const { writer } = adopted
        const record = createRunRecord()
        const before = await readAdopted(reader, adopted, record)
        const complete = before.first === 'response' || before.hasSettled
        if (complete) await writer.close()
        else start(writer, before, record)
      }

      for (let tries = 1; ; tries++) {
        // The upstream runs each request id only once, so repeating a request is always safe.
        const begun = await log.begin(key, { restart: true })
        if (begun.state === 'expired') throw logExpired()
        if (begun.state === 'created') await start(begun.writer).opened
        const followed = failoverReader({
          reader: begun.reader,
          log,
          key,
          adopted: (orphan) => takeOver(begun.reader, orphan),
        })
        const reader = log.adopt === undefined || stopping === undefined ? followed : untilStopping(followed, stopping)
        try {
          return await logResponse({
            reader,
            requestId,
            clock,
            heartbeatMs,
            stallTimeoutMs,
            http,
            onError,
          })
        } catch (error) {
          if (tries >= MOST_TRIES || begun.state === 'created' || !isLogExpired(error)) throw error
        }
      }
    },
  }
}

/** Ends reading when the server stops, because the run that it leaves to the next process never ends here. */
function untilStopping(reader: LogReader, stopping: AbortSignal): LogReader {
  return {
    read: (after, signal) =>
      new Promise((resolve, reject) => {
        const release = onAbort(stopping, () => reject(serverStopping()))
        reader.read(after, signal).then(resolve, reject).finally(release)
      }),
  }
}

function serverStopping(): HttpRefusal {
  return new HttpRefusal({
    status: 503,
    code: SERVER_STOPPING.code,
    message: SERVER_STOPPING.message,
    headers: { 'retry-after': '1' },
  })
}

interface ProxyRunOptions {
  readonly upstream: Upstream
  readonly call: BoundCall
  readonly caller: ProxyCaller
  /** The id the client gave its request: a JSON answer carries it. */
  readonly requestId: string
  readonly writer: LogWriter
  /** What the log holds already, when it was taken over. */
  readonly before?: StreamPlaces | undefined
  /** What that says of prompts. */
  readonly record?: RunRecord | undefined
  /** What the client says it heard last, when there is no log to say it. */
  readonly lastEventId: string | undefined
  readonly clock: Clock
  readonly random: () => number
  readonly uuid: () => string
  readonly maxAnswerLength: number
  /** Retry policy for connections to the upstream. */
  readonly retry: RetryPolicy
  readonly stopping: AbortSignal | undefined
  /** Leaves the log as it is when the server stops: another process will take it over. */
  readonly leaveWhenStopping: boolean
  onError(error: unknown): void
}

interface ProxyRun {
  /** Resolves once the upstream answers; rejects with UpstreamFailure, or what the app's own functions threw, when it does not. */
  readonly opened: Promise<void>
  /** Resolves when nothing more will be written. Never rejects. */
  readonly ended: Promise<void>
}

/** Carries the run of an upstream into a log, over as many connections as it takes, with or without readers. */
function startProxyRun(options: ProxyRunOptions): ProxyRun {
  let settle: { readonly opened: () => void; readonly failed: (error: unknown) => void } | undefined
  const opened = new Promise<void>((resolve, reject) => {
    settle = { opened: resolve, failed: reject }
  })
  // No request waits for the opening of a run that was taken over.
  opened.catch(() => {})
  const ended = carry(options, () => settle?.opened()).then(
    () => settle?.opened(),
    async (error: unknown) => {
      // Frees the key, so that the same request can be sent again.
      await options.writer.discard().catch(options.onError)
      settle?.failed(error)
    },
  )
  return { opened, ended }
}

/** Rejects only while nothing has been logged. */
async function carry(options: ProxyRunOptions, opened: () => void): Promise<void> {
  const over = new AbortController()
  const release = abortWith(over, options.stopping)
  try {
    await carryOn(options, opened, over.signal)
  } finally {
    release()
    // Closes a connection that is still open.
    over.abort()
  }
}

async function carryOn(options: ProxyRunOptions, opened: () => void, signal: AbortSignal): Promise<void> {
  const { upstream, call, caller, writer, clock, random, retry, stopping, onError } = options
  const places = options.before ?? createStreamPlaces()
  const record = options.record ?? createRunRecord()
  const run: Carried = {
    places,
    record,
    length: 0,
    verdict: undefined,
    complete: true,
    hasBeaten: false,
    reported: undefined,
  }
  let failures = 0
  for (;;) {
    const lastEventId = places.lastId || options.lastEventId
    const seen = run.length
    run.hasBeaten = false
    let lost: AgentError
    let hasAnswered = false
    try {
      const answer = await upstream.assist({ call, caller, lastEventId, signal })
      hasAnswered = true
      if (answer.kind === 'response') {
        if (places.first !== undefined) {
          run.verdict = UPSTREAM_LOST
        } else {
          await writer.append({
            kind: 'response',
            text: JSON.stringify({ ...answer.response, request_id: options.requestId }),
          })
          opened()
        }
        break
      }
      if (places.first === undefined) {
        const opening: LogEntry = { kind: 'stream', control: answer.control }
        await writer.append(opening)
        places.takeEntry(opening)
      }
      opened()
      await follow(answer.chunks, run, options)
      if (run.verdict !== undefined || isOver(places)) break
      lost = upstreamCutOff().error
    } catch (error) {
      if (stopping?.aborted) {
        run.verdict = SERVER_STOPPING
        break
      }
      if (places.first === undefined) throw error
      if (!(error instanceof UpstreamFailure)) {
        // The log cannot be written, or a function of the app threw. Either way the answer is not complete.
        onError(error)
        run.verdict = UPSTREAM_LOST
        run.reported = error
        break
      }
      onError(error.error)
      if (!error.retryable || places.unnumbered) run.verdict = UPSTREAM_LOST
      if (run.verdict !== undefined) break
      lost = error.error
    }
    failures = run.length > seen || run.hasBeaten ? 1 : failures + 1
    if (failures > retry.maxAttempts) {
      // What the agent gave as the reason, while nothing new has followed it.
      const interruption = hasAnswered ? places.interruption : undefined
      run.verdict = interruption === undefined ? UPSTREAM_LOST : { ...interruption, severity: 'FATAL' }
      break
    }
    await delay(clock, retry.delayMs(failures, lost, random()), signal)
  }
  await end(run, options)
}

interface Carried {
  readonly places: StreamPlaces
  readonly record: RunRecord
  /** UTF-16 units of what was logged. */
  length: number
  /** Error with which the proxy ends a run that the agent did not end. */
  verdict: StreamErrorBody | undefined
  /** Whether the log has all that `places` knows of: not after an append that failed. */
  complete: boolean
  /** Whether the newest connection has brought a heartbeat, which proves that the run is alive. */
  hasBeaten: boolean
  /** The error already passed to `onError`: a failed log rejects with the same error from then on. */
  reported: unknown
}

/** Logs every new packet; a resumed connection repeats earlier ones. */
async function follow(
  chunks: AsyncGenerator<Uint8Array<ArrayBuffer>>,
  run: Carried,
  { writer, clock, maxAnswerLength }: ProxyRunOptions,
): Promise<void> {
  const { places } = run
  let frames: SseFrame[] = []
  let first = true
  let heardAt = clock.now()
  const decoder = createSseDecoder({ onFrame: (frame) => frames.push(frame), maxFrameBytes: DEFAULT_MAX_FRAME_BYTES })
  for await (const chunk of chunks) {
    frames = []
    decoder.push(chunk)
    const entries: LogEntry[] = []
    if (frames.length === 0 && decoder.completed && clock.now() - heardAt >= SHORTEST_BEAT_MS) run.hasBeaten = true
    heardAt = clock.now()
    for (const frame of frames) {
      const verdict = places.judge(frame.data, first)
      first = false
      if (verdict === 'duplicate') continue
      if (verdict === 'restarted') run.verdict = UPSTREAM_RESTARTED
      const text = encodeSseFrame({
        ...(frame.id !== '' && { id: frame.id }),
        ...(frame.event !== 'message' && { event: frame.event }),
        data: frame.data,
      })
      if (run.length + text.length > maxAnswerLength) run.verdict ??= ANSWER_TOO_LARGE
      if (run.verdict !== undefined) break
      run.length += text.length
      entries.push({ kind: 'frame', text })
      places.take(frame.id, frame.data)
    }
    run.complete = false
    await appendEntries(writer, entries)
    run.complete = true
    for (const entry of entries) run.record.takeEntry(entry)
    if (decoder.overflowed) run.verdict ??= ANSWER_TOO_LARGE
    if (run.verdict !== undefined) return
  }
}

/** Whether the run has ended. Streams of generations without packet numbers end with their connection. */
function isOver({ hasSettled, unnumbered }: StreamPlaces): boolean {
  return unnumbered || hasSettled
}

async function end(run: Carried, options: ProxyRunOptions): Promise<void> {
  const { writer, clock, uuid, onError } = options
  if (run.verdict === SERVER_STOPPING && options.leaveWhenStopping) return
  const tell = (error: unknown): void => {
    if (error !== run.reported) onError(error)
    run.reported = error
  }
  // Without packet numbers no error packet can be added that the client could read, so the log is discarded.
  let complete = run.complete && (run.verdict === undefined || !run.places.unnumbered)
  if (complete && run.verdict !== undefined) {
    // Nobody can answer what an agent has asked that is no longer followed.
    const lastEvents = (stream: string): readonly EventOutput[] => run.record.withdraw(stream)
    await createRunWriter({ log: writer, clock, uuid, maxAnswerLength: Infinity, before: run.places, lastEvents })
      .fail(run.verdict)
      .catch((error: unknown) => {
        complete = false
        tell(error)
      })
  }
  await (complete ? writer.close() : writer.discard()).catch(tell)
}
