import { type Clock, delay, within } from '../../../base/ports/clock.ts'
import {
  type RedisClient,
  type RedisConnection,
  type RedisReply,
  type RedisCommands,
  redisUnreachable,
  replyText,
} from './redis-client.ts'
import type { TailResult, StoredEntry } from '../leased/run-store.ts'

/** Names of one run in Redis. */
export interface RunNames {
  readonly id: string
  /** Key of its hash. */
  readonly hash: string
  /** Key of its stream. */
  readonly stream: string
}

/** Waits for many runs on one connection. */
export interface RedisTail {
  /** Resolves with the entries after a counter. Rejects with the reason of the signal, and TRANSIENT when Redis stays away. */
  wait(run: RunNames, after: number, signal: AbortSignal): Promise<TailResult>
  close(): void
}

export interface RedisTailOptions {
  readonly client: RedisClient
  readonly commands: RedisCommands
  readonly clock: Clock
  /** How often to look whether the runs waited for are alive. */
  readonly lookMs: number
  readonly commandTimeoutMs: number
}

interface Follower {
  readonly run: RunNames
  readonly after: number
  settle(result: TailResult): void
  fail(error: unknown): void
}

const MOST_ENTRIES = 200

const FAILURE_WAIT_MS = 50

const UNBLOCK_WAIT_MS = 2

export function createRedisTail({ client, commands, clock, lookMs, commandTimeoutMs }: RedisTailOptions): RedisTail {
  const followers = new Set<Follower>()
  let connection: Promise<RedisConnection> | undefined
  let connectionId: string | undefined
  /** The streams that are being waited for, and from where. */
  let asked: ReadonlyMap<string, number> | undefined
  let running = false
  let unblocking = false
  let lookedAt = 0
  let goodAt = 0

  const connect = async (): Promise<RedisConnection> => {
    const own = client.duplicate()
    // Failures show themselves where commands fail; without a listener they would end the process.
    own.on('error', () => {})
    await own.connect()
    return own
  }

  /** Sent immediately before a wait, on the same connection, whose id changes when it reconnects. */
  const identify = async (own: RedisConnection): Promise<void> => {
    const id = await own.sendCommand(['CLIENT', 'ID']).catch(() => undefined)
    connectionId = typeof id === 'number' ? String(id) : undefined
  }

  /** One command for all: returns when something came for one of them, or when it is time to look. */
  const ask = async (): Promise<void> => {
    if (connection === undefined) {
      connection = connect()
      connection.catch(() => {
        connection = undefined
      })
    }
    const own = await within(connection, clock, commandTimeoutMs)
    const positions = new Map<string, number>()
    for (const { run, after } of followers)
      positions.set(run.stream, Math.min(after, positions.get(run.stream) ?? after))
    if (positions.size === 0) return
    asked = positions
    const places = [...positions.keys(), ...[...positions.values()].map(idAfter)]
    void identify(own)
    const read = own.sendCommand([
      'XREAD',
      'COUNT',
      String(MOST_ENTRIES),
      'BLOCK',
      String(lookMs),
      'STREAMS',
      ...places,
    ])
    // The reply of a command is what Redis can reply with.
    const reply = (await within(read, clock, lookMs + commandTimeoutMs)) as RedisReply
    asked = undefined
    const streams = streamsOfReply(reply)
    for (const follower of [...followers]) {
      const { run, after } = follower
      // A follower that was added during the read and is further behind would miss entries: the next read starts at its
      // position.
      if (after < (positions.get(run.stream) ?? Infinity)) continue
      const items = streams.get(run.stream)?.filter(({ counter }) => counter > after)
      if (items !== undefined && items.length > 0) follower.settle(items)
    }
  }

  /** Checks the runs of all followers, because a deleted stream or a dead writer does not end the blocking read. */
  const look = async (): Promise<void> => {
    lookedAt = clock.now()
    const waiting = [...followers]
    if (waiting.length === 0) return
    const runs = [...new Map(waiting.map(({ run }) => [run.id, run])).values()]
    const states = await commands.run(
      'look',
      runs.flatMap(({ hash, stream }) => [hash, stream]),
      runs.map(({ id }) => id),
    )
    if (!Array.isArray(states)) return
    const byRun = new Map(runs.map(({ id }, index) => [id, states[index]]))
    for (const follower of waiting) {
      const state = byRun.get(follower.run.id)
      if (state === 'gone' || state === 'orphaned') follower.settle(state)
      // Redis lost the end of the log, which this one has read.
      else if (Number(state) < follower.after) follower.settle('gone')
    }
  }

  const loop = async (): Promise<void> => {
    goodAt = clock.now()
    lookedAt = goodAt
    while (followers.size > 0) {
      try {
        await ask()
        if (clock.now() - lookedAt >= lookMs) await look()
        goodAt = clock.now()
        // Followers that just got entries wait again in a moment, so that one read includes all of them.
        await delay(clock, 0)
      } catch (error) {
        asked = undefined
        lookedAt = -Infinity
        if (clock.now() - goodAt >= commandTimeoutMs)
          for (const follower of [...followers]) follower.fail(redisUnreachable(error))
        else await delay(clock, FAILURE_WAIT_MS)
      }
    }
    running = false
  }

  /** Ends the wait that is under way, so that it begins again with one more. */
  const unblock = async (waited: ReadonlyMap<string, number>): Promise<void> => {
    if (unblocking) return
    unblocking = true
    while (asked === waited && followers.size > 0) {
      const done =
        connectionId === undefined ? 0 : await client.sendCommand(['CLIENT', 'UNBLOCK', connectionId]).catch(() => 0)
      if (done === 1) break
      // It was not waiting yet.
      await delay(clock, UNBLOCK_WAIT_MS)
    }
    unblocking = false
  }

  return {
    wait: (run, after, signal) =>
      new Promise((resolve, reject) => {
        const leave = (): void => {
          followers.delete(follower)
          signal.removeEventListener('abort', abort)
        }
        const abort = (): void => {
          leave()
          reject(signal.reason instanceof Error ? signal.reason : new Error('The read was aborted.'))
        }
        const follower: Follower = {
          run,
          after,
          settle(result) {
            leave()
            resolve(result)
          },
          fail(error) {
            leave()
            reject(error instanceof Error ? error : new Error('The read failed.'))
          },
        }
        if (signal.aborted) {
          abort()
          return
        }
        signal.addEventListener('abort', abort)
        followers.add(follower)
        if (!running) {
          running = true
          void loop()
        } else if (asked !== undefined && !(Number(asked.get(run.stream)) <= after)) {
          void unblock(asked)
        }
      }),
    close() {
      for (const follower of [...followers]) follower.fail(redisUnreachable(new Error('The event log was closed.')))
      void connection?.then((own) => own.destroy()).catch(() => {})
      connection = undefined
    },
  }
}

