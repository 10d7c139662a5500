import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { createClient } from 'redis'
import { startRedisProcess, type RedisProcess } from './redis-process.ts'
import { freePort } from './tcp-relay.ts'

/** A Redis Cluster of three masters on loopback. */
export interface RedisClusterProcesses {
  readonly nodes: readonly RedisProcess[]
  /** Adds a replica of the master that holds a key, and resolves when it has all of its data. */
  addReplica(key: string): Promise<{ readonly master: RedisProcess; readonly replica: RedisProcess }>
  remove(): Promise<void>
}

const run = promisify(execFile)

/** @param options of every node */
export async function startRedisCluster(options: readonly string[] = []): Promise<RedisClusterProcesses> {
  const startNode = async () => {
    const busPort = await freePort()
    const node = await startRedisProcess(['--cluster-enabled', 'yes', '--cluster-port', String(busPort), ...options])
    return { ...node, busPort }
  }
  const nodes = await Promise.all(Array.from({ length: 3 }, startNode))
  const all: RedisProcess[] = [...nodes]
  const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`)
  await run('redis-cli', ['--cluster', 'create', ...addresses, '--cluster-yes'])
  for (const { port } of nodes) await until(port, ['CLUSTER', 'INFO'], 'cluster_state:ok')
  return {
    nodes,
    async addReplica(key) {
      const slot = Number(await ask(nodes[0]?.port, ['CLUSTER', 'KEYSLOT', key]))
      const owners = await Promise.all(nodes.map(({ port }) => ask(port, ['CLUSTER', 'NODES'])))
      const at = owners.findIndex((text) => ownsSlot(text, slot))
      const [master, id] = [nodes[at], (await ask(nodes[at]?.port, ['CLUSTER', 'MYID'])).trim()]
      if (master === undefined) throw new Error(`No node has the slot ${slot}.`)
      const replica = await startNode()
      all.push(replica)
      await ask(replica.port, ['CLUSTER', 'MEET', '127.0.0.1', String(master.port), String(master.busPort)])
      await until(replica.port, ['CLUSTER', 'NODES'], id)
      await until(replica.port, ['CLUSTER', 'INFO'], 'cluster_state:ok')
      await ask(replica.port, ['CLUSTER', 'REPLICATE', id])
      await until(replica.port, ['INFO', 'replication'], 'master_link_status:up')
      const replicaId = (await ask(replica.port, ['CLUSTER', 'MYID'])).trim()
      // The other masters vote for it only once they know whose replica it is.
      for (const { port } of nodes)
        await until(port, ['CLUSTER', 'NODES'], new RegExp(`^${replicaId} .* slave ${id} `, 'm'))
      return { master, replica }
    },
    remove: async () => void (await Promise.all(all.map((node) => node.remove()))),
  }
}

/** Whether the node whose view this is has a slot. */
function ownsSlot(nodes: string, slot: number): boolean {
  const own = nodes.split('\n').find((each) => each.includes('myself')) ?? ''
  return own
    .split(' ')
    .slice(8)
    .some((range) => {
      const [first = Number.NaN, last = first] = range.split('-').map(Number)
      return first <= slot && slot <= last
    })
}

export async function ask(port: number | undefined, command: string[]): Promise<string> {
  const client = await createClient({ url: `redis://127.0.0.1:${port}` }).connect()
  try {
    return await client.sendCommand<string>(command)
  } finally {
    client.destroy()
  }
}

/** Each node learns everything for itself. */
async function until(port: number, command: string[], text: string | RegExp): Promise<void> {
  while (!(await ask(port, command)).match(text))
    await new Promise((resolve) => {
      setTimeout(resolve, 50)
    })
}
