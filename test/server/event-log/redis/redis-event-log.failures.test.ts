import { readFileSync, rmSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { redisEventLog } from '../../../../src/server/event-log/redis/redis-event-log.ts'
import { LONGEST_SILENCE_MS, LOST, meetStoreFailure, type Seen } from '../../outages/meet-store-failure.ts'
import { startRedisProcess, type RedisProcess } from '../../redis-process.ts'
import { ROOT } from '../../../layers/files.ts'
import { startWithSentinel } from '../../outages/redis-topology.ts'
import { connect, describeWithRedis, type TestClient } from '../../redis-server.ts'

interface Failing {
  readonly redis: RedisProcess
  /** Of the operator: it may do anything. */
  readonly client: TestClient
  /** The one of the log. */
  readonly own: TestClient
}

const AOF = ['--appendonly', 'yes', '--appendfsync', 'always']

/** The store works and has forgotten the run. */
const FORGOTTEN: Partial<Seen> = { next: '200', operator: ['log_expired'] }
const WHOLE: Omit<Seen, 'longestSilenceMs'> = {
  agent: 'finished',
  reader: 'complete after "one two three"',
  reconnect: '200',
  next: '200',
  repaired: '200',
  operator: [],
}

const FAILURES: readonly {
  readonly failure: string
  readonly options?: readonly string[]
  readonly isQuiet?: boolean
  readonly seen: Partial<Seen>
  fail(failing: Failing): Promise<void>
  repair?(failing: Failing): Promise<void>
}[] = [
  {
    failure: 'no memory left',
    seen: { operator: ['storage_full'] },
    async fail({ client }) {
      await client.configSet({ 'maxmemory-policy': 'noeviction', maxmemory: '1' })
    },
    async repair({ client }) {
      await client.configSet('maxmemory', '0')
    },
  },
  { failure: 'log evicted', seen: FORGOTTEN, fail: evictLog },
  { failure: 'log evicted, agent silent', isQuiet: true, seen: FORGOTTEN, fail: evictLog },
  {
    failure: 'restarted empty',
    seen: FORGOTTEN,
    fail: restart,
  },
  {
    failure: 'restarted with every command',
    options: AOF,
    seen: WHOLE,
    fail: restart,
  },
  {
    failure: 'hangs',
    seen: { reconnect: '503 log_unavailable', operator: ['network_error'] },
    async fail({ redis }) {
      redis.hang()
    },
    async repair({ redis }) {
      redis.resume()
    },
  },
  {
    failure: 'killed',
    seen: { reconnect: '503 log_unavailable', operator: ['network_error'] },
    fail: ({ redis }) => redis.kill(),
    repair: ({ redis }) => redis.start(),
  },
  {
    failure: 'lost rights',
    seen: { reconnect: '503 log_unavailable', operator: ['storage_unavailable', 'log_expired'] },
    async fail({ client }) {
      await client.sendCommand(['ACL', 'SETUSER', 'default', '-evalsha'])
    },
    async repair({ client }) {
      await client.sendCommand(['ACL', 'SETUSER', 'default', '+evalsha'])
    },
  },
  {
    failure: 'its disk fails',
    seen: { operator: ['storage_unavailable', 'log_expired'] },
    options: ['--save', '3600 1', '--stop-writes-on-bgsave-error', 'yes'],
    async fail({ redis, client }) {
      rmSync(redis.folder, { recursive: true })
      await client.sendCommand(['BGSAVE'])
      while (!(await client.info('persistence')).includes('rdb_last_bgsave_status:err')) await pause()
    },
    async repair({ client }) {
      await client.configSet('stop-writes-on-bgsave-error', 'no')
    },
  },
  {
    failure: 'another type under its key',
    seen: {
      reconnect: '500 internal_error',
      next: '200',
      repaired: '500 internal_error',
      operator: ['storage_corrupt'],
    },
    async fail({ client }) {
      for (const key of await client.keys('capstan:run:*')) await client.set(key, 'x')
    },
  },
]

const pause = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, 20)
  })

async function restart({ redis, own }: Failing): Promise<void> {
  await redis.kill()
  await redis.start()
  await own.info()
}

/** Writes other values until Redis forgets the log. */
async function evictLog({ client }: Failing): Promise<void> {
  const used = Number(/used_memory:(\d+)/.exec(await client.info('memory'))?.[1])
  await client.configSet({ 'maxmemory-policy': 'allkeys-lru', maxmemory: String(used + 500_000) })
  for (let at = 0; (await client.keys('capstan:log:*')).length > 0; at++)
    await client.set(`other:${at}`, 'x'.repeat(20_000))
  await client.configSet('maxmemory', '0')
}

describeWithRedis('Redis that fails in the middle of an answer', () => {
  it.each(FAILURES)('$failure', async ({ failure, options = [], fail, repair, isQuiet = false, seen: expected }) => {
    const redis = await startRedisProcess(options)
    onTestFinished(() => redis.remove())
    const url = `redis://127.0.0.1:${redis.port}`
    const [client, own] = [await connect(url), await connect(url)]
    const { longestSilenceMs, ...seen } = await meetStoreFailure({
      open(clock) {
        const log = redisEventLog({ client: own, clock })
        onTestFinished(() => log.close())
        return log
      },
      fail: () => fail({ redis, client, own }),
      isQuiet,
      ...(repair !== undefined && { repair: () => repair({ redis, client, own }) }),
    })
    expect(readFileSync(`${ROOT}docs/server.md`, 'utf8')).toContain(`| Redis: ${failure} |`)
    expect(seen).toEqual({ ...LOST, ...expected })
    expect(longestSilenceMs).toBeLessThanOrEqual(LONGEST_SILENCE_MS)
  })

  it('failed over by Sentinel: the answer is whole, or ends as one that was lost', { timeout: 120_000 }, async () => {
    const redis = await startWithSentinel()
    onTestFinished(() => redis.remove())
    const { client, destroy } = await redis.connect()
    onTestFinished(() => destroy())
    const { longestSilenceMs, ...seen } = await meetStoreFailure({
      open(clock) {
        const log = redisEventLog({ client, clock })
        onTestFinished(() => log.close())
        return log
      },
      fail: () => redis.failover(),
    })
    expect([seen.reader, seen.repaired]).toEqual(
      seen.agent === 'finished' ? [WHOLE.reader, '200'] : [LOST.reader, LOST.repaired],
    )
    expect(longestSilenceMs).toBeLessThanOrEqual(LONGEST_SILENCE_MS)
  })
})
