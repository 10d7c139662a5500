import type { Clock } from '../../base/ports/clock.ts'
import { systemDigest, toUuid, type Digest } from '../../base/digest.ts'
import { systemEnvironment } from '../../base/ports/environment.ts'
import type { JsonObject } from '../../base/json-object.ts'
import {
  type EventLog,
  type LogReader,
  type LogWriter,
  type Adopted,
  type LogEntry,
  type RunReply,
  failoverReader,
} from '../event-log/event-log.ts'
import { controlResponse, controlUnsupported, runNotFound } from '../http/control.ts'
import { HttpRefusal, logExpired, isLogExpired } from '../http/http-refusal.ts'
import { type IncomingCall, invalidRequest, readJsonBody } from '../http/incoming-call.ts'
import { NOT_STORED, streamAnswer, type Answer, readFirst } from '../http/stream-response.ts'
import type { ProxyCaller, UpstreamConnection, ProxyReply, ProxyService } from './upstream-connection.ts'
import {
  type ProxyWire,
  type RunName,
  type WireRoute,
  type StreamEnding,
  type BodyEnd,
  readData,
} from '../wires/proxy-wire.ts'
import { createSseDecoder } from '../../wire/sse-decoder.ts'
import { encodeSseFrame } from '../../wire/sse-encoder.ts'
import { type SseFrame, DEFAULT_MAX_FRAME_BYTES } from '../../wire/transport.ts'
import { appendEntries } from '../run/log-queue.ts'
import { UPSTREAM_LOST, ANSWER_TOO_LARGE, CANCEL_UNCONFIRMED, SERVER_STOPPING } from '../run/run-verdicts.ts'
import { abortWith } from '../../base/on-abort.ts'
import { mediaTypeOf } from '../../wire/fetch-transport.ts'
import type { StreamErrorBody } from '../run/agent-output.ts'
import { notAnAnswer, UpstreamFailure } from './upstream-failure.ts'
import { bindId } from './bind-call.ts'

/** Which run of a thread is the last one. It is a log of one entry, so it is kept wherever runs are, and as long. */
interface ThreadIndex {
  /** The last run, and whether it has ended. */
  last(key: string, signal: AbortSignal): Promise<{ readonly run: string; readonly isOver: boolean } | undefined>
  /** Makes a run the last one. @returns what to call when it has ended */
  put(key: string, run: string, onError: (error: unknown) => void): Promise<() => void>
}

/** Most attempts: of two that are put at the same time one is the last. */
const MOST_TRIES = 5

export function createThreadIndex(log: EventLog): ThreadIndex {
  return {
    async last(key, signal) {
      const found = await log.find(key)
      return found.state === 'exists' ? readRun(found.reader, signal) : undefined
    },
    async put(key, run, onError) {
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        const begun = await log.begin(key, { restart: true })
        if (begun.state === 'created') {
          const { writer } = begun
          await writer.append({ kind: 'response', text: run }).catch(async (error: unknown) => {
            // `last` would wait for the entry.
            await writer.discard().catch(() => {})
            throw error
          })
          return () =>
            void writer.close().catch((error: unknown) => {
              // Another run has come in its place.
              if (!isLogExpired(error)) onError(error)
            })
        }
        await log.expire(key)
      }
      // Others are put all the time: they come behind this run.
      return () => {}
    },
  }
}

async function readRun(
  reader: LogReader,
  signal: AbortSignal,
): Promise<{ readonly run: string; readonly isOver: boolean } | undefined> {
  try {
    const { entries, closed, orphaned = false } = await reader.read(0, signal)
    const [entry] = entries
    if (entry?.kind !== 'response') return undefined
    return { run: entry.text, isOver: closed || orphaned }
  } catch (error) {
    // Another run has come in its place, or it has expired.
    if (signal.aborted) throw error
    return undefined
  }
}

export interface WireProxyOptions {
  readonly wire: ProxyWire
  /** Address of the upstream. */
  readonly url: string
  readonly connection: UpstreamConnection
  readonly log: EventLog
  readonly clock: Clock
  readonly maxBodyBytes: number
  readonly maxAnswerLength: number
  readonly heartbeatMs: number
  readonly stallTimeoutMs: number
  readonly stopping: AbortSignal | undefined
  readonly waitUntil: ((run: Promise<void>) => void) | undefined
  onError(error: unknown, context: { readonly requestId: string }): void
}

/** A name that can be a part of a header and of a key as it is. */
const PLAIN = /^[\u0021-\u007e]{1,200}$/

const CURSOR = /^(.+)\/(\d{1,15})$/

