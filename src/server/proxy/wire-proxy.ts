import type { Clock } from '../../base/ports/clock.ts'
import { systemDigest } from '../../base/digest.ts'
import { systemEnvironment } from '../../base/ports/environment.ts'
import type { JsonObject } from '../../base/json-object.ts'
import type { EventLog, LogReader, LogWriter, Adopted, LogEntry } from '../event-log/event-log.ts'
import type { RunReply } from '../event-log/run-command.ts'
import { failoverReader } from '../event-log/failover-reader.ts'
import { controlResponse, controlUnsupported, runNotFound } from '../http/control-response.ts'
import { HttpRefusal } from '../http/http-refusal.ts'
import type { IncomingCall } from '../http/incoming-call.ts'
import { logExpired, isLogExpired } from '../http/log-refusals.ts'
import { toUuid } from '../http/name-uuid.ts'
import { invalidRequest, readJsonBody } from '../http/read-json-body.ts'
import { NOT_STORED } from '../http/stream-headers.ts'
import { readFirst } from '../http/log-chunks.ts'
import { streamAnswer, type Answer } from '../http/stream-response.ts'
import type { ProxyCaller, UpstreamConnection } from './upstream-connection.ts'
import type { ProxyReply, ProxyService } from './proxy-service.ts'
import type { ProxyWire, RunName, WireRoute, StreamEnding } from '../wires/proxy-wire.ts'
import { endsUnconfirmed, UNCONFIRMED_END } from './unconfirmed-end.ts'
import { startWireRun } from './wire-run.ts'
import { createSseDecoder } from '../../wire/sse-decoder.ts'
import { encodeSseFrame } from '../../wire/sse-encoder.ts'
import { type SseFrame, DEFAULT_MAX_FRAME_BYTES } from '../../wire/transport.ts'
import { appendEntries } from '../run/log-queue.ts'
import { UPSTREAM_LOST } from '../run/run-verdicts.ts'

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
