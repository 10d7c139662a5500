import type { EventLog } from '../event-log.ts'
import {
  beatOf,
  createLeasedEventLog,
  KEEP_LETTERS_MS,
  sharedLogDefaults,
  type SharedLogOptions,
} from '../leased/leased-event-log.ts'
import {
  clientFor,
  type RedisClient,
  type RedisCluster,
  replyText,
  type RedisReply,
  type RedisConnection,
  createRedisCommands,
  type RedisCommands,
} from './redis-client.ts'
import { SCRIPTS } from './redis-scripts.ts'
import { createRedisTail, type RedisTail, type RunNames, itemsOf } from './redis-tail.ts'
import { MOST_BYTES, MOST_ENTRIES, type RunStore, type LeasedRun, entryText, letterOf } from '../leased/run-store.ts'
import { type Clock, delay, within } from '../../../base/ports/clock.ts'
import { createMailbox, type Mailbox } from '../leased/mailbox.ts'

interface RedisMailboxOptions {
  readonly client: RedisClient
  readonly commands: RedisCommands
  readonly clock: Clock
  readonly uuid: () => string
  /** Begins the keys of mailboxes. */
  readonly prefix: string
  /** How long a mailbox that nobody takes from keeps its letters. */
  readonly keepMs: number
  /** Longest wait of one command of Redis. */
  readonly blockMs: number
  /** Longest wait for a reply. */
  readonly commandTimeoutMs: number
}

const FAILURE_WAIT_MS = 50
/** Letters that are taken together when there are more than one. */
const MOST_LETTERS = 100

/** A mailbox for each process: a list, which it waits on. */
function createRedisMailbox(options: RedisMailboxOptions): Mailbox {
  const { client, commands, clock, uuid, prefix, keepMs, blockMs, commandTimeoutMs } = options
  let connection: Promise<RedisConnection> | undefined
  let running = false
  let closed = false

  const connect = async (): Promise<RedisConnection> => {
    const own = client.duplicate()
    // Failures show themselves where commands fail; without a listener they would end the process.
    own.on('error', () => {})
    await own.connect()
    return own
  }

  const receiveAll = (texts: RedisReply): void => {
    if (Array.isArray(texts)) for (const text of texts) mailbox.receive(replyText(text))
  }

  /** Waits for one letter, and takes what is behind it. A late reply of Redis is still taken: what it popped is nowhere else. */
  const ask = async (own: RedisConnection): Promise<void> => {
    const list = prefix + mailbox.name
    const popped = own.sendCommand(['BLPOP', list, String(blockMs / 1000)]).then((reply) => {
      // The name of the list, and the letter.
      if (Array.isArray(reply)) receiveAll([reply[1] as RedisReply]) // what Redis replies with
      return reply
    })
    const first = await within(popped, clock, blockMs + commandTimeoutMs)
    if (first === null) return
    const more = own.sendCommand(['LPOP', list, String(MOST_LETTERS)]).then((reply) => {
      receiveAll(reply as RedisReply) // what Redis replies with
      return reply
    })
    await within(more, clock, commandTimeoutMs)
  }

  const loop = async (): Promise<void> => {
    while (!closed && mailbox.isWanted()) {
      try {
        connection ??= connect()
        const own = await within(connection, clock, commandTimeoutMs).catch((error: unknown) => {
          connection = undefined
          throw error
        })
        await ask(own)
      } catch {
        await delay(clock, FAILURE_WAIT_MS)
      }
    }
    running = false
  }

  const mailbox = createMailbox({
    clock,
    uuid,
    commandTimeoutMs,
    post: (name, text) => commands.run('post', [prefix + name], [text, keepMs]),
    watch() {
      if (running || closed) return
      running = true
      void loop()
    },
  })
  return {
    ...mailbox,
    close() {
      closed = true
      mailbox.close()
      void connection?.then((own) => own.destroy()).catch(() => {})
      connection = undefined
    },
  }
}

export interface RedisEventLogOptions extends SharedLogOptions {
  /**
   * A connected client of `redis` 5 or 6, of one Redis or of a cluster (`createCluster`). Your app handles its errors, its reconnection
   * and its end.
   */
  readonly client: RedisClient | RedisCluster
  /** Begins the name of every key. In a cluster it has a hash tag, or becomes one. @default 'capstan:' */
  readonly prefix?: string | undefined
}

export interface RedisEventLog extends EventLog {
  /** Lets go of the connection that followers share. Runs of this process stop being kept alive; the client stays open. */
  close(): void
}

/**
 * An event log in Redis, for any number of processes: a run that one of them carries out can be followed from each. One
 * Redis, with Sentinel, or a cluster, of which one node holds the log; version 6.2 or later. Besides `client` it opens one connection, on
 * which all followers of this process wait.
 *
 * @example
 * ```ts
 * import { createClient } from 'redis'
 * import { createAgentHandler } from 'capstan/server'
 * import { redisEventLog } from 'capstan/server/logs'
 *
 * const client = createClient()
 * await client.connect()
 * export const POST = createAgentHandler({ agent: async () => ({ output: { text: 'Rivers meander.' } }), log: redisEventLog({ client }) })
 * ```
 *
 * @throws AgentError `invalid_config` for a client of `ioredis`
 */
