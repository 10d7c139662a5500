import { noop } from '../../base/noop.ts'
import { systemClock, type Clock } from '../../base/ports/clock.ts'
import type { ConversationStore } from '../conversation/conversation-store.ts'
import { CONVERSATION_TABLES, sqlConversationStore } from '../conversation/sql-conversation-store.ts'
import type { EventLog } from '../event-log/event-log.ts'
import { sqliteEventLog, type SqliteEventLogOptions } from '../event-log/sqlite/sqlite-event-log.ts'
import type { SqliteDatabase, SqliteValue } from '../event-log/sqlite/sqlite-database.ts'
import { createFrameQueue, type FrameQueue } from '../../wire/frame-queue.ts'
import { answerFrames } from '../http/answer-frames.ts'

interface DurableSocketsOptions {
  readonly context: DurableObjectContext
  readonly handler: (http: Request) => Promise<Response>
  readonly origins: readonly string[]
  readonly headers: readonly string[]
  readonly clock: Clock
}

/** The WebSockets of a Durable Object, which the platform keeps open while the object hibernates. */
interface DurableSockets {
  /** Accepts the connection that a request asks for. Its request comes in the first message. */
  accept(http: Request): Response
  received(socket: DurableWebSocket, message: unknown): void
  closed(socket: DurableWebSocket): void
}

/** A global of workerd. */
declare const WebSocketPair: new () => { readonly 0: DurableWebSocket; readonly 1: DurableWebSocket }

const FIRST_FRAME_TIMEOUT_MS = 10_000

/** Close codes: in order, what cannot be read, and a server whose state is gone. Clients come back after the last. */
const [NORMAL, UNSUPPORTED, RESTART] = [1000, 1003, 1012]

function createDurableSockets(options: DurableSocketsOptions): DurableSockets {
  const { context, handler, origins, headers, clock } = options
  const queues = new Map<DurableWebSocket, FrameQueue>()

  // The log has everything they received: their clients request the rest from this instance.
  for (const socket of context.getWebSockets()) socket.close(RESTART, 'The object has restarted.')

  const close = (socket: DurableWebSocket, code: number): void => {
    if (queues.delete(socket)) socket.close(code)
  }

  return {
    accept(http) {
      const { 0: client, 1: socket } = new WebSocketPair()
      context.acceptWebSocket(socket)
      // What is too long is refused by the platform, or by the handler.
      const queue = createFrameQueue({
        maxFrameLength: Infinity,
        maxBufferedLength: Infinity,
        onClosed: () => close(socket, NORMAL),
      })
      queues.set(socket, queue)
      void answerFrames({
        handler,
        caller: {
          frames: queue.frames,
          send: (frame) => socket.send(frame),
          close: () => queue.drop(),
          breakOff: () => close(socket, RESTART),
        },
        opening: { url: new URL(http.url), headers: http.headers },
        origins,
        headers,
        firstFrameTimeoutMs: FIRST_FRAME_TIMEOUT_MS,
        clock,
      })
      // A member of `ResponseInit` in workerd alone.
      return new Response(null, { status: 101, webSocket: client } as ResponseInit)
    },
    received(socket, message) {
      if (typeof message === 'string') queues.get(socket)?.push(message)
      else close(socket, UNSUPPORTED)
    },
    closed(socket) {
      const queue = queues.get(socket)
      queues.delete(socket)
      queue?.end()
    },
  }
}

/** What a Durable Object keeps for its handler: pass all of it to `createAgentHandler` or `createAgentProxy`. */
export interface AgentObjectStorage {
  /** In the object's SQLite. */
  readonly log: EventLog
  /** In the object's SQLite. */
  readonly conversations: ConversationStore
  /** Keeps the object in memory until a run has ended. */
  readonly waitUntil: (run: Promise<void>) => void
}

export interface AgentObjectOptions extends Pick<SqliteEventLogOptions, 'ttlMs' | 'maxBytes'> {
  /** Other origins whose pages may open WebSockets, such as `https://app.example`. @default [] */
  readonly origins?: readonly string[] | undefined
  /** Headers that a client may send in the first frame of a WebSocket, beside those of CAP. @default [] */
  readonly headers?: readonly string[] | undefined
}

/** A Durable Object. The runtime calls its methods. */
export interface AgentObject {
  fetch(http: Request): Promise<Response>
  alarm(): Promise<void>
  webSocketMessage(socket: DurableWebSocket, message: unknown): void
  webSocketClose(socket: DurableWebSocket): void
  webSocketError(socket: DurableWebSocket): void
}

/** How often an object is woken whose runs have not ended. It would be removed from memory after ten seconds without an event. */
const KEEP_ALIVE_MS = 5_000

/** An alarm may be a moment early. */
const SLACK_MS = 1_000

