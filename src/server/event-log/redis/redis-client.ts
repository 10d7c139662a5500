import { AgentError } from '../../../base/agent-error.ts'
import { type Clock, delay, within } from '../../../base/ports/clock.ts'
import type { ScriptName } from './redis-scripts.ts'

/** What a Redis command is made of and what its reply may be, whichever protocol version the client speaks. */
export type RedisReply =
  | string
  | number
  | null
  | undefined
  | Uint8Array
  | boolean
  | RedisReply[]
  | { readonly [key: string]: RedisReply }

/**
 * Required part of a Redis client: a connected client of `createClient` from `redis` 5 or 6. The type is structural, so
 * it accepts clients with any modules, scripts and protocol version.
 */
export interface RedisClient {
  sendCommand(args: readonly string[]): Promise<unknown>
  /** A client of the same options, not yet connected. */
  duplicate(): RedisConnection
}

/** A connection that is opened and ended here. */
export interface RedisConnection {
  connect(): Promise<unknown>
  sendCommand(args: readonly string[]): Promise<unknown>
  on(event: 'error', listener: (error: Error) => void): unknown
  destroy(): unknown
}

/**
 * Required part of a client of a Redis Cluster: a connected client of `createCluster` from `redis` 5 or 6. All keys of one prefix are
 * in one hash slot, so one node holds them.
 */
export interface RedisCluster {
  readonly slots: unknown
  sendCommand(firstKey: string | undefined, isReadonly: boolean | undefined, args: string[]): Promise<unknown>
  /** A client of the same options, not yet connected. */
  duplicate(): RedisClusterConnection
}

/** A cluster client that is opened and ended here. */
export interface RedisClusterConnection extends Pick<RedisCluster, 'sendCommand'> {
  connect(): Promise<unknown>
  on(event: 'error', listener: (error: Error) => void): unknown
  destroy(): unknown
}

/** Keys that begin with it are in the slot of what is between its braces. */
const HASH_TAG = /^[^{]*\{[^}]+\}/

/** Sends commands, and the prefix of the keys in them. */
interface RedisSender extends Pick<RedisClient, 'sendCommand'> {
  readonly prefix: string
}

/**
 * Sends commands about keys under a prefix. In a cluster, a hash tag is added to a prefix without one, and each command goes to the node
 * of its slot.
 *
 * @throws AgentError `invalid_config` for a client of `ioredis`
 */
export function senderFor(
  client: Pick<RedisClient, 'sendCommand'> | Pick<RedisCluster, 'sendCommand' | 'slots'>,
  prefix: string,
): RedisSender {
  if ('isCluster' in client) throw notSupported()
  if (!('slots' in client)) return { prefix, sendCommand: (args) => client.sendCommand(args) }
  const tagged = HASH_TAG.test(prefix) ? prefix : `{${prefix}}`
  return { prefix: tagged, sendCommand: (args) => client.sendCommand(tagged, false, [...args]) }
}

/** The same with its own connections. @throws AgentError as `senderFor` */
export function clientFor(client: RedisClient | RedisCluster, prefix: string): RedisClient & RedisSender {
  const sender = senderFor(client, prefix)
  if (!('slots' in client)) return { ...sender, duplicate: () => client.duplicate() }
  return {
    ...sender,
    duplicate() {
      const own = client.duplicate()
      return {
        connect: () => own.connect(),
        sendCommand: (args) => own.sendCommand(sender.prefix, false, [...args]),
        on: (event, listener) => own.on(event, listener),
        destroy: () => own.destroy(),
      }
    },
  }
}

function notSupported(): AgentError {
  return new AgentError({
    kind: 'protocol',
    code: 'invalid_config',
    severity: 'FATAL',
    message: 'Clients of ioredis are not supported. Pass one of the package redis, by createClient or createCluster.',
  })
}

/** Text of a reply, which some clients give as bytes; empty when it is none. */
export function replyText(reply: RedisReply): string {
  if (reply instanceof Uint8Array) return new TextDecoder().decode(reply)
  return typeof reply === 'string' || typeof reply === 'number' ? String(reply) : ''
}