/** Answers requests of another protocol out of a log that each run is carried into by one POST. */
export function createWireProxy(options: WireProxyOptions): ProxyService {
  const { wire, url, connection, log, clock, heartbeatMs, stallTimeoutMs, stopping } = options
  const { uuid } = systemEnvironment
  const threads = createThreadIndex(log)

  const plain = async (name: string): Promise<string> =>
    PLAIN.test(name) ? name : toUuid(await systemDigest(JSON.stringify(['capstan run', name])))

  /** No key of another handler begins like this; what a page may choose is JSON. */
  const keyOf = (what: 'run' | 'thread', user: string, names: readonly (string | undefined)[]): string =>
    `wire ${url} ${JSON.stringify([what, ...names, user])}`

  const keysOf = (
    { thread }: RunName,
    run: string,
    user: string,
  ): { readonly run: string; readonly thread?: string } => ({
    run: keyOf('run', user, [thread, run]),
    ...(thread !== undefined && { thread: keyOf('thread', user, [thread]) }),
  })

  /** The run that is meant, and how many of its frames are known. */
  async function meant(
    { run, thread }: RunName,
    { header, signal }: IncomingCall,
    user: string,
  ): Promise<{ readonly run: string; readonly seen: number; readonly isOver: boolean } | undefined> {
    const [, named, seen] = CURSOR.exec(header('last-event-id') ?? '') ?? []
    const own = run === undefined ? undefined : await plain(run)
    if (named !== undefined && own !== undefined && named !== own)
      throw invalidRequest('Last-Event-ID is of another run than the one that is asked for.')
    if (named !== undefined) return { run: named, seen: Number(seen), isOver: false }
    if (own !== undefined) return { run: own, seen: 0, isOver: false }
    const last = thread === undefined ? undefined : await threads.last(keyOf('thread', user, [thread]), signal)
    return last && { ...last, seen: 0 }
  }

  async function replay(
    log0: LogReader,
    key: string,
    run: string,
    seen: number,
    body: JsonObject,
    http: IncomingCall,
  ): Promise<Answer> {
    const reader = failoverReader({
      reader: log0,
      log,
      key,
      adopted: (orphan) => endWireOrphan({ reader: log0, log: orphan, run, ending: wire.createEnding(body) }),
    })
    // The first entry says that there is a stream; then each is a frame.
    const first = await readFirst({ reader, clock, heartbeatMs, signal: http.signal }, seen === 0 ? 0 : seen + 1)
    return streamAnswer({
      reader,
      first,
      requestId: run,
      clock,
      heartbeatMs,
      stallTimeoutMs,
      headers: http.method === 'GET' ? { ...wire.headers, ...NOT_STORED } : wire.headers,
      signal: http.signal,
      onLeave: () => http.leave(),
      onError: (error) => options.onError(error, { requestId: run }),
    })
  }

  async function begin(http: IncomingCall, caller: ProxyCaller): Promise<Answer> {
    const body = await readJsonBody(http, options.maxBodyBytes)
    const name = wire.nameOfRun(body, (header) => http.header(header))
    const run = await plain(name.run ?? uuid())
    const { seen = 0 } = (await meant({ ...name, run }, http, caller.user)) ?? {}
    const keys = keysOf(name, run, caller.user)
    // A page that knows frames of a run resumes it; it is not begun again.
    const begun = seen === 0 ? await log.begin(keys.run) : await log.find(keys.run)
    if (begun.state !== 'created' && begun.state !== 'exists') throw logExpired()
    if (begun.state === 'created') await start(begun.writer, keys.thread, { run, body, caller })
    return replay(begun.reader, keys.run, run, seen, body, http)
  }

  async function start(
    writer: LogWriter,
    thread: string | undefined,
    own: { readonly run: string; readonly body: JsonObject; readonly caller: ProxyCaller },
  ): Promise<void> {
    const onError = (error: unknown): void => options.onError(error, { requestId: own.run })
    const { maxAnswerLength } = options
    let over = (): void => {}
    if (thread !== undefined)
      over = await threads.put(thread, own.run, onError).catch(async (error: unknown) => {
        await writer.discard().catch(onError)
        throw error
      })
    const run = startWireRun({ wire, url, connection, ...own, writer, maxAnswerLength, stopping, onError })
    options.waitUntil?.(run.ended)
    void run.ended.then(over)
    await run.opened
  }

  async function follow(http: IncomingCall, { user }: ProxyCaller): Promise<Answer> {
    const name = wire.nameToFollow(http.url, (header) => http.header(header))
    const nothing = (refusal: HttpRefusal): Response => {
      if (wire.nothing === undefined) throw refusal
      return new Response(null, { status: wire.nothing, headers: { 'cache-control': 'no-store' } })
    }
    const found = await meant(name, http, user)
    // The last run of a chat is followed while it is running: the request does not name its run.
    if (found === undefined || found.isOver) return nothing(runNotFound())
    const { run, seen } = found
    const key = keysOf(name, run, user).run
    const known = await log.find(key)
    if (known.state !== 'exists') return nothing(known.state === 'expired' ? logExpired() : runNotFound())
    // The request of the run is not known any more; an orphan gets the ids in its stream.
    return replay(known.reader, key, run, seen, { runId: name.run }, http)
  }

  async function stop(http: IncomingCall, { user }: ProxyCaller): Promise<Response> {
    const body = wire.stopsByBody ? await readJsonBody(http, options.maxBodyBytes) : undefined
    const name = wire.nameToStop(http.url, body)
    const found = await meant(name, http, user)
    if (found === undefined) throw runNotFound()
    return controlResponse(await cancel(keysOf(name, found.run, user).run), 'cancel')
  }

  async function cancel(key: string): Promise<RunReply> {
    if (log.command === undefined) throw controlUnsupported()
    const sent = await log.command(key, { name: 'cancel' })
    switch (sent.state) {
      case 'replied':
        return sent.reply
      case 'closed':
        return { result: 'over', ended: (await endsUnconfirmed(sent.reader)) ? 'unconfirmed' : 'finished' }
      case 'orphaned':
        return { result: 'over', ended: 'interrupted' }
      case 'expired':
        return { result: 'over', ended: 'expired' }
      case 'unknown':
        throw runNotFound()
      case 'unavailable':
        return { result: 'unavailable' }
    }
  }

  const replies: Readonly<Record<WireRoute, ProxyReply>> = { run: begin, follow, stop }

  return {
    match(method, pathname, { cors }) {
      const routes = wire.routesOf(pathname)
      const route = Object.hasOwn(routes, method) ? routes[method] : undefined
      if (route !== undefined) return replies[route]
      if (method === 'OPTIONS' && cors) return 'preflight'
      const allowed = Object.keys(routes).join(', ')
      throw new HttpRefusal({
        status: 405,
        code: 'method_not_allowed',
        message: `This address answers ${allowed} only, and this was ${method}.`,
        headers: { allow: cors ? `${allowed}, OPTIONS` : allowed },
      })
    },
  }
}

