import type { Clock } from '../../../base/clock.ts'
import { systemClock } from '../../../base/clock.ts'
import { systemEnvironment } from '../../../base/environment.ts'
import type { EventLog, LogReader, LogWriter } from '../event-log.ts'
import { textOf, type RedisClient, type RedisReply } from './redis-client.ts'
import { createRedisCommands } from './redis-commands.ts'
import { createRedisReader } from './redis-reader.ts'
import { createRedisTail, type RunNames } from './redis-tail.ts'
import { createRedisWriter } from './redis-writer.ts'

export interface RedisEventLogOptions {
  /** A connected client of `redis` 5 or 6. It stays yours: its errors, its reconnecting and its end. */
  readonly client: RedisClient
  /** Begins the name of every key (default `capstan:`). */
  readonly prefix?: string | undefined
  /** Milliseconds a finished run stays readable (default 10 minutes, CAP section 6, rule 3). */
  readonly ttlMs?: number | undefined
  /** Milliseconds a run is remembered after that, so that it is refused and not run again (default one day). */
  readonly rememberMs?: number | undefined
  /** Most that finished runs take together, in bytes of their entries; the oldest go first. Default: no limit but Redis' own. */
  readonly maxBytes?: number | undefined
  /** A process that has not been heard of for so many milliseconds counts as dead, and its runs as orphaned (default 15 s). */
  readonly leaseMs?: number | undefined
  /** Milliseconds to wait for Redis before a call fails (default 5 s). */
  readonly patienceMs?: number | undefined
  readonly clock?: Clock | undefined
  /** Names runs and writers. */
  readonly uuid?: (() => string) | undefined
}

export interface RedisEventLog extends EventLog {
  /** Lets go of the connection that followers share. Runs of this process stop being kept alive; the client stays open. */
  close(): void
}

const TEN_MINUTES_MS = 600_000
const ONE_DAY_MS = 86_400_000
/** A lease is renewed, and looked at, so often that one late beat is forgiven. */
const BEATS_PER_LEASE = 3

/**
 * An event log in Redis, for any number of processes: a run that one of them carries out can be followed from each. One
 * Redis with or without Sentinel, not a cluster; version 6.2 or later. Besides `client` it opens one connection, on which
 * all followers of this process wait.
 */
export function redisEventLog(options: RedisEventLogOptions): RedisEventLog {
  const { client, prefix = 'capstan:', ttlMs = TEN_MINUTES_MS, rememberMs = ONE_DAY_MS, maxBytes, leaseMs = 15_000, patienceMs = 5000 } = options
  const { clock = systemClock, uuid = systemEnvironment.uuid } = options
  const commands = createRedisCommands(client, clock, patienceMs)
  const beatMs = Math.ceil(leaseMs / BEATS_PER_LEASE)
  const tail = createRedisTail({ client, commands, clock, lookMs: beatMs, patienceMs })
  const logs = `${prefix}log:`
  const index = { order: `${prefix}finished`, total: `${prefix}finished-bytes` }
  const writers = new Set<{ stop(): void }>()

  const hashOf = (key: string): string => `${prefix}run:${key}`
  const namesOf = (key: string, id: string): RunNames => ({ id, hash: hashOf(key), stream: logs + id })
  const readerOf = (run: RunNames): LogReader => createRedisReader({ run, commands, tail })
  const throwAway = async (key: string, run = '', writer = ''): Promise<void> => {
    await commands.run('expire', [hashOf(key), index.order, index.total], [logs, rememberMs, run, writer])
  }

  const writerOf = (key: string, run: RunNames, id: string, counter: number): LogWriter => {
    const times = { leaseMs, beatMs, ttlMs, rememberMs }
    const writer = createRedisWriter({ run, id, counter, commands, clock, times, maxBytes, index, logs, throwAway: () => throwAway(key, run.id, id), ended: () => writers.delete(writer) })
    writers.add(writer)
    return writer
  }

  return {
    async begin(key, { restart = false } = {}) {
      const [run, writer] = [uuid(), uuid()]
      const [state, id = ''] = list(await commands.run('begin', [hashOf(key)], [logs, run, writer, leaseMs, ttlMs, rememberMs, restart ? 'yes' : '']))
      if (state === 'expired') return { state: 'expired' }
      const names = namesOf(key, id)
      // A reply that was lost is asked for again: then it is there already, and it is this one's.
      if (state === 'created' || id === run) return { state: 'created', writer: writerOf(key, names, writer, 0), reader: readerOf(names) }
      return { state: 'exists', reader: readerOf(names) }
    },
    async find(key) {
      const [state, id = ''] = list(await commands.run('find', [hashOf(key)], [logs]))
      if (state === 'exists') return { state, reader: readerOf(namesOf(key, id)) }
      return { state: state === 'expired' ? 'expired' : 'unknown' }
    },
    expire: (key) => throwAway(key),
    async adopt(key) {
      const writer = uuid()
      const [id, last = ''] = list(await commands.run('adopt', [hashOf(key)], [logs, writer, leaseMs]))
      if (id === undefined) return undefined
      const end = Number.parseInt(last, 10)
      return { writer: writerOf(key, namesOf(key, id), writer, end), end }
    },
    close() {
      tail.close()
      for (const writer of [...writers]) writer.stop()
    },
  }
}

function list(reply: RedisReply): readonly string[] {
  return Array.isArray(reply) ? reply.map(textOf) : []
}