/** Scripts, carried out on one connection. */
export interface RedisCommands<Name extends string = ScriptName> {
  /**
   * Runs a script. It is repeated while Redis cannot be reached, so a script must be idempotent.
   *
   * @throws AgentError TRANSIENT when there is no answer in time, no memory, or no right to write; FATAL when Redis refuses the script; no other errors
   */
  run(name: Name, keys: readonly string[], args: readonly (string | number)[]): Promise<RedisReply>
}

const FIRST_WAIT_MS = 20

const LONGEST_WAIT_MS = 500

/** What Redis says while it starts, while another is about to take over, or while too few replicas are there; also from within a script. */
const PASSING = /(?:^-?|: -)(?:LOADING|READONLY|MASTERDOWN|NOREPLICAS|TRYAGAIN|BUSY|CLUSTERDOWN|UNBLOCKED) /

/** Redis cannot write to its own disk, or its user may not run the command. */
const UNAVAILABLE = /(?:^-?|: -)(?:MISCONF|NOPERM|NOAUTH|WRONGPASS) /

/** An error code in capitals: Redis answered, so the connection works. */
const REPLY = /^-?[A-Z]{2,} /

export function createRedisCommands<Name extends string>(
  client: Pick<RedisClient, 'sendCommand'>,
  scripts: Readonly<Record<Name, string>>,
  clock: Clock,
  commandTimeoutMs: number,
): RedisCommands<Name> {
  const digests = new Map<Name, Promise<unknown>>()

  const load = (name: Name): Promise<unknown> => {
    const known = digests.get(name)
    if (known) return known
    const loading = client.sendCommand(['SCRIPT', 'LOAD', scripts[name]])
    digests.set(name, loading)
    loading.catch(() => digests.delete(name))
    return loading
  }

  const attempt = async (name: Name, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> => {
    const digest = await load(name)
    return client.sendCommand(['EVALSHA', String(digest), String(keys.length), ...keys, ...args.map(String)])
  }

  return {
    async run(name, keys, args) {
      const deadline = clock.now() + commandTimeoutMs
      for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
        try {
          // What Redis may answer is what the type says; the scripts decide the rest.
          return (await within(attempt(name, keys, args), clock, deadline - clock.now())) as RedisReply
        } catch (error) {
          const said = error instanceof Error ? error.message : ''
          if (said.startsWith('OOM ')) throw full(error)
          // Redis was restarted and its script cache is empty.
          if (said.startsWith('NOSCRIPT ')) digests.delete(name)
          else if (said.includes('WRONGTYPE ')) throw wrongType(error)
          else if (UNAVAILABLE.test(said)) throw unavailable(error)
          else if (REPLY.test(said) && !PASSING.test(said)) throw refused(error)
          if (clock.now() + wait >= deadline) throw PASSING.test(said) ? unavailable(error) : redisUnreachable(error)
          await delay(clock, said.startsWith('NOSCRIPT ') ? 0 : wait)
        }
      }
    },
  }
}

export function redisUnreachable(cause: unknown): AgentError {
  return new AgentError({
    kind: 'connection',
    code: 'network_error',
    severity: 'TRANSIENT',
    message: 'The event log cannot reach its Redis. Check that it runs and that the client is connected.',
    cause,
  })
}

function refused(cause: unknown): AgentError {
  return new AgentError({
    kind: 'runtime',
    code: 'app_error',
    severity: 'FATAL',
    message:
      'The Redis of the event log refused a script. Check that it is version 6.2 or later, and what its user may do.',
    cause,
  })
}

function unavailable(cause: unknown): AgentError {
  return new AgentError({
    kind: 'runtime',
    code: 'storage_unavailable',
    severity: 'TRANSIENT',
    message:
      'The Redis of the event log answers, but does not run its commands. Check its disk, its replicas, and what its user may do. See the cause.',
    cause,
  })
}

function wrongType(cause: unknown): AgentError {
  return new AgentError({
    kind: 'runtime',
    code: 'storage_corrupt',
    severity: 'FATAL',
    message:
      'A key of the event log holds a value of another type in Redis. Give the event log a `prefix` that nothing else uses, and delete that key.',
    cause,
  })
}

function full(cause: unknown): AgentError {
  return new AgentError({
    kind: 'runtime',
    code: 'storage_full',
    severity: 'TRANSIENT',
    message:
      'The Redis of the event log has no memory left. Give it more, or store answers for a shorter time (ttlMs, maxBytes).',
    cause,
  })
}
