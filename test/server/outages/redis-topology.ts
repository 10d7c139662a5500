import { createClient, createCluster, createSentinel } from 'redis'
import type { RedisClient, RedisCluster } from '../../../src/server/event-log/redis/redis-client.ts'
import { ask, startRedisCluster } from '../redis-cluster.ts'
import { startRedisProcess, type RedisProcess } from '../redis-process.ts'
import { startRelay } from '../tcp-relay.ts'

/** A client of the log, and how it is let go. */
export interface ConnectedClient {
  readonly client: RedisClient | RedisCluster
  destroy(): Promise<void>
}

/** A Redis that fails: alone, or a master with a replica that Sentinel or the cluster promotes. */
export interface RedisTopology {
  connect(): Promise<ConnectedClient>
  /** Process that clients write to in the beginning. */
  readonly master: RedisProcess
  /** What the master acknowledges from now on is lost with it: it reaches no replica and no file. */
  leaveBehind(): Promise<void>
  /** Promotes the replica although the master is well. */
  failover(): Promise<void>
  remove(): Promise<void>
}

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })

const EVERY_COMMAND = ['--appendonly', 'yes', '--appendfsync', 'always']

/** @param persistence what a crash leaves: nothing but what `leaveBehind` saved, or every command that was answered */
export async function startSingle({
  persistence = 'none',
}: { readonly persistence?: 'none' | 'every command' } = {}): Promise<RedisTopology> {
  const master = await startRedisProcess(persistence === 'none' ? [] : EVERY_COMMAND)
  return {
    master,
    async leaveBehind() {
      await command(master, 'SAVE')
    },
    failover: async () => {},
    remove: () => master.remove(),
    async connect() {
      const client = createClient({ url: `redis://127.0.0.1:${master.port}` })
      client.on('error', () => {})
      await client.connect()
      return { client, destroy: async () => client.destroy() }
    },
  }
}

const DOWN_AFTER_MS = 500

export async function startWithSentinel(): Promise<RedisTopology> {
  const master = await startRedisProcess()
  const relay = await startRelay(master.port)
  const replica = await startRedisProcess(['--replicaof', '127.0.0.1', String(relay.port)])
  await untilSynchronised(replica)
  // A long failover-timeout keeps Sentinel from correcting the address of the replica's master, which is the relay.
  const watch = [
    `sentinel monitor main 127.0.0.1 ${master.port} 1`,
    `sentinel down-after-milliseconds main ${DOWN_AFTER_MS}`,
    'sentinel failover-timeout main 60000',
  ]
  const sentinel = await startRedisProcess([], `${watch.join('\n')}\n`)
  await untilKnown(sentinel)
  return {
    master,
    leaveBehind: async () => relay.cut(),
    async failover() {
      await command(sentinel, 'SENTINEL', 'FAILOVER', 'main')
    },
    async remove() {
      relay.close()
      await Promise.all([master, replica, sentinel].map(async (each) => each.remove()))
    },
    async connect() {
      const own = createSentinel({
        name: 'main',
        sentinelRootNodes: [{ host: '127.0.0.1', port: sentinel.port }],
        scanInterval: 2000,
      })
      own.on('error', () => {})
      await own.connect()
      return { client: sentinelClient(own), destroy: () => own.destroy() }
    },
  }
}

/** How long a node is not reached until the others take it for failed. */
const NODE_TIMEOUT_MS = '1000'

/** A cluster of three masters, one of which holds the log and has a replica. */
export async function startInCluster(): Promise<RedisTopology> {
  const cluster = await startRedisCluster([
    ...['--cluster-node-timeout', NODE_TIMEOUT_MS],
    ...['--cluster-replica-validity-factor', '0'],
  ])
  const { master, replica } = await cluster.addReplica('{capstan:}')
  return {
    master,
    // A replica of a cluster follows its master by itself, and cannot be kept from it.
    leaveBehind: async () => {},
    async failover() {
      await ask(replica.port, ['CLUSTER', 'FAILOVER'])
    },
    remove: () => cluster.remove(),
    async connect() {
      const rootNodes = [...cluster.nodes, replica].map(({ port }) => ({ url: `redis://127.0.0.1:${port}` }))
      const client = createCluster({ rootNodes })
      client.on('error', () => {})
      await client.connect()
      return { client, destroy: async () => client.destroy() }
    },
  }
}

/** What is used of a Sentinel client. */
interface SentinelClient {
  sendCommand(readOnly: boolean, args: string[]): Promise<unknown>
  duplicate(): SentinelClient
  connect(): Promise<unknown>
  on(event: 'error', listener: (error: Error) => void): unknown
  destroy(): Promise<void>
}

/** A Sentinel client as the log wants one: every command goes to the master. */
function sentinelClient(own: SentinelClient): RedisClient {
  return {
    sendCommand: (args) => own.sendCommand(false, [...args]),
    duplicate() {
      const other = own.duplicate()
      return {
        connect: () => other.connect(),
        sendCommand: (args) => other.sendCommand(false, [...args]),
        on: (event, listener) => other.on(event, listener),
        destroy: () => other.destroy(),
      }
    },
  }
}

async function command(redis: RedisProcess, ...args: string[]): Promise<string> {
  const client = createClient({ url: `redis://127.0.0.1:${redis.port}` })
  client.on('error', () => {})
  await client.connect()
  try {
    return JSON.stringify(await client.sendCommand(args))
  } finally {
    client.destroy()
  }
}

async function untilSynchronised(replica: RedisProcess): Promise<void> {
  while (!(await command(replica, 'INFO', 'replication')).includes('master_link_status:up')) await pause(50)
}

async function untilKnown(sentinel: RedisProcess): Promise<void> {
  while (!(await command(sentinel, 'SENTINEL', 'REPLICAS', 'main')).includes('master-link-status')) await pause(50)
}
