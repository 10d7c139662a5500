import type { AgentError } from '../../base/agent-error.ts'
import type { RetryPolicy } from '../../base/backoff.ts'
import { SHORTEST_BEAT_MS, type Clock, delay } from '../../base/ports/clock.ts'
import { encodeSseFrame } from '../../wire/sse-encoder.ts'
import { createSseDecoder } from '../../wire/sse-decoder.ts'
import type { SseFrame } from '../../wire/transport.ts'
import { DEFAULT_MAX_FRAME_BYTES } from '../../wire/transport.ts'
import { abortWith } from '../../base/on-abort.ts'
import type { EventOutput, StreamErrorBody } from '../run/agent-output.ts'
import type { BoundCall } from './bind-call.ts'
import type { LogEntry, LogWriter } from '../event-log/event-log.ts'
import { appendEntries } from '../run/log-queue.ts'
import { createRunRecord, type RunRecord } from '../run/run-record.ts'
import { createRunWriter } from '../run/run-writer.ts'
import { createStreamPlaces, type StreamPlaces } from '../run/stream-places.ts'
import { ANSWER_TOO_LARGE, SERVER_STOPPING, UPSTREAM_LOST, UPSTREAM_RESTARTED } from '../run/run-verdicts.ts'
import type { Upstream } from './upstream.ts'
import type { ProxyCaller } from './upstream-connection.ts'
import { upstreamCutOff, UpstreamFailure } from './upstream-failure.ts'

export interface ProxyRunOptions {
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

export interface ProxyRun {
  /** Resolves once the upstream answers; rejects with UpstreamFailure, or what the app's own functions threw, when it does not. */
  readonly opened: Promise<void>
  /** Resolves when nothing more will be written. Never rejects. */
  readonly ended: Promise<void>
}

/** Carries the run of an upstream into a log, over as many connections as it takes, with or without readers. */
export function startProxyRun(options: ProxyRunOptions): ProxyRun {
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
