import { expect, it, onTestFinished } from 'vitest'
import { textOf } from '../../../src/index.ts'
import { redisEventLog, type RedisEventLog } from '../../../src/server/event-log/redis/redis-event-log.ts'
import type { Fetch } from '../../../src/wire/fetch-transport.ts'
import { cutPosts } from '../../support/cut-posts.ts'
import { connect, describeWithRedis, startRedis, type RedisServer } from '../redis-server.ts'
import { answerText, chatOn, serveAnswers, serveWire, WIRES, type WireName, PATIENTLY } from '../serve-wire.ts'
import { answerOf } from '../../support/answer-of.ts'

let redis: RedisServer | undefined

/** Two proxies as two processes have them, of which the first one gets what is posted. */
async function serveTwo(wire: WireName, upstream: Awaited<ReturnType<typeof serveAnswers>>): Promise<[string, string]> {
  redis ??= await startRedis()
  const prefix = `${crypto.randomUUID()}:`
  const { url } = redis
  const logs = await Promise.all([0, 1].map(async () => redisEventLog({ client: await connect(url), prefix })))
  onTestFinished(() => logs.forEach((log: RedisEventLog) => log.close()))
  const [first, second] = await Promise.all(logs.map((log) => serveWire(wire, upstream, { log })))
  return [first?.url ?? '', second?.url ?? '']
}

/** Posts go to the first, everything else to the second: as behind a load balancer. */
const balanced =
  ([first, second]: readonly [string, string], fetch: Fetch): Fetch =>
  (url, init) =>
    fetch(init.method === 'POST' && !url.endsWith('/stop') ? url : url.replace(first, second), init)

describeWithRedis.each(WIRES)('two proxies of wire %s over one Redis', (wire) => {
  it('resume exactly what the other one carries, with one POST', { timeout: 60_000 }, async () => {
    const upstream = await serveAnswers((res) => res.end(answerText(wire, 'Rivers ', 'meander', ' at last.')))
    const origins = await serveTwo(wire, upstream)
    for (let bytes = 0; bytes < 900; bytes += 90) {
      const chat = chatOn(wire, origins[0], balanced(origins, cutPosts(bytes, bytes % 180 === 0 ? 'reset' : 'end')))
      await chat.sendMessage('Go on.')
      expect([bytes, answerOf(chat).status, textOf(answerOf(chat))]).toEqual([
        bytes,
        'complete',
        'Rivers meander at last.',
      ])
      await chat.dispose()
    }
    expect(upstream.seen).toHaveLength(10)
  })

  it('stop what the other one carries', { timeout: 60_000 }, async () => {
    const body = answerText(wire, 'Rivers ', 'meander.')
    const upstream = await serveAnswers((res) => res.write(body.slice(0, body.indexOf('meander'))))
    const origins = await serveTwo(wire, upstream)
    const chat = chatOn(wire, origins[0], balanced(origins, fetch))
    const sent = chat.sendMessage('Go on.')
    await expect.poll(() => textOf(answerOf(chat)), PATIENTLY).toBe('Rivers ')
    await chat.stop()
    await sent
    await expect.poll(() => upstream.open, PATIENTLY).toBe(0)
    expect(answerOf(chat).status).toBe('stopped')
    await chat.dispose()
  })
})
