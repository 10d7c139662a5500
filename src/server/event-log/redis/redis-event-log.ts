import type { Clock } from '../../../base/ports/clock.ts'
import { systemClock } from '../../../base/ports/clock.ts'
import { systemEnvironment } from '../../../base/ports/environment.ts'
import type { EventLog, LogReader, LogWriter } from '../event-log.ts'
import type { CommandHandler } from '../run-command.ts'
import { replyText, type RedisClient, type RedisReply } from './redis-client.ts'
import { createRedisCommands } from './redis-commands.ts'
import { createLiveRun, type LiveRun } from './redis-live.ts'
import { createRedisMailbox } from './redis-mailbox.ts'
import { createRedisReader } from './redis-reader.ts'
import { SCRIPTS } from './redis-scripts.ts'
import { markOf } from './redis-stream.ts'
import { createRedisTail, type RunNames } from './redis-tail.ts'
import { createRedisWriter } from './redis-writer.ts'

export interface RedisEventLogOptions {
  /** A connected client of `redis` 5 or 6. Your app handles its errors, its reconnection and its end. */
  readonly client: RedisClient
  /** Begins the name of every key. @default 'capstan:' */
  readonly prefix?: string | undefined
  /** Milliseconds a finished run stays readable (CAP section 6, rule 3). @default 600_000 */
  readonly ttlMs?: number | undefined
  /** Milliseconds a run is remembered after that, so that it is refused and not run again. @default 86_400_000 */
  readonly rememberMs?: number | undefined
  /**
   * Most that finished runs take together, in bytes of their entries; the oldest go first. Absent: no limit but Redis'
   * own.
   */
  readonly maxBytes?: number | undefined
  /**
   * A process that has not renewed its lease for so many milliseconds counts as dead, and its runs as orphaned.
   *
   * @default 11_000
   */
  readonly leaseMs?: number | undefined
  /** Milliseconds to wait for Redis before a call fails; longer than `cancelTimeoutMs` of the handler. @default 5000 */
  readonly commandTimeoutMs?: number | undefined
  /** Timers and time: replaced in tests. @default the platform's */
  readonly clock?: Clock | undefined
  /** Names runs and writers. @default random UUIDs */
  readonly uuid?: (() => string) | undefined
}

export interface RedisEventLog extends EventLog {
  /** Lets go of the connection that followers share. Runs of this process stop being kept alive; the client stays open. */
  close(): void
}

const TEN_MINUTES_MS = 600_000
const ONE_DAY_MS = 86_400_000
/** Whoever waits for a reply has given up long before. */
const KEEP_LETTERS_MS = 60_000
/** How often a lease is renewed and checked within its duration: one late renewal does not expire it. */
const BEATS_PER_LEASE = 3

/**
 * An event log in Redis, for any number of processes: a run that one of them carries out can be followed from each. One
 * Redis with or without Sentinel, not a cluster; version 6.2 or later. Besides `client` it opens one connection, on
 * which all followers of this process wait.
 *
 * @example
 * ```ts
 * import { createClient } from 'redis'
 * import { createAgentHandler } from 'capstan/server'
 * import { redisEventLog } from 'capstan/server/redis'
 *
 * const client = createClient()
 * await client.connect()
 * export const POST = createAgentHandler({ agent: async () => ({ output: { text: 'Rivers meander.' } }), log: redisEventLog({ client }) })
 * ```
 */
