import { describe, expect, it } from 'vitest'
import { planOutages } from '../../outages/outage-plans.ts'
import { playOutage } from '../../outages/play-outage.ts'
import { readLate } from '../../outages/read-late.ts'
import { describeWithRedis } from '../../redis-server.ts'

// A few of those that `npm run test:outages` plays, in a tenth of the time.
describeWithRedis('an outage of Redis in the middle of an answer', () => {
  it.concurrent.each(planOutages({ count: 4, store: 'alone', hurry: 10 }))(
    '$kind for $ms ms, behind a $served: nobody takes a part for the whole',
    { timeout: 120_000 },
    async (outage) => {
      const report = await playOutage(outage)
      expect(report.broken).toEqual([])
      for (const verdict of [report.client, ...report.late])
        expect(verdict).toMatch(/^(?:whole|409|log_expired|(?:FATAL )?run_interrupted|truncated|log_unavailable)$/)
    },
  )

  it.concurrent.each(planOutages({ count: 2, store: 'sentinel', hurry: 5 }))(
    '$kind under Sentinel, behind a $served: nobody takes a part for the whole',
    { timeout: 120_000 },
    async (outage) => {
      expect((await playOutage(outage)).broken).toEqual([])
    },
  )

  it.concurrent.each(planOutages({ count: 3, store: 'cluster', hurry: 5 }))(
    '$kind, behind a $served: nobody takes a part for the whole',
    { timeout: 300_000 },
    async (outage) => {
      expect((await playOutage(outage)).broken).toEqual([])
    },
  )
})

describe('the judge of what is read later', () => {
  const whole = 'one two '
  const packet = (seq: number, op: string, p: unknown): string =>
    `data: ${JSON.stringify({ stream_id: 'a', seq, op, p })}\n\n`
  const judge = async (...packets: readonly string[]): Promise<string> =>
    (await readLate(async () => new Response(packets.join('')), '{}', whole)).verdict

  it('tells a sealed half from a whole answer and from one that ends in an error', async () => {
    const [one, two, close, fatal] = [
      packet(1, 'DELTA', 'one '),
      packet(2, 'DELTA', 'two '),
      packet(3, 'CLOSE', 'finished'),
      packet(2, 'ERROR', { code: 'run_interrupted' }),
    ]
    expect(await judge(one, two, close)).toBe('whole')
    expect(await judge(one, fatal, close)).toBe('FATAL run_interrupted')
    expect(await judge(one)).toBe('half')
    expect(await judge(one, close)).toBe('half')
    expect(await judge(one, two)).toBe('half')
    expect(await judge(packet(1, 'DELTA', 'three'), close)).toBe('wrong')
  })
})