export function redisEventLog(options: RedisEventLogOptions): RedisEventLog {
  const { ttlMs, rememberMs, maxBytes, leaseMs, commandTimeoutMs, clock, uuid } = sharedLogDefaults(options)
  const client = clientFor(options.client, options.prefix ?? 'capstan:')
  const { prefix } = client
  const commands = createRedisCommands(client, SCRIPTS, clock, commandTimeoutMs)
  const beatMs = beatOf(leaseMs)
  const tail = createRedisTail({ client, commands, clock, lookMs: beatMs, commandTimeoutMs })
  const mailbox = createRedisMailbox({
    client,
    commands,
    clock,
    uuid,
    prefix: mailboxesOf(prefix),
    keepMs: KEEP_LETTERS_MS,
    blockMs: beatMs,
    commandTimeoutMs,
  })
  const store = createRedisRunStore({
    commands,
    tail,
    prefix,
    leaseMs,
    ttlMs,
    rememberMs,
    maxBytes,
    keepLettersMs: KEEP_LETTERS_MS,
  })
  const log = createLeasedEventLog({ store, mailbox, clock, uuid, leaseMs })
  return {
    ...log,
    close() {
      tail.close()
      log.stop()
    },
  }
}

interface RedisRunStoreOptions {
  readonly commands: RedisCommands
  readonly tail: RedisTail
  readonly prefix: string
  readonly leaseMs: number
  readonly ttlMs: number
  readonly rememberMs: number
  readonly maxBytes: number | undefined
  readonly keepLettersMs: number
}

/** Begins the keys of mailboxes. */
function mailboxesOf(prefix: string): string {
  return `${prefix}mailbox:`
}

/** Runs in Redis: a hash and a stream each, changed by scripts. */
function createRedisRunStore(options: RedisRunStoreOptions): RunStore {
  const { commands, tail, prefix, leaseMs, ttlMs, rememberMs, maxBytes } = options
  const logs = `${prefix}log:`
  const index = [`${prefix}finished`, `${prefix}finished-bytes`]
  const hashOf = (key: string): string => `${prefix}run:${key}`
  const namesOf = ({ key, id }: LeasedRun): RunNames => ({ id, hash: hashOf(key), stream: logs + id })
  const keysOf = ({ key, id }: LeasedRun): string[] => [hashOf(key), logs + id]

  return {
    // Only a limit asks for it.
    countsBytes: maxBytes !== undefined,
    async begin(key, { run, writer, mailbox, restart }) {
      const reply = await commands.run(
        'begin',
        [hashOf(key)],
        [logs, run, writer, leaseMs, ttlMs, rememberMs, restart ? 'yes' : '', mailbox],
      )
      const [state, id = ''] = list(reply)
      return state === 'expired' ? { state } : { state: state === 'created' ? 'created' : 'exists', id }
    },
    async find(key) {
      const [state, id = ''] = list(await commands.run('find', [hashOf(key)], [logs]))
      if (state === 'exists') return { state, id }
      return { state: state === 'expired' ? 'expired' : 'unknown' }
    },
    async adopt(key, writer) {
      const [id, last = ''] = list(await commands.run('adopt', [hashOf(key)], [logs, writer, leaseMs]))
      return id === undefined ? undefined : { id, end: Number.parseInt(last, 10) }
    },
    async expire(key, only) {
      await commands.run('expire', [hashOf(key), ...index], [logs, rememberMs, only?.run ?? '', only?.writer ?? ''])
    },
    async append(run, writer, after, mark, entries) {
      const values: (string | number)[] = [run.id, writer, after + 1, mark]
      for (const entry of entries) values.push(letterOf(entry), entryText(entry))
      return (await commands.run('append', keysOf(run), values)) === 'added'
    },
    async close(run, writer, last, mark, bytes) {
      const reply = await commands.run(
        'close',
        [...keysOf(run), ...index],
        [run.id, writer, last + 1, ttlMs, rememberMs, bytes, maxBytes ?? '', logs, mark],
      )
      return reply === 'closed' || reply === 'shortened' ? reply : 'lost'
    },
    async beat(run, writer, last) {
      const reply = await commands.run('beat', keysOf(run), [run.id, writer, leaseMs, ttlMs, rememberMs, last])
      return reply !== 'lost'
    },
    async read(run, after) {
      const reply = await commands.run('read', keysOf(run), [run.id, after, MOST_ENTRIES, MOST_BYTES])
      const [state, entries, more] = Array.isArray(reply) ? reply : []
      return state === 'gone' || state === 'orphaned' ? state : { items: itemsOf(entries), more: more === 'more' }
    },
    wait: (run, after, signal) => tail.wait(namesOf(run), after, signal),
    async sendCommand(key, text) {
      const reply = await commands.run(
        'command',
        [hashOf(key)],
        [logs, mailboxesOf(prefix), text, options.keepLettersMs],
      )
      const [state, id = ''] = list(reply)
      if (state === 'closed' || state === 'orphaned') return { state, id }
      return { state: state === 'sent' || state === 'expired' || state === 'unknown' ? state : 'unavailable' }
    },
  }
}

function list(reply: RedisReply): readonly string[] {
  return Array.isArray(reply) ? reply.map(replyText) : []
}
