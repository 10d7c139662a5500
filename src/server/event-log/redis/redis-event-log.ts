import type { EventLog } from '../event-log.ts'
import { beatOf, createLeasedEventLog } from '../leased/leased-event-log.ts'
import { KEEP_LETTERS_MS, sharedLogDefaults, type SharedLogOptions } from '../leased/shared-log-options.ts'
import { clientFor, type RedisClient, type RedisCluster } from './redis-client.ts'
import { createRedisCommands } from './redis-commands.ts'
import { createRedisMailbox } from './redis-mailbox.ts'
import { createRedisRunStore, mailboxesOf } from './redis-run-store.ts'
import { SCRIPTS } from './redis-scripts.ts'
import { createRedisTail } from './redis-tail.ts'

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