/**
 * Class of a Durable Object that owns runs, their event log and conversations: an answer continues after the request that began it,
 * over server-sent events and WebSockets (`webSocket()` of `capstan`). A run whose instance was removed in the middle, by a
 * deployment or a failure, ends with FATAL `run_interrupted` for its readers. Export the class, list it in `new_sqlite_classes`,
 * and send each user's requests to their own object.
 *
 * @param createHandler makes the handler of an instance, which lives as long as the instance
 *
 * @example
 * ```ts
 * import { createAgentHandler } from 'capstan/server'
 * import { createAgentObject } from 'capstan/server/cloudflare'
 *
 * export const Agent = createAgentObject((storage) =>
 *   createAgentHandler({
 *     ...storage,
 *     agent: async function* (_request, run) {
 *       yield `You asked: ${run.text}`
 *     },
 *   }),
 * )
 * ```
 */
export function createAgentObject<Env = unknown>(
  createHandler: (storage: AgentObjectStorage, env: Env) => (http: Request) => Promise<Response>,
  options: AgentObjectOptions = {},
): new (context: DurableObjectContext, env: Env) => AgentObject {
  const { origins = [], headers = [], ttlMs = 600_000, maxBytes } = options
  const clock = systemClock
  return class implements AgentObject {
    readonly #context: DurableObjectContext
    readonly #handler: (http: Request) => Promise<Response>
    readonly #log: EventLog
    readonly #sockets: ReturnType<typeof createDurableSockets>
    #runs = 0

    constructor(context: DurableObjectContext, env: Env) {
      const { sql } = context.storage
      sql.exec(CONVERSATION_TABLES)
      this.#context = context
      this.#log = sqliteEventLog(durableDatabase(context.storage), { ttlMs, maxBytes })
      this.#handler = createHandler(
        {
          log: this.#log,
          conversations: sqlConversationStore({
            query: async (text, values) => sql.exec(text, ...values).toArray(),
            placeholder: () => '?',
          }),
          waitUntil: (run) => void this.#keepAlive(run),
        },
        env,
      )
      this.#sockets = createDurableSockets({
        context,
        handler: this.#handler,
        origins,
        headers: headers.map((name) => name.toLowerCase()),
        clock,
      })
    }

    async fetch(http: Request): Promise<Response> {
      const isUpgrade = http.headers.get('upgrade')?.toLowerCase() === 'websocket'
      return isUpgrade ? this.#sockets.accept(http) : this.#handler(http)
    }

    async alarm(): Promise<void> {
      if (this.#runs > 0) return this.#wakeIn(KEEP_ALIVE_MS)
      // A log drops what has expired whenever it is used.
      await this.#log.find('')
    }

    webSocketMessage(socket: DurableWebSocket, message: unknown): void {
      this.#sockets.received(socket, message)
    }

    webSocketClose(socket: DurableWebSocket): void {
      this.#sockets.closed(socket)
    }

    webSocketError(socket: DurableWebSocket): void {
      this.#sockets.closed(socket)
    }

    #wakeIn(ms: number): Promise<void> {
      return this.#context.storage.setAlarm(clock.date() + ms)
    }

    async #keepAlive(run: Promise<void>): Promise<void> {
      this.#runs += 1
      // An object whose storage fails is reset by the platform.
      await this.#wakeIn(KEEP_ALIVE_MS).catch(noop)
      await run
      this.#runs -= 1
      // When its log has expired.
      if (this.#runs === 0) await this.#wakeIn(ttlMs + SLACK_MS).catch(noop)
    }
  }
}

/** The SQLite of a Durable Object, as the event log takes a database. */
export function durableDatabase(storage: DurableObjectContext['storage']): SqliteDatabase {
  const exec = (query: string, values: readonly SqliteValue[] = []): Record<string, unknown>[] =>
    storage.sql.exec(query, ...values.map(toBinding)).toArray()
  return {
    exec,
    prepare: (query) => ({
      run: (...values) => exec(query, values),
      all: (...values) => exec(query, values).map(toRow),
    }),
    transactionSync: (work) => storage.transactionSync(work),
  }
}

function toBinding(value: SqliteValue): string | number | ArrayBuffer {
  return value instanceof Uint8Array ? value.slice().buffer : value
}

/** A BLOB comes as an ArrayBuffer. */
function toRow(row: Record<string, unknown>): Record<string, unknown> {
  const columns: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(row))
    columns[name] = value instanceof ArrayBuffer ? new Uint8Array(value) : value
  return columns
}

/** What is used of a WebSocket of workerd. */
interface DurableWebSocket {
  send(frame: string): void
  close(code?: number, reason?: string): void
}

/** What is used of the `ctx` of a Durable Object. Its class has to be one of `new_sqlite_classes`. */
export interface DurableObjectContext {
  readonly storage: {
    readonly sql: {
      exec(
        query: string,
        ...values: (string | number | ArrayBuffer | null)[]
      ): {
        toArray(): Record<string, unknown>[]
      }
    }
    transactionSync<Value>(work: () => Value): Value
    setAlarm(at: number): Promise<void>
  }
  acceptWebSocket(socket: DurableWebSocket): void
  getWebSockets(): DurableWebSocket[]
}