/** The id before the entry after a counter: marks of the log have odd places in between. */
function idAfter(counter: number): string {
  return `${counter}-1`
}

/** Entries as XRANGE gives them: `[id, [field, value, …]]`. */
export function itemsOf(reply: RedisReply): StoredEntry[] {
  if (!Array.isArray(reply)) return []
  return reply.flatMap((entry) => {
    if (!Array.isArray(entry)) return []
    const [id, fields] = entry
    if (!Array.isArray(fields)) return []
    return [
      {
        counter: Number.parseInt(replyText(id), 10),
        kind: valueOf(fields, 'k'),
        text: valueOf(fields, 't'),
        writer: valueOf(fields, 'w'),
      },
    ]
  })
}

/** What XREAD gives, by stream: a list of pairs in RESP2, a map in RESP3. */
function streamsOfReply(reply: RedisReply): Map<string, StoredEntry[]> {
  if (reply === null || typeof reply !== 'object') return new Map()
  const pairs = Array.isArray(reply) ? reply.map((pair) => (Array.isArray(pair) ? pair : [])) : Object.entries(reply)
  return new Map(pairs.map(([name, items]) => [replyText(name), itemsOf(items)]))
}

function valueOf(fields: readonly RedisReply[], name: string): string {
  const at = fields.findIndex((field) => replyText(field) === name)
  return at === -1 ? '' : replyText(fields[at + 1])
}
