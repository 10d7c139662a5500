import { expect, it, onTestFinished } from 'vitest'
import { ArcpClient } from '../../../src/protocols/arcp/client/arcp-client.ts'
import type { ArcpRuntime } from '../../../src/runtime/arcp-runtime.ts'
import { createArcpRuntime } from '../../../src/runtime/arcp-runtime.ts'
import { redisEventLog } from '../../../src/server/event-log/redis/redis-event-log.ts'
import { memoryTransport } from '../../../src/wire/memory-transport.ts'
import { AT_ONCE } from '../../faults/meet.ts'
import { connect, describeWithRedis, startRedis } from '../../server/redis-server.ts'

/** Processes with one Redis, and what their tools have done. */
async function start() {
  const redis = await startRedis()
  const runs: unknown[] = []

  /** A process with its own connection. `die` ends it as a crash would: nothing more goes out. */
  async function startProcess(): Promise<{ readonly runtime: ArcpRuntime; die(): void }> {
    const client = await connect(redis.url)
    const log = redisEventLog({ client, leaseMs: 1_000 })
    const runtime = createArcpRuntime({
      log,
      auth: { bearer: (token) => token },
      tools: {
        count: async ({ n }) => runs.push(n),
        stuck: () => new Promise(() => undefined),
        draw: async ({ text }, { artifact }) => artifact(String(text), { mediaType: 'text/plain' }),
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

  return { startProcess, runs }
}

describeWithRedis('a session whose log is in Redis', () => {
  it('continues in another process when the lease of the one before has ended', async () => {
    const { startProcess, runs } = await start()
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

  it('keeps its artifacts, and shows a subscriber of another page what it logged', async () => {
    const { startProcess } = await start()
    let alive = await startProcess()
    const transport = memoryTransport(async (connection) => alive.runtime.accept(connection))
    const connectAs = (token: string): ArcpClient => {
      const arcp = new ArcpClient({ transport, auth: { scheme: 'bearer', token }, retry: AT_ONCE })
      onTestFinished(() => arcp.close())
      return arcp
    }
    const [arcp, observer] = [connectAs('ada'), connectAs('ada')]
    const filter = { types: ['job.completed', 'job.failed'] }
    const seen: string[] = []
    await observer.subscribe(filter, { onMessage: ({ type, id }) => void seen.push(`${type} ${id}`) }).accepted
    const { value } = await arcp.invoke('draw', { text: 'A bend' }).result
    // A tool gives what it returns.
    const { artifact_id: id } = value as { readonly artifact_id: string }
    const stuck = arcp.invoke('stuck')
    const failed = stuck.result.catch((error: unknown) => error)
    await stuck.accepted

    const dead = alive
    alive = await startProcess()
    dead.die()
    // At once, while the lease of the process before is not over.
    expect(new TextDecoder().decode((await observer.fetchArtifact(id)).content)).toBe('A bend')
    expect(await failed).toMatchObject({ agentCode: 'ABORTED' })
    const types = (): string[] => seen.map((each) => each.split(' ')[0] ?? '')
    await expect.poll(types, { timeout: 20_000 }).toEqual(['job.completed', 'job.failed'])
    expect(new Set(seen).size).toBe(2)
    await arcp.releaseArtifact(id)
    await expect(observer.fetchArtifact(id)).rejects.toMatchObject({ code: 'not_found' })
    await expect(connectAs('bob').fetchArtifact(id)).rejects.toMatchObject({ code: 'not_found' })
  })
})
