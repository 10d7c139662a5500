import type { Clock } from '../../base/ports/clock.ts'
import { systemClock } from '../../base/ports/clock.ts'
import {
  senderFor,
  replyText,
  type RedisClient,
  type RedisCluster,
  type RedisReply,
  createRedisCommands,
} from '../event-log/redis/redis-client.ts'
import type { ConversationAnswer, ConversationStore, ConversationTurn } from './conversation-store.ts'

export interface RedisConversationStoreOptions {
  /** A connected client of `redis` 5 or 6, the one of the event log too. Your app handles its errors and its end. */
  readonly client: Pick<RedisClient, 'sendCommand'> | Pick<RedisCluster, 'sendCommand' | 'slots'>
  /** Begins the name of every key. In a cluster it has a hash tag, or becomes one. @default 'capstan:' */
  readonly prefix?: string | undefined
  /** Milliseconds a conversation is kept after its last turn. @default 2_592_000_000 */
  readonly ttlMs?: number | undefined
  /** Milliseconds to wait for Redis before a call fails. @default 5000 */
  readonly commandTimeoutMs?: number | undefined
  /** Timers: replaced in tests. @default the platform's */
  readonly clock?: Clock | undefined
}

const THIRTY_DAYS_MS = 2_592_000_000

// A conversation is a hash: its title and times, the number of its turns (n), and of each turn its position (p:), what was asked
// (q:) and the answer (a:). The index of an owner is a sorted set of conversations by the time of their last change.
const SCRIPTS = {
  /** KEYS: conversation, index. ARGV: id, turn id, turn, title, time, ttl ms. */
  begin: `
redis.call('HSETNX', KEYS[1], 'title', ARGV[4])
redis.call('HSETNX', KEYS[1], 'created', ARGV[5])
if redis.call('HEXISTS', KEYS[1], 'p:' .. ARGV[2]) == 0 then
  redis.call('HSET', KEYS[1], 'p:' .. ARGV[2], redis.call('HINCRBY', KEYS[1], 'n', 1))
end
redis.call('HSET', KEYS[1], 'q:' .. ARGV[2], ARGV[3])
redis.call('HDEL', KEYS[1], 'a:' .. ARGV[2])
redis.call('ZADD', KEYS[2], ARGV[5], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[6])
redis.call('PEXPIRE', KEYS[2], ARGV[6])
return 'ok'`,
  /** KEYS: conversation, index. ARGV: id, turn id, answer, time. */
  finish: `
if redis.call('HEXISTS', KEYS[1], 'p:' .. ARGV[2]) == 0 then return 'none' end
redis.call('HSET', KEYS[1], 'a:' .. ARGV[2], ARGV[3])
redis.call('ZADD', KEYS[2], ARGV[4], ARGV[1])
return 'ok'`,
  /** KEYS: conversation. */
  turns: `return redis.call('HGETALL', KEYS[1])`,
  /** KEYS: index. ARGV: beginning of the keys of conversations, limit. What has expired is taken out of the index. */
  list: `
local found = {}
for _, id in ipairs(redis.call('ZREVRANGE', KEYS[1], 0, -1)) do
  if #found >= 4 * tonumber(ARGV[2]) then break end
  local m = redis.call('HMGET', ARGV[1] .. id, 'title', 'created')
  if m[1] then
    table.insert(found, id)
    table.insert(found, m[1])
    table.insert(found, m[2])
    table.insert(found, redis.call('ZSCORE', KEYS[1], id))
  else
    redis.call('ZREM', KEYS[1], id)
  end
end
return found`,
  /** KEYS: conversation. ARGV: title. */
  rename: `
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('HSET', KEYS[1], 'title', ARGV[1]) end
return 'ok'`,
  /** KEYS: conversation, index. ARGV: id. */
  remove: `
redis.call('UNLINK', KEYS[1])
redis.call('ZREM', KEYS[2], ARGV[1])
return 'ok'`,
}

/**
 * Conversations in Redis, next to the event log, for any number of processes. One Redis, with Sentinel, or a cluster, of which
 * one node holds them; version 6.2 or later.
 *
 * @example
 * ```ts
 * import { createClient } from 'redis'
 * import { createAgentHandler } from 'capstan/server'
 * import { redisConversationStore, redisEventLog } from 'capstan/server/logs'
 *
 * const client = await createClient().connect()
 * export const POST = createAgentHandler({
 *   log: redisEventLog({ client }),
 *   conversations: redisConversationStore({ client }),
 *   agent: async function* (_request, run) {
 *     yield `You have said ${(await run.history()).length} things before.`
 *   },
 * })
 * ```
 *
 * @throws AgentError `invalid_config` for a client of `ioredis`
 */
export function redisConversationStore(options: RedisConversationStoreOptions): ConversationStore {
  const { ttlMs = THIRTY_DAYS_MS, commandTimeoutMs = 5000, clock = systemClock } = options
  const sender = senderFor(options.client, options.prefix ?? 'capstan:')
  const { prefix } = sender
  const commands = createRedisCommands(sender, SCRIPTS, clock, commandTimeoutMs)
  // The length of the owner keeps names apart whatever is in them.
  const startOf = (owner: string): string => `${prefix}conversation:${owner.length}:${owner}:`
  const indexOf = (owner: string): string => `${prefix}conversations:${owner}`

  return {
    async begin({ owner, id }, turn, title) {
      const keys = [startOf(owner) + id, indexOf(owner)]
      await commands.run('begin', keys, [id, turn.id, JSON.stringify(turn), title, turn.at, ttlMs])
    },
    async finish({ owner, id }, turnId, answer) {
      const keys = [startOf(owner) + id, indexOf(owner)]
      await commands.run('finish', keys, [id, turnId, JSON.stringify(answer), answer.at])
    },
    turns: async ({ owner, id }) => turnsIn(texts(await commands.run('turns', [startOf(owner) + id], []))),
    async list(owner, limit) {
      const found = texts(await commands.run('list', [indexOf(owner)], [startOf(owner), limit]))
      return Array.from({ length: Math.floor(found.length / 4) }, (_, at) => {
        const [id = '', title = '', created, updated] = found.slice(4 * at, 4 * at + 4)
        return { id, title, createdAt: Number(created), updatedAt: Number(updated) }
      })
    },
    async rename({ owner, id }, title) {
      await commands.run('rename', [startOf(owner) + id], [title])
    },
    async remove({ owner, id }) {
      await commands.run('remove', [startOf(owner) + id, indexOf(owner)], [id])
    },
  }
}

/** @param hash names and values in turn */
function turnsIn(hash: readonly string[]): ConversationTurn[] {
  const fields = new Map<string, string>()
  for (let at = 0; at + 1 < hash.length; at += 2) fields.set(hash[at] ?? '', hash[at + 1] ?? '')
  const ids = [...fields.keys()].filter((name) => name.startsWith('p:')).map((name) => name.slice(2))
  const placed = ids.toSorted((left, right) => Number(fields.get(`p:${left}`)) - Number(fields.get(`p:${right}`)))
  return placed.map((id) => {
    // All of it was written by this store.
    const turn = JSON.parse(fields.get(`q:${id}`) ?? '{}') as ConversationTurn
    const answer = fields.get(`a:${id}`)
    return answer === undefined ? turn : { ...turn, answer: JSON.parse(answer) as ConversationAnswer }
  })
}

/** Redis gives the pairs of a hash as a list, or as a map where the client speaks its third protocol; a script gives a list. */
function texts(reply: RedisReply): readonly string[] {
  return Array.isArray(reply) ? reply.map(replyText) : []
}
