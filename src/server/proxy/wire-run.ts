import { abortWith } from '../../base/on-abort.ts'
import { systemDigest, type Digest } from '../../base/digest.ts'
import type { JsonObject } from '../../base/json-object.ts'
import { mediaTypeOf } from '../../wire/fetch-transport.ts'
import { createSseDecoder } from '../../wire/sse-decoder.ts'
import { encodeSseFrame } from '../../wire/sse-encoder.ts'
import { type SseFrame, DEFAULT_MAX_FRAME_BYTES } from '../../wire/transport.ts'
import type { LogEntry, LogWriter } from '../event-log/event-log.ts'
import type { RunReply } from '../event-log/run-command.ts'
import type { StreamErrorBody } from '../run/agent-output.ts'
import { appendEntries } from '../run/log-queue.ts'
import { ANSWER_TOO_LARGE, CANCEL_UNCONFIRMED, SERVER_STOPPING, UPSTREAM_LOST } from '../run/run-verdicts.ts'
import type { ProxyCaller, UpstreamConnection } from './upstream-connection.ts'
import { notAnAnswer, UpstreamFailure } from './upstream-failure.ts'
import { type BodyEnd, type ProxyWire, readData } from '../wires/proxy-wire.ts'
import { UNCONFIRMED_END } from './unconfirmed-end.ts'
import { bindId } from './bind-id.ts'

/** A run as its upstream gets it: under ids that belong to one user. */
interface BoundRun {
  /** Value of `x-run-id`. */
  readonly run: string
  readonly body: JsonObject
  /** Puts the client's own ids back into the data of a frame. */
  restore(data: string): string
}

interface RunToBind {
  /** Name of the run. */
  readonly run: string
  readonly body: JsonObject
  /** Members of the body that contain ids of runs. */
  readonly members: readonly string[]
  readonly user: string
}

/** Members such as `runId` and `parentRunId`: inside of a string their quotes would be escaped. */
const RUN_ID = /("[A-Za-z]*[rR]unId"\s*:\s*)"([-\da-f]{36})"/g

/**
 * Gives a run the ids that it has upstream. They are made of the user and the client's ids, so that no user reaches the run of another
 * one by naming it.
 */
async function bindRun({ run, body, members, user }: RunToBind, digest: Digest): Promise<BoundRun> {
  const bound: Record<string, string> = {}
  /** Ids of the client as JSON, by their bound ones. */
  const own = new Map<string, string>()
  for (const name of members) {
    const id = body[name]
    if (typeof id !== 'string') continue
    const upstream = await bindId(id, user, digest)
    bound[name] = upstream
    own.set(upstream, JSON.stringify(id))
  }
  return {
    run: bound['runId'] ?? (await bindId(run, user, digest)),
    body: { ...body, ...bound },
    restore: (data) =>
      own.size === 0
        ? data
        : data.replaceAll(RUN_ID, (whole: string, member: string, id: string) => {
            const known = own.get(id)
            return known === undefined ? whole : member + known
          }),
  }
}

export interface WireRunOptions {
  readonly wire: ProxyWire
  /** Where runs are posted. */
  readonly url: string
  readonly connection: UpstreamConnection
  readonly body: JsonObject
  /** Name of the run, which the ids of its frames begin with. */
  readonly run: string
  readonly caller: ProxyCaller
  readonly writer: LogWriter
  readonly maxAnswerLength: number
  readonly stopping: AbortSignal | undefined
  onError(error: unknown): void
}

export interface WireRun {
  /** Resolves once the upstream answers; rejects with UpstreamFailure, or what the app's own functions threw, when it does not. */
  readonly opened: Promise<void>
  /** Resolves when nothing more will be written. Never rejects. */
  readonly ended: Promise<void>
}

const LINE_BREAKS = new TextEncoder().encode('\n\n')

