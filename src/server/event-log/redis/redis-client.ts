import { AgentError } from '../../../base/agent-error.ts'

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
 * Sends commands about keys under a prefix. In a cluster the prefix gets a hash tag unless it has one, and each command goes to the node
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
