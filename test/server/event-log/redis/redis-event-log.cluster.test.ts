import Redis from 'ioredis'
import { createCluster } from 'redis'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { redisConversationStore } from '../../../../src/server/conversation/redis-conversation-store.ts'
import type { RedisClient } from '../../../../src/server/event-log/redis/redis-client.ts'
import { redisEventLog } from '../../../../src/server/event-log/redis/redis-event-log.ts'
import { conversationStoreCases } from '../../../../src/testing/conversation-store-cases.ts'
import { eventLogCases } from '../../../../src/testing/event-log-cases.ts'
import { create, frame, readAll } from '../../event-log-contract.ts'
import { startRedisCluster, type RedisClusterProcesses } from '../../redis-cluster.ts'
import { describeWithRedis } from '../../redis-server.ts'

let cluster: RedisClusterProcesses
let prefixes = 0

async function connectCluster() {
  const client = createCluster({ rootNodes: cluster.nodes.map(({ port }) => ({ url: `redis://127.0.0.1:${port}` })) })
  client.on('error', () => {})
  await client.connect()
  return client
}

const pass = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })

describeWithRedis('Redis Cluster with createCluster', () => {
  beforeAll(async () => {
    cluster = await startRedisCluster()
    return () => cluster.remove()
  })

  it.concurrent.each(eventLogCases)('$name', async ({ run }) =>
    run(async (limits) => {
      // Each is in another slot, so that all nodes have some.
      const prefix = `case-${++prefixes}:`
      const [ttlMs, leaseMs] = [2500, 1500]
      const closing: (() => void)[] = []
      const openLog = async () => {
        const client = await connectCluster()
        const log = redisEventLog({ client, prefix, ttlMs, leaseMs, ...limits })
        closing.push(
          () => log.close(),
          () => client.destroy(),
        )
        return log
      }
      return {
        log: await openLog(),
        ttlMs,
        pass: (ms) => pass(ms + 20),
        async crash() {
          closing[0]?.()
          await pass(leaseMs + 20)
          return openLog()
        },
        close: () => closing.forEach((close) => close()),
      }
    }),
  )

  it.each(
    conversationStoreCases(async () => {
      const client = await connectCluster()
      onTestFinished(() => client.destroy())
      return redisConversationStore({ client })
    }),
  )('$name', ({ run }) => run())

  it('has all keys of a prefix in one slot, under the hash tag that the prefix has or becomes', async () => {
    const client = await connectCluster()
    onTestFinished(() => client.destroy())
    for (const [prefix, name] of [
      ['rivers:', '{rivers:}run:a'],
      ['app:{rivers}:', 'app:{rivers}:run:a'],
    ] as const) {
      const log = redisEventLog({ client, prefix })
      onTestFinished(() => log.close())
      const { writer, reader } = await create(log, 'a')
      await writer.append(frame('one'))
      await writer.close()
      expect(await readAll(reader)).toEqual([frame('one')])
      expect(await client.exists(name)).toBe(1)
    }
  })

  it('refuses clients of ioredis when the log or the store is made', () => {
    const single = new Redis({ lazyConnect: true })
    const several = new Redis.Cluster([{ port: cluster.nodes[0]?.port }], { lazyConnect: true })
    onTestFinished(() => {
      single.disconnect()
      several.disconnect()
    })
    for (const client of [single, several] as unknown as RedisClient[]) {
      const refused = expect.objectContaining({ code: 'invalid_config', message: expect.stringContaining('ioredis') })
      expect(() => redisEventLog({ client })).toThrow(refused)
      expect(() => redisConversationStore({ client })).toThrow(refused)
    }
  })
})