/** Carries the answer of an upstream into a log, from one POST that is never repeated, with or without readers. */
export function startWireRun(options: WireRunOptions): WireRun {
  const { wire, url, connection, body, run, caller, writer, maxAnswerLength, stopping, onError } = options
  const ending = wire.createEnding(body)
  const upstream = new AbortController()
  let count = 0
  let length = 0
  /** Why the run ends before its upstream has ended it. */
  let verdict: StreamErrorBody | undefined
  let restore = (data: string): string => data
  /** Whether the log has all that the ending knows of: not after an append that failed. */
  let isWhole = true
  let isLogged = (): void => {}
  const logged = new Promise<void>((resolve) => {
    isLogged = resolve
  })

  async function cancel(): Promise<RunReply> {
    verdict ??= CANCEL_UNCONFIRMED
    // The upstream confirms nothing: it has to notice that its connection was closed.
    upstream.abort()
    await logged
    return { result: 'over', ended: verdict === undefined ? 'finished' : 'unconfirmed' }
  }
  writer.onCommand?.((command) => (command.name === 'cancel' ? cancel() : Promise.resolve({ result: 'failed' })))

  const entryOf = (data: string, event?: string): Extract<LogEntry, { readonly kind: 'frame' }> => {
    count += 1
    return { kind: 'frame', text: encodeSseFrame({ id: `${run}/${count}`, event, data }) }
  }

  async function add(entries: readonly LogEntry[]): Promise<void> {
    isWhole = false
    await appendEntries(writer, entries)
    isWhole = true
  }

  /** Logs frames, up to a verdict. */
  async function take(frames: readonly SseFrame[]): Promise<void> {
    const entries: LogEntry[] = []
    for (const { data: received, event } of frames) {
      const data = restore(received)
      // The ending knows only of frames that are logged.
      if (verdict !== undefined) break
      if (ending.take(data) === 'skip') continue
      const entry = entryOf(data, event === 'message' ? undefined : event)
      length += entry.text.length
      if (length > maxAnswerLength) verdict = ANSWER_TOO_LARGE
      else entries.push(entry)
    }
    await add(entries)
  }

  async function follow(chunks: AsyncIterable<Uint8Array<ArrayBuffer>>): Promise<BodyEnd> {
    let frames: SseFrame[] = []
    const decoder = createSseDecoder({ onFrame: (frame) => frames.push(frame), maxFrameBytes: DEFAULT_MAX_FRAME_BYTES })
    for await (const chunk of chunks) {
      frames = []
      decoder.push(chunk)
      await take(frames)
      if (verdict !== undefined) return 'eof'
      if (!decoder.overflowed) continue
      verdict ??= ANSWER_TOO_LARGE
      return 'broken'
    }
    if (!wire.endsFrames) return 'eof'
    frames = []
    decoder.push(LINE_BREAKS)
    await take(frames.filter(({ data }) => readData(data) !== undefined))
    return 'eof'
  }

  /** How the connection to the upstream has ended. Rejects while nothing has been logged. */
  async function carry(opened: () => void): Promise<BodyEnd> {
    const { signal } = upstream
    const bound = await bindRun({ run, body, members: wire.runIds, user: caller.user }, systemDigest)
    restore = bound.restore
    // TanStack names its log by x-run-id.
    const headers = { 'x-run-id': bound.run, 'content-type': 'application/json', accept: 'text/event-stream' }
    const sent = JSON.stringify(bound.body)
    const reply = await connection.send({ url, method: 'POST', body: sent, caller, headers, signal })
    try {
      await connection.refuseOthers(reply)
      const type = mediaTypeOf(reply.response.headers.get('content-type'))
      if (type !== 'text/event-stream' && !wire.isStream(reply.response.headers))
        throw notAnAnswer(type || 'a body of no type')
      await writer.append({ kind: 'stream' })
      opened()
      return await follow(connection.chunksOf(reply, signal))
    } finally {
      reply.connection.abort()
    }
  }

  async function carryOn(opened: () => void): Promise<void> {
    let hasOpened = false
    let end: BodyEnd = 'broken'
    try {
      end = await carry(() => {
        hasOpened = true
        opened()
      })
    } catch (error) {
      if (stopping?.aborted) verdict ??= SERVER_STOPPING
      if (verdict === undefined && !hasOpened) throw error
      if (verdict === undefined) onError(error instanceof UpstreamFailure ? error.error : error)
    }
    if (!hasOpened) await writer.append({ kind: 'stream' })
    await conclude(end)
  }

  async function conclude(end: BodyEnd): Promise<void> {
    // What has its own end needs no other, whatever came behind it.
    if (verdict !== ANSWER_TOO_LARGE && ending.isOver(end)) verdict = undefined
    else verdict ??= UPSTREAM_LOST
    try {
      const own = verdict === undefined ? [] : ending.fail(verdict)
      const last = [...own, ...ending.last].map((data) => entryOf(data))
      if (isWhole) await add(verdict === undefined ? last : [...last, UNCONFIRMED_END])
    } catch (error) {
      onError(error)
    }
    isLogged()
    await (isWhole ? writer.close() : writer.discard()).catch(onError)
  }

  let settle: { readonly opened: () => void; readonly failed: (error: unknown) => void } | undefined
  const opened = new Promise<void>((resolve, reject) => {
    settle = { opened: resolve, failed: reject }
  })
  const release = abortWith(upstream, stopping)
  const ended = carryOn(() => settle?.opened())
    .then(
      () => settle?.opened(),
      async (error: unknown) => {
        // The key is not free again: whether the upstream has run anything, nobody knows.
        await writer.discard().catch(onError)
        settle?.failed(error)
      },
    )
    .finally(() => {
      isLogged()
      release()
      upstream.abort()
    })
  return { opened, ended }
}
