import { describe, expect, it } from 'vitest'
import type { RedisClient } from '../../../../src/server/event-log/redis/redis-client.ts'
import { createRedisTail } from '../../../../src/server/event-log/redis/redis-tail.ts'
import { createManualClock, type ManualClock } from '../../../support/manual-clock.ts'

interface ScriptedRedis {
  readonly client: RedisClient
  /** What XREAD was asked, each time. */
  readonly asked: string[]
  readonly unblocked: number
  /** Answers the XREAD that waits: entries with these counters, by stream. */
  answer(streams: Readonly<Record<string, readonly number[]>> | null): void
}

/** A connection whose every answer the test gives. */
function scriptedRedis(): ScriptedRedis {
  const asked: string[] = []
  let unblocked = 0
  let reply = (_value: unknown): void => {}
  const sendCommand = async (args: readonly string[]): Promise<unknown> => {
    if (args[0] === 'XREAD') {
      asked.push(args.slice(args.indexOf('STREAMS') + 1).join(' '))
      return new Promise((resolve) => {
        reply = resolve
      })
    }
    if (args[1] === 'UNBLOCK') {
      unblocked += 1
      return 1
    }
    return 7
  }
  return {
    client: {
      sendCommand,
      duplicate: () => ({ connect: async () => {}, on: () => {}, destroy: () => {}, sendCommand }),
    },
    asked,
    get unblocked() {
      return unblocked
    },
    answer: (streams) =>
      reply(
        streams &&
          Object.fromEntries(
            Object.entries(streams).map(([name, counters]) => [
              name,
              counters.map((counter) => [`${counter}-0`, ['k', 'f', 't', String(counter)]]),
            ]),
          ),
      ),
  }
}

const run = (id: string): { id: string; hash: string; stream: string } => ({ id, hash: `hash ${id}`, stream: id })
const never = new AbortController().signal

function tailOf(
  redis: ScriptedRedis,
  clock: ManualClock,
  states: readonly string[] = [],
): ReturnType<typeof createRedisTail> {
  return createRedisTail({
    client: redis.client,
    commands: { run: async () => [...states] },
    clock,
    lookMs: 5_000,
    commandTimeoutMs: 5_000,
  })
}

describe('followers who share one connection', () => {
  it('are asked for together, from the place of the one who is furthest back', async () => {
    const [redis, clock] = [scriptedRedis(), createManualClock()]
    const tail = tailOf(redis, clock)
    const waiting = Promise.all([
      tail.wait(run('a'), 4, never),
      tail.wait(run('a'), 2, never),
      tail.wait(run('b'), 0, never),
    ])
    await clock.advance(0)
    expect(redis.asked).toEqual(['a b 2-1 0-1'])
    redis.answer({ a: [3, 4, 5], b: [1] })
    const told = await waiting
    expect(told.map((items) => (typeof items === 'string' ? items : items.map(({ counter }) => counter)))).toEqual([
      [5],
      [3, 4, 5],
      [1],
    ])
  })

  it('miss nothing when one comes from further back while the others wait', async () => {
    const [redis, clock] = [scriptedRedis(), createManualClock()]
    const tail = tailOf(redis, clock)
    const ahead = tail.wait(run('a'), 8, never)
    await clock.advance(0)
    const behind = tail.wait(run('a'), 7, never)
    await clock.advance(0)
    expect(redis.unblocked).toBe(1)
    // The wait ended by itself before it could be ended.
    redis.answer({ a: [9] })
    expect(await ahead).toMatchObject([{ counter: 9 }])
    await clock.advance(1)
    expect(redis.asked).toEqual(['a 8-1', 'a 7-1'])
    redis.answer({ a: [8, 9] })
    expect(await behind).toMatchObject([{ counter: 8 }, { counter: 9 }])
  })

  it('do not wake the connection for one who is covered by what is asked already', async () => {
    const [redis, clock] = [scriptedRedis(), createManualClock()]
    const tail = tailOf(redis, clock)
    const first = tail.wait(run('a'), 3, never)
    await clock.advance(0)
    const second = tail.wait(run('a'), 3, never)
    await clock.advance(0)
    redis.answer({ a: [4] })
    expect(await first).toEqual(await second)
    expect([redis.unblocked, redis.asked.length]).toEqual([0, 1])
  })

  it('are told about runs that are gone or orphaned, though nothing came', async () => {
    const [redis, clock] = [scriptedRedis(), createManualClock()]
    const tail = tailOf(redis, clock, ['gone', 'orphaned'])
    const waiting = Promise.all([tail.wait(run('a'), 0, never), tail.wait(run('b'), 0, never)])
    await clock.advance(5_000)
    redis.answer(null)
    expect(await waiting).toEqual(['gone', 'orphaned'])
  })

  it('leave nothing running when they have all gone', async () => {
    const [redis, clock] = [scriptedRedis(), createManualClock()]
    const tail = tailOf(redis, clock)
    const left = new AbortController()
    const waiting = tail.wait(run('a'), 0, left.signal).catch((error: unknown) => error)
    await clock.advance(0)
    left.abort(new Error('gone'))
    expect(await waiting).toMatchObject({ message: 'gone' })
    redis.answer(null)
    await clock.advance(1)
    expect([clock.pending, redis.asked.length]).toEqual([0, 1])
  })
})