export function redisEventLog(options: RedisEventLogOptions): RedisEventLog {
  const {
    client,
    prefix = 'capstan:',
    ttlMs = TEN_MINUTES_MS,
    rememberMs = ONE_DAY_MS,
    maxBytes,
    leaseMs = 11_000,
    commandTimeoutMs = 5000,
  } = options
  const { clock = systemClock, uuid = systemEnvironment.uuid } = options
  const commands = createRedisCommands(client, SCRIPTS, clock, commandTimeoutMs)
  const beatMs = Math.ceil(leaseMs / BEATS_PER_LEASE)
  const tail = createRedisTail({ client, commands, clock, lookMs: beatMs, commandTimeoutMs })
  const mailbox = createRedisMailbox({
    client,
    commands,
    clock,
    uuid,
    prefix: `${prefix}mailbox:`,
    keepMs: KEEP_LETTERS_MS,
    blockMs: beatMs,
    commandTimeoutMs,
  })
  const logs = `${prefix}log:`
  const index = { order: `${prefix}finished`, total: `${prefix}finished-bytes` }
  const writers = new Set<{ stop(): void }>()
  /** Runs that are written here, by the key of their hash. */
  const lives = new Map<string, { readonly id: string; readonly live: LiveRun }>()

  const hashOf = (key: string): string => `${prefix}run:${key}`
  const namesOf = (key: string, id: string): RunNames => ({ id, hash: hashOf(key), stream: logs + id })
  const liveOf = ({ hash, id }: RunNames): LiveRun | undefined => {
    const known = lives.get(hash)
    return known?.id === id ? known.live : undefined
  }
  const readerOf = (run: RunNames, begun = false): LogReader =>
    createRedisReader({ run, commands, tail, liveOf: () => liveOf(run), begun })
  const throwAway = async (key: string, run = '', writer = ''): Promise<void> => {
    await commands.run('expire', [hashOf(key), index.order, index.total], [logs, rememberMs, run, writer])
  }

  const writerOf = (key: string, run: RunNames, id: string, counter: number): LogWriter => {
    const times = { leaseMs, beatMs, ttlMs, rememberMs }
    const live = createLiveRun(counter, markOf(counter, id))
    lives.get(run.hash)?.live.lost()
    lives.set(run.hash, { id: run.id, live })
    let leave = (): void => {}
    const inner = createRedisWriter({
      run,
      id,
      counter,
      commands,
      clock,
      times,
      maxBytes,
      index,
      logs,
      live,
      throwAway: () => throwAway(key, run.id, id),
      ended() {
        leave()
        writers.delete(writer)
        if (lives.get(run.hash)?.live === live) lives.delete(run.hash)
      },
    })
    const writer = {
      ...inner,
      onCommand(handle: CommandHandler): void {
        leave = mailbox.handle(run.hash, handle)
      },
    }
    writers.add(writer)
    return writer
  }

  return {
    async begin(key, { restart = false } = {}) {
      const [run, writer] = [uuid(), uuid()]
      const [state, id = ''] = list(
        await commands.run(
          'begin',
          [hashOf(key)],
          [logs, run, writer, leaseMs, ttlMs, rememberMs, restart ? 'yes' : '', mailbox.name],
        ),
      )
      if (state === 'expired') return { state: 'expired' }
      const names = namesOf(key, id)
      // After a lost reply the command is repeated: then the run already exists and belongs to this writer.
      if (state === 'created' || id === run)
        return { state: 'created', writer: writerOf(key, names, writer, 0), reader: readerOf(names, true) }
      return { state: 'exists', reader: readerOf(names) }
    },
    async find(key) {
      const [state, id = ''] = list(await commands.run('find', [hashOf(key)], [logs]))
      if (state === 'exists') return { state, reader: readerOf(namesOf(key, id)) }
      return { state: state === 'expired' ? 'expired' : 'unknown' }
    },
    async expire(key) {
      await throwAway(key)
      // Those who follow it here ask Redis now.
      lives.get(hashOf(key))?.live.lost()
    },
    async adopt(key) {
      const writer = uuid()
      const [id, last = ''] = list(await commands.run('adopt', [hashOf(key)], [logs, writer, leaseMs]))
      if (id === undefined) return undefined
      const end = Number.parseInt(last, 10)
      return { writer: writerOf(key, namesOf(key, id), writer, end), end }
    },
    async command(key, command) {
      // A writer of this process that has lost its run cannot log what it is told, and says so.
      const own = mailbox.handlerOf(hashOf(key))
      if (own !== undefined) return { state: 'replied', reply: await own(command) }
      let sent: readonly string[] = []
      const reply = await mailbox.send(hashOf(key), command, async (text) => {
        sent = list(await commands.run('command', [hashOf(key)], [logs, `${prefix}mailbox:`, text, KEEP_LETTERS_MS]))
        return sent[0] === 'sent'
      })
      if (reply !== undefined && reply.result !== 'unavailable') return { state: 'replied', reply }
      const [state, id = ''] = sent
      if (state === 'closed' || state === 'orphaned') return { state, reader: readerOf(namesOf(key, id)) }
      if (state === 'expired' || state === 'unknown') return { state }
      return { state: 'unavailable' }
    },
    close() {
      tail.close()
      mailbox.close()
      for (const writer of [...writers]) writer.stop()
    },
  }
}

function list(reply: RedisReply): readonly string[] {
  return Array.isArray(reply) ? reply.map(replyText) : []
}
