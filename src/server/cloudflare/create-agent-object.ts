import { noop } from '../../base/noop.ts'
import { systemClock } from '../../base/ports/clock.ts'
import type { ConversationStore } from '../conversation/conversation-store.ts'
import { CONVERSATION_TABLES, sqlConversationStore } from '../conversation/sql-conversation-store.ts'
import type { EventLog } from '../event-log/event-log.ts'
import { sqliteEventLog, type SqliteEventLogOptions } from '../event-log/sqlite/sqlite-event-log.ts'
import { durableDatabase } from './durable-database.ts'
import type { DurableObjectContext, DurableWebSocket } from './durable-object.ts'
import { createDurableSockets } from './durable-sockets.ts'

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
 * over server-sent events and WebSockets (`webSocket()` of `capstan/cap`). A run whose instance was removed in the middle, by a
 * deployment or a failure, ends with FATAL `run_interrupted` for whoever reads it. Export the class, list it in `new_sqlite_classes`,
 * and send each user's requests to an object of their own.
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
