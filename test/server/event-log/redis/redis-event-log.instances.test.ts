import { expect, it, onTestFinished } from 'vitest'
import { CapClient } from '../../../../src/protocols/cap/client/cap-client.ts'
import { createAgentHandler } from '../../../../src/server/handler/agent-handler.ts'
import type { AgentHandlerOptions } from '../../../../src/server/handler/agent-handler.ts'
import { toNodeListener } from '../../../../src/server/platforms/node-listener.ts'
import { redisEventLog, type RedisEventLogOptions } from '../../../../src/server/event-log/redis/redis-event-log.ts'
import { allPackets, collect, packetsOf, post, REQUEST_ID, serve, textOf } from '../../peer.ts'
import { startInstance, type Instance } from '../../instance-process.ts'
import { createGate, serveAgent } from '../../serve-agent.ts'
import { connect, describeWithRedis, startRedis, type RedisServer } from '../../redis-server.ts'
import { systemClock } from '../../../../src/base/ports/clock.ts'

const WORDS = Array.from({ length: 40 }, (_, word) => `word${word} `)
const WHOLE = WORDS.join('')

let shared: RedisServer | undefined

async function instances(count: number, env: Readonly<Record<string, string>> = {}): Promise<Instance[]> {
  shared ??= await startRedis()
  const prefix = `${crypto.randomUUID()}:`
  const url = shared.url
  return Promise.all(
    Array.from({ length: count }, async () => startInstance({ REDIS_URL: url, PREFIX: prefix, ...env })),
  )
}

interface Balanced {
  readonly client: CapClient
  /** From now on requests go there. */
  turnTo(instance: Instance): void
}

/** A client in front of a load balancer. */
function balanced(first: Instance): Balanced {
  let { origin } = first
  const client = new CapClient({
    baseUrl: 'http://agent.example',
    maxRetries: 8,
    fetch: (url, init) => fetch(url.replace('http://agent.example', origin), init),
  })
  return {
    client,
    turnTo(instance) {
      ;({ origin } = instance)
    },
  }
}

/** Reads a chat, and does something once so many words have come. */
async function readChat(
  client: CapClient,
  words: number,
  then: () => Promise<void>,
): Promise<{ text: string; error: unknown }> {
  let text = ''
  let heard = 0
  try {
    for await (const delta of client.chat('Why?')) {
      text += delta
      heard += 1
      if (heard === words) await then()
    }
  } catch (error) {
    return { text, error }
  }
  return { text, error: undefined }
}

