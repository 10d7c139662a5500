import { expect, it, onTestFinished } from 'vitest'
import { ArcpClient } from '../../../../src/clients/arcp/arcp-client.ts'
import type { ArcpRuntime } from '../../../../src/runtime/arcp/arcp-runtime.ts'
import { createArcpRuntime } from '../../../../src/runtime/arcp/arcp-runtime.ts'
import { redisEventLog } from '../../../../src/server/event-log/redis/redis-event-log.ts'
import { memoryTransport } from '../../../../src/wire/memory-transport.ts'
import { AT_ONCE } from '../../../faults/meet.ts'
import { connect, describeWithRedis, startRedis } from '../../../server/redis-server.ts'

describeWithRedis('a session whose log is in Redis', () => {
  it('goes on in another process when the lease of the one before is over', async () => {
    const redis = await startRedis()
    const runs: unknown[] = []

    /** A process with a connection of its own. `die` ends it as a crash would: nothing more goes out. */
    async function startProcess(): Promise<{ readonly runtime: ArcpRuntime; die(): void }> {
      const client = await connect(redis.url)
      const log = redisEventLog({ client, leaseMs: 1_000 })
      const runtime = createArcpRuntime({
        log,
        auth: { bearer: (token) => token },
        tools: {
          count: async ({ n }) => runs.push(n),
          stuck: () => new Promise(() => undefined),
        },
        environment: { report: () => undefined },
      })
      let isDead = false
      const die = (): void => {
        if (isDead) return
        isDead = true
        log.close()
        client.destroy()
        runtime.disconnect()
      }
      onTestFinished(die)
      return { runtime, die }
    }

    let alive = await startProcess()
    const transport = memoryTransport(async (connection) => alive.runtime.accept(connection))
    const arcp = new ArcpClient({ transport, auth: { scheme: 'bearer', token: 'ada' }, retry: AT_ONCE })
    onTestFinished(() => arcp.close())
    const order = { idempotencyKey: 'order-42' }
    expect(await arcp.invoke('count', { n: 7 }, order).result).toMatchObject({ value: 1 })
    const stuck = arcp.invoke('stuck')
    const failed = stuck.result.catch((error: unknown) => error)
    await stuck.accepted

    const dead = alive
    alive = await startProcess()
    dead.die()
    expect(await failed).toMatchObject({ agentCode: 'ABORTED' })
    expect(await arcp.invoke('count', { n: 7 }, order).result).toMatchObject({ value: 1 })
    expect(runs).toEqual([7])
  })
})
