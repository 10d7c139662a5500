import { beforeAll, expect, it } from 'vitest'
import { redisConversationStore } from '../../../src/server/conversation/redis-conversation-store.ts'
import { conversationStoreCases } from '../../../src/testing/conversation-store-cases.ts'
import { connect, describeWithRedis, startRedis, type RedisServer } from '../redis-server.ts'

describeWithRedis('the conversation store in Redis', () => {
  let redis: RedisServer
  beforeAll(async () => {
    redis = await startRedis()
  })

  it.each(conversationStoreCases(async () => redisConversationStore({ client: await connect(redis.url) })))(
    '$name',
    ({ run }) => run(),
  )

  it('gives every key a time to live, and leaves what has expired out of the list', async () => {
    const client = await connect(redis.url)
    const store = redisConversationStore({ client, prefix: 'ttl:', ttlMs: 60_000 })
    const key = { owner: 'ann', id: 'c-1' }
    await store.begin(key, { id: 't', replaces: [], text: 'Why?', at: 1 }, 'Why?')
    const keys = await client.keys('ttl:*')
    expect(keys).toHaveLength(2)
    for (const each of keys) expect(await client.pTTL(each)).toBeGreaterThan(0)
    await client.del(keys.filter((each) => each.includes('c-1')))
    expect(await store.list('ann', 10)).toEqual([])
    expect(await client.exists(keys)).toBe(0)
  })

  it('rejects when Redis does not answer in time', async () => {
    const client = { sendCommand: () => new Promise(() => {}) }
    const store = redisConversationStore({ client, commandTimeoutMs: 5 })
    await expect(store.turns({ owner: '', id: 'c' })).rejects.toMatchObject({ code: 'network_error' })
  })
})