describeWithRedis('two instances behind a load balancer, one of which is killed', () => {
  it('lose nothing when it only carried the connection: the client continues at the other, word for word', async () => {
    const [runs, follows] = await instances(2)
    if (!runs || !follows) throw new Error('two instances were asked for')
    const requestId = crypto.randomUUID()
    // The agent works in one, and the client listens at the other.
    const owner = await post(`${runs.origin}/assist`, { requestId })
    const connection = packetsOf(await post(`${follows.origin}/assist`, { requestId }))
    const heard = []
    while (heard.length < 8) heard.push((await connection.next()).value)
    await follows.kill()
    await expect(connection.next().then(async () => collect(connection))).rejects.toThrow(/terminated|abort/)
    const again = await allPackets(
      await post(`${runs.origin}/assist`, { requestId, headers: { 'last-event-id': heard[0]?.stream_id ?? '' } }),
    )
    expect(again.slice(0, 8)).toEqual(heard)
    expect(textOf(again)).toBe(WHOLE)
    expect(await allPackets(owner)).toEqual(again)
  })

  it('lose nothing when it carried an upstream run: the other takes it up where it was', async () => {
    const half = createGate()
    let runs = 0
    const agent = await serveAgent(
      async function* () {
        runs += 1
        yield* WORDS.slice(0, 20)
        await half.opened
        yield* WORDS.slice(20)
      },
      { clock: systemClock },
    )
    const [first, second] = await instances(2, { UPSTREAM: agent.origin })
    if (!first || !second) throw new Error('two instances were asked for')
    const { client, turnTo } = balanced(first)
    const { text, error } = await readChat(client, 10, async () => {
      await first.kill()
      turnTo(second)
      half.open()
    })
    expect(error).toBeUndefined()
    expect(text).toBe(WHOLE)
    expect(runs).toBe(1)
  })

  it('end an answer whose agent died with it in a typed error, the same for everybody, and run nothing twice', async () => {
    const [first, second] = await instances(2)
    if (!first || !second) throw new Error('two instances were asked for')
    const { client, turnTo } = balanced(first)
    let requestId = ''
    const { text, error } = await readChat(
      Object.assign(client, {
        createRequest: async (input: Parameters<CapClient['createRequest']>[0]) => {
          requestId = input.requestId
          return CapClient.prototype.createRequest.call(client, input)
        },
      }),
      10,
      async () => {
        await first.kill()
        turnTo(second)
      },
    )
    expect(text.length).toBeGreaterThan(0)
    expect(WHOLE.startsWith(text)).toBe(true)
    expect(error).toMatchObject({ kind: 'runtime', severity: 'FATAL', agentCode: 'run_interrupted' })
    const later = await Promise.all(
      [1, 2].map(async () => allPackets(await post(`${second.origin}/assist`, { requestId }))),
    )
    expect(textOf(later[0] ?? [])).toBe(text)
    expect(later[0]?.map(({ seq }) => seq)).toEqual(later[0]?.map((_, index) => index + 1))
    expect(later[0]?.slice(-2).map(({ op }) => op)).toEqual(['ERROR', 'CLOSE'])
    expect(later[1]).toEqual(later[0])
  })

  it('begin the answer again, under a new stream id, where the agent may run twice', async () => {
    const [first, second] = await instances(2, { ON_EXPIRED: 'restart' })
    if (!first || !second) throw new Error('two instances were asked for')
    const { client, turnTo } = balanced(first)
    const streams = new Map<string, string>()
    const events: string[] = []
    for await (const packet of client.assist(
      await client.createRequest({ text: 'Why?', conversationId: crypto.randomUUID(), requestId: crypto.randomUUID() }),
    )) {
      const id = packet.stream_id ?? ''
      if (!streams.has(id)) events.push('begins')
      if (packet.op === 'DELTA') streams.set(id, (streams.get(id) ?? '') + packet.p)
      if (packet.op === 'DELTA' && packet.seq === 10 && streams.size === 1) {
        await first.kill()
        turnTo(second)
      }
    }
    expect(events).toEqual(['begins', 'begins'])
    expect([...streams.values()].at(-1)).toBe(WHOLE)
  })
})

interface Served {
  readonly url: string
  readonly errors: readonly unknown[]
}

async function serveOverRedis(
  redis: RedisServer,
  agent: AgentHandlerOptions['agent'],
  options: Partial<AgentHandlerOptions & RedisEventLogOptions> = {},
): Promise<Served> {
  const log = redisEventLog({
    client: await connect(redis.url),
    prefix: `${crypto.randomUUID()}:`,
    leaseMs: 1000,
    ...options,
  })
  onTestFinished(() => log.close())
  const errors: unknown[] = []
  const handler = createAgentHandler({
    agent,
    log,
    onError: (error) => errors.push(error),
    onExpired: options.onExpired,
  })
  return { url: `${await serve(toNodeListener(handler))}/assist`, errors }
}

