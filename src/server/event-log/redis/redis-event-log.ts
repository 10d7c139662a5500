import type { Clock } from '../../../base/ports/clock.ts'
import { systemClock } from '../../../base/ports/clock.ts'
import { systemEnvironment } from '../../../base/ports/environment.ts'
import type { EventLog } from '../event-log.ts'
import { beatOf, createLeasedEventLog } from '../leased/leased-event-log.ts'
import { clientFor, type RedisClient, type RedisCluster } from './redis-client.ts'
import { createRedisCommands } from './redis-commands.ts'
import { createRedisMailbox } from './redis-mailbox.ts'
import { createRedisRunStore, mailboxesOf } from './redis-run-store.ts'
import { SCRIPTS } from './redis-scripts.ts'
import { createRedisTail } from './redis-tail.ts'

export interface RedisEventLogOptions {
  /**
   * A connected client of `redis` 5 or 6, of one Redis or of a cluster (`createCluster`). Your app handles its errors, its reconnection
   * and its end.
   */
  readonly client: RedisClient | RedisCluster
  /** Begins the name of every key. In a cluster it has a hash tag, or becomes one. @default 'capstan:' */
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

/**
 * An event log in Redis, for any number of processes: a run that one of them carries out can be followed from each. One
 * Redis, with Sentinel, or a cluster, of which one node holds the log; version 6.2 or later. Besides `client` it opens one connection, on
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
 *
 * @throws AgentError `invalid_config` for a client of `ioredis`
 */
export function redisEventLog(options: RedisEventLogOptions): RedisEventLog {
  const {
    ttlMs = TEN_MINUTES_MS,
    rememberMs = ONE_DAY_MS,
    maxBytes,
    leaseMs = 11_000,
    commandTimeoutMs = 5000,
  } = options
  const client = clientFor(options.client, options.prefix ?? 'capstan:')
  const { prefix } = client
  const { clock = systemClock, uuid = systemEnvironment.uuid } = options
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
