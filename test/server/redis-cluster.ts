import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { createClient } from 'redis'
import { startRedisProcess, type RedisProcess } from './redis-process.ts'
import { freePort } from './tcp-relay.ts'

/** A Redis Cluster of three masters on loopback. */
export interface RedisClusterProcesses {
  readonly nodes: readonly RedisProcess[]
  remove(): Promise<void>
}

const run = promisify(execFile)

export async function startRedisCluster(): Promise<RedisClusterProcesses> {
  const nodes = await Promise.all(
    Array.from({ length: 3 }, async () =>
      startRedisProcess(['--cluster-enabled', 'yes', '--cluster-port', String(await freePort())]),
    ),
  )
  const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`)
  await run('redis-cli', ['--cluster', 'create', ...addresses, '--cluster-yes'])
  for (const { port } of nodes) await untilReady(port)
  return { nodes, remove: async () => void (await Promise.all(nodes.map((node) => node.remove()))) }
}

/** Each node learns for itself that all slots are served. */
async function untilReady(port: number): Promise<void> {
  const client = await createClient({ url: `redis://127.0.0.1:${port}` }).connect()
  try {
    while (!(await client.sendCommand<string>(['CLUSTER', 'INFO'])).includes('cluster_state:ok'))
      await new Promise((resolve) => {
        setTimeout(resolve, 50)
      })
  } finally {
    client.destroy()
  }
}