describeWithRedis('a server whose Redis fails', () => {
  const halves = (half: { opened: Promise<void> }): AgentHandlerOptions['agent'] =>
    async function* () {
      yield 'first half'
      await half.opened
      yield ', second half'
    }

  it('tells a client that Redis was restarted under: the record is gone, and nothing is run again', async () => {
    const redis = await startRedis()
    const half = createGate()
    const { url, errors } = await serveOverRedis(redis, halves(half))
    const packets = packetsOf(await post(url))
    const first = await packets.next()
    await redis.restart()
    half.open()
    await expect(packets.next().then(async () => collect(packets))).rejects.toThrow(/terminated|abort/)
    const again = await post(url, { headers: { 'last-event-id': first.value?.stream_id ?? '' } })
    expect([again.status, await again.json()]).toMatchObject([409, { code: 'log_expired', severity: 'FATAL' }])
    await expect.poll(() => errors).toMatchObject([{ code: 'log_expired' }])
  })

  it('or begins again, where it may', async () => {
    const redis = await startRedis()
    let runs = 0
    const half = createGate()
    const { url } = await serveOverRedis(
      redis,
      async function* () {
        runs += 1
        yield 'first half'
        if (runs === 1) await half.opened
        yield ', second half'
      },
      { onExpired: 'restart' },
    )
    const packets = packetsOf(await post(url))
    const first = await packets.next()
    await redis.restart()
    half.open()
    await expect(packets.next().then(async () => collect(packets))).rejects.toThrow(/terminated|abort/)
    const again = await allPackets(await post(url, { headers: { 'last-event-id': first.value?.stream_id ?? '' } }))
    expect(textOf(again)).toBe('first half, second half')
    expect(again[0]?.stream_id).not.toBe(first.value?.stream_id)
  })

  it('that is full refuses new questions for a while, ends what it cannot keep, and recovers', async () => {
    const redis = await startRedis()
    const admin = await connect(redis.url)
    const half = createGate()
    const { url } = await serveOverRedis(redis, halves(half))
    const packets = packetsOf(await post(url))
    const first = await packets.next()
    await admin.sendCommand(['CONFIG', 'SET', 'maxmemory-policy', 'noeviction', 'maxmemory', '1'])
    const refused = await post(url, { requestId: crypto.randomUUID() })
    expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toMatchObject([
      503,
      '5',
      { code: 'log_unavailable' },
    ])
    half.open()
    await expect(packets.next().then(async () => collect(packets))).rejects.toThrow(/terminated|abort/)
    const again = await post(url, { headers: { 'last-event-id': first.value?.stream_id ?? '' } })
    expect([again.status, await again.json()]).toMatchObject([409, { code: 'log_expired' }])
    await admin.sendCommand(['CONFIG', 'SET', 'maxmemory', '0'])
    expect(textOf(await allPackets(await post(url, { requestId: crypto.randomUUID() })))).toBe(
      'first half, second half',
    )
    // It had begun, so it is not begun again.
    expect((await post(url, { requestId: REQUEST_ID })).status).toBe(409)
  })

  it('and one that stays away is a failure that may pass', async () => {
    const redis = await startRedis()
    const { url } = await serveOverRedis(redis, halves(createGate()), { commandTimeoutMs: 100 })
    await redis.stop()
    const response = await post(url)
    expect([response.status, await response.json()]).toMatchObject([503, { code: 'log_unavailable' }])
  })

  it('keeps finished answers for their time: 409 after that, or another run under a new stream id', async () => {
    const redis = await startRedis()
    const whole: AgentHandlerOptions['agent'] = async function* () {
      yield 'once'
    }
    const strict = await serveOverRedis(redis, whole, { ttlMs: 100 })
    const [packet] = await allPackets(await post(strict.url))
    await expect.poll(async () => (await post(strict.url)).status).toBe(409)
    expect((await post(strict.url, { headers: { 'last-event-id': packet?.stream_id ?? '' } })).status).toBe(409)
    const lenient = await serveOverRedis(redis, whole, { ttlMs: 100, onExpired: 'restart' })
    const [before] = await allPackets(await post(lenient.url))
    await expect.poll(async () => (await allPackets(await post(lenient.url)))[0]?.stream_id).not.toBe(before?.stream_id)
  })
})