interface WireOrphan {
  readonly reader: LogReader
  readonly log: Adopted
  /** Name of the run, which the ids of its frames begin with. */
  readonly run: string
  readonly ending: StreamEnding
}

/** Ends a log whose process died: its connection to the upstream is lost, and no other has the rest. */
async function endWireOrphan({ reader, log: { writer, end }, run, ending }: WireOrphan): Promise<void> {
  try {
    let count = 0
    const decoder = createSseDecoder({
      onFrame: ({ data }: SseFrame) => {
        count += 1
        ending.take(data)
      },
      maxFrameBytes: DEFAULT_MAX_FRAME_BYTES,
    })
    const { signal } = new AbortController()
    const utf8 = new TextEncoder()
    for (let position = 0; position < end;) {
      const slice = await reader.read(position, signal)
      for (const entry of slice.entries) if (entry.kind === 'frame') decoder.push(utf8.encode(entry.text))
      if (slice.end === position) break
      position = slice.end
    }
    const own = ending.isOver('broken') ? [] : ending.fail(UPSTREAM_LOST)
    const frames = [...own, ...ending.last].map((data, at): LogEntry => {
      return { kind: 'frame', text: encodeSseFrame({ id: `${run}/${count + at + 1}`, data }) }
    })
    if (own.length > 0) frames.push(UNCONFIRMED_END)
    await appendEntries(writer, end === 0 ? [{ kind: 'stream' }, ...frames] : frames)
  } catch (error) {
    // The first error is the more useful one, and a log that cannot be discarded becomes orphaned again.
    await writer.discard().catch(() => {})
    throw error
  }
  await writer.close()
}

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

interface WireRunOptions {
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

interface WireRun {
  /** Resolves once the upstream answers; rejects with UpstreamFailure, or what the app's own functions threw, when it does not. */
  readonly opened: Promise<void>
  /** Resolves when nothing more will be written. Never rejects. */
  readonly ended: Promise<void>
}

const LINE_BREAKS = new TextEncoder().encode('\n\n')

/** Carries the answer of an upstream into a log, from one POST that is never repeated, with or without readers. */
function startWireRun(options: WireRunOptions): WireRun {
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

/** Last entry of a run that its proxy has ended, so that the upstream may still be working: a comment, which clients skip. */
const UNCONFIRMED_END = { kind: 'frame', text: ': unconfirmed\n\n' } as const satisfies LogEntry

/** Whether a closed log ends with that mark. Rejects as the reader does. */
async function endsUnconfirmed(reader: LogReader): Promise<boolean> {
  const { signal } = new AbortController()
  let last: LogEntry | undefined
  for (let position = 0; ;) {
    const { entries, end, closed } = await reader.read(position, signal)
    last = entries.at(-1) ?? last
    if (closed || end === position) break
    position = end
  }
  return last?.kind === 'frame' && last.text === UNCONFIRMED_END.text
}
