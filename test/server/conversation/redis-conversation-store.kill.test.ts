import { expect, it, onTestFinished } from 'vitest'
import { redisConversationStore } from '../../../src/server/conversation/redis-conversation-store.ts'
import type { ConversationAnswer } from '../../../src/server/conversation/conversation-store.ts'
import { startRedisProcess } from '../redis-process.ts'
import { connect, describeWithRedis } from '../redis-server.ts'

const ROUNDS = 10
const CALLS = 30
const STORES = 3

const answer = (text: string): ConversationAnswer => ({
  parts: [{ type: 'text', id: 'p', text }],
  status: 'complete',
  at: 2,
})

describeWithRedis('the conversation store in a Redis that is killed while several processes write', () => {
  it(
    'has all that was acknowledged, in one order, and nothing twice when calls are repeated',
    { timeout: 120_000 },
    async () => {
      const redis = await startRedisProcess(['--appendonly', 'yes', '--appendfsync', 'always'])
      onTestFinished(() => redis.remove())
      const url = `redis://127.0.0.1:${redis.port}`
      const stores = await Promise.all(
        Array.from({ length: STORES }, async () =>
          redisConversationStore({ client: await connect(url), commandTimeoutMs: 60_000 }),
        ),
      )
      for (let round = 0; round < ROUNDS; round++) {
        const key = { owner: 'ann', id: `c${round}` }
        const begun: string[] = []
        const answered: string[] = []
        const killAt = 5 + round * 8
        let killing: Promise<void> | undefined
        const restart = async (): Promise<void> => {
          await redis.kill()
          await redis.start()
        }
        // Calls that Redis did not answer are made again, as the store does.
        const writing = stores.map(async (store, which) => {
          for (let at = 0; at < CALLS; at++) {
            const id = `${which}-${at}`
            await store.begin(key, { id, replaces: [], text: id, at: 1 }, `Title ${id}`)
            begun.push(id)
            if (begun.length >= killAt) killing ??= restart()
            await store.finish(key, id, answer(id))
            answered.push(id)
            if (at % 10 === 5) await store.rename(key, `Renamed ${id}`)
          }
        })
        await Promise.all(writing)
        await killing
        const turns = await stores[0]?.turns(key)
        const ids = turns?.map(({ id }) => id) ?? []
        expect(ids.toSorted()).toEqual(begun.toSorted())
        for (let which = 0; which < STORES; which++)
          expect(ids.filter((id) => id.startsWith(`${which}-`))).toEqual(
            Array.from({ length: CALLS }, (_, at) => `${which}-${at}`),
          )
        expect(turns?.map((turn) => turn.answer)).toEqual(ids.map(answer))
        expect(answered).toHaveLength(begun.length)
        const listed = await stores[1]?.list('ann', 100)
        expect(listed?.find(({ id }) => id === key.id)?.title).toMatch(/^Renamed /)
      }
      const gone = { owner: 'ann', id: 'c0' }
      await Promise.all(stores.flatMap((store) => [store.remove(gone), store.finish(gone, '0-0', answer('late'))]))
      expect(await stores[0]?.turns(gone)).toEqual([])
      expect((await stores[0]?.list('ann', 100))?.map(({ id }) => id)).not.toContain('c0')
    },
  )
})
