import { createClient } from 'redis'
import { expect, it, onTestFinished } from 'vitest'
import {
  redisEventLog,
  type RedisEventLog,
  type RedisEventLogOptions,
} from '../../../../src/server/event-log/redis/redis-event-log.ts'
import { eventLogCases } from '../../../../src/testing/event-log-cases.ts'
import { create, frame, never, readAll } from '../../event-log-contract.ts'
import { connect, describeWithRedis, startRedis, type RedisServer, type TestClient } from '../../redis-server.ts'

let server: RedisServer | undefined
let prefixes = 0

async function redis(): Promise<RedisServer> {
  server ??= await startRedis()
  return server
}

interface Opened {
  readonly log: RedisEventLog
  readonly client: TestClient
}

/** A separate log in the Redis of this file; the same prefix is the same log, seen from another process. */
async function open({
  prefix = `test-${++prefixes}:`,
  ...options
}: Partial<RedisEventLogOptions> = {}): Promise<Opened> {
  const client = await connect((await redis()).url)
  const log = redisEventLog({ client, prefix, ...options })
  onTestFinished(() => log.close())
  return { log, client }
}

const pass = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })

/** Ends one process as a crash would: nothing more goes out, and no timer. */
function crash({ log, client }: Opened): void {
  log.close()
  client.destroy()
}

describeWithRedis('a log of runs in Redis', () => {
  it.concurrent.each(eventLogCases)('$name', async ({ run }) =>
    run(async (limits) => {
      const url = (await redis()).url
      const prefix = `case-${++prefixes}:`
      const [ttlMs, leaseMs] = [2500, 1500]
      const opened: Opened[] = []
      const openLog = async (): Promise<RedisEventLog> => {
        // Ended by the case: tests that run at the same time end the clients of `connect`.
        const client = createClient({ url })
        await client.connect()
        const log = redisEventLog({ client, prefix, ttlMs, leaseMs, ...limits })
        opened.push({ log, client })
        return log
      }
      return {
        log: await openLog(),
        ttlMs,
        pass: (ms) => pass(ms + 20),
        async crash() {
          for (const { log } of opened) log.close()
          await pass(leaseMs + 20)
          return openLog()
        },
        close: () => opened.forEach(crash),
      }
    }),
  )
})

describeWithRedis('runs that end in the same millisecond', () => {
  it('are dropped in the order in which they ended', async () => {
    const { log } = await open({ prefix: 'order:', ttlMs: 60_000, maxBytes: 50 })
    const keys = Array.from({ length: 30 }, (_, index) => `run ${index}`)
    const runs = []
    for (const key of keys) {
      const { writer } = await create(log, key)
      await writer.append(frame('x'.repeat(20)))
      runs.push(writer)
    }
    await Promise.all(runs.map((writer) => writer.close()))
    const states = await Promise.all(keys.map(async (key) => (await log.find(key)).state))
    expect(states).toEqual(keys.map((_, index) => (index < 28 ? 'expired' : 'exists')))
  })
})

describeWithRedis('two processes over one Redis', () => {
  it('have one run between them, read from both', async () => {
    const [here, there] = [await open({ prefix: 'both:' }), await open({ prefix: 'both:' })]
    const { writer, reader } = await create(here.log, 'run')
    const begun = await there.log.begin('run')
    if (begun.state !== 'exists') throw new Error(`expected to find the run, got ${begun.state}`)
    const reading = Promise.all([readAll(reader), readAll(begun.reader)])
    for (const text of ['one', 'two', 'three']) await writer.append(frame(text))
    await writer.close()
    const [own, other] = await reading
    expect(own).toEqual(['one', 'two', 'three'].map(frame))
    expect(other).toEqual(own)
  })

  it('speak either version of the protocol', async () => {
    const old = createClient({ url: (await redis()).url, RESP: 2 })
    await old.connect()
    onTestFinished(() => old.destroy())
    const [here, there] = [await open({ prefix: 'either:' }), await open({ prefix: 'either:', client: old })]
    const { writer } = await create(here.log, 'run')
    const found = await there.log.find('run')
    if (found.state !== 'exists') throw new Error(`expected to find the run, got ${found.state}`)
    const reading = readAll(found.reader)
    for (const text of ['one', 'two']) await writer.append(frame(text))
    await writer.close()
    expect(await reading).toEqual(['one', 'two'].map(frame))
  })

  it('wait on one connection each, however many follow what the other writes', async () => {
    const [{ log, client }, there] = [await open({ prefix: 'follow:' }), await open({ prefix: 'follow:' })]
    const runs = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const { writer } = await create(log, `run ${index}`)
        const found = await there.log.find(`run ${index}`)
        if (found.state !== 'exists') throw new Error(`expected to find the run, got ${found.state}`)
        return { writer, reader: found.reader }
      }),
    )
    const reading = runs.flatMap(({ reader }) => [readAll(reader), readAll(reader)])
    await Promise.all(runs.map(async ({ writer }) => writer.append(frame('a'))))
    const connections = async (): Promise<number> =>
      (await client.sendCommand<string>(['CLIENT', 'LIST'])).split('\n').filter((line) => line.includes('cmd=xread'))
        .length
    await expect.poll(connections).toBe(1)
    await Promise.all(runs.map(async ({ writer }) => writer.close()))
    expect(await Promise.all(reading)).toEqual(Array.from({ length: 40 }, () => [frame('a')]))
  })

  it('notice that the other died: exactly one continues where it stopped, and the dead one can write no more', async () => {
    const leaseMs = 1000
    const [dead, ...living] = [
      await open({ prefix: 'dead:', leaseMs }),
      await open({ prefix: 'dead:', leaseMs }),
      await open({ prefix: 'dead:', leaseMs }),
    ]
    const { writer } = await create(dead.log, 'run')
    await writer.append(frame('one'))
    await writer.append(frame('two'))
    const found = await living[0].log.find('run')
    if (found.state !== 'exists') throw new Error(`expected to find the run, got ${found.state}`)
    expect((await found.reader.read(0, never)).end).toBe(2)
    expect(await living[0].log.adopt?.('run')).toBeUndefined()
    // It hangs without being gone: no beat, and its socket is still open.
    dead.log.close()
    expect(await found.reader.read(2, never)).toEqual({ entries: [], end: 2, closed: false, orphaned: true })
    const adopted = await Promise.all([...living, ...living].map(async ({ log }) => log.adopt?.('run')))
    const [taken, ...others] = adopted.filter((each) => each !== undefined)
    expect(others).toEqual([])
    expect(taken?.end).toBe(2)
    await taken?.writer.append(frame('three'))
    await expect(writer.append(frame('late'))).rejects.toMatchObject({ code: 'log_expired' })
    await taken?.writer.close()
    expect(await readAll(found.reader)).toEqual(['one', 'two', 'three'].map(frame))
  })

  it('take an orphaned run for an expired one where it may begin again, and tell those who followed it', async () => {
    const [dead, living] = [
      await open({ prefix: 'again:', leaseMs: 1000 }),
      await open({ prefix: 'again:', leaseMs: 1000 }),
    ]
    const { writer } = await create(dead.log, 'run')
    await writer.append(frame('old'))
    const found = await living.log.find('run')
    if (found.state !== 'exists') throw new Error(`expected to find the run, got ${found.state}`)
    expect((await living.log.begin('run', { restart: true })).state).toBe('exists')
    crash(dead)
    expect((await found.reader.read(1, never)).orphaned).toBe(true)
    const waiting = found.reader.read(1, never).catch((error: unknown) => error)
    const begun = await living.log.begin('run', { restart: true })
    if (begun.state !== 'created') throw new Error(`expected a new run, got ${begun.state}`)
    expect(await waiting).toSatisfy(
      (told: { code?: string; orphaned?: boolean }) => told.code === 'log_expired' || told.orphaned === true,
    )
    await expect(found.reader.read(1, never)).rejects.toMatchObject({ code: 'log_expired' })
    await begun.writer.append(frame('new'))
    await begun.writer.close()
    expect(await readAll(begun.reader)).toEqual([frame('new')])
  })

  it('leave nothing behind for ever', async () => {
    const { log, client } = await open({ prefix: 'left:', maxBytes: 1_000 })
    const { writer } = await create(log, 'run')
    await writer.append(frame('a'))
    const ages = async (): Promise<number[]> => {
      const keys = (await client.keys('left:*')).filter((key) => !key.startsWith('left:finished'))
      return Promise.all(keys.map(async (key) => client.pTTL(key)))
    }
    expect((await ages()).filter((ms) => ms > 0)).toHaveLength(2)
    await writer.close()
    expect((await ages()).filter((ms) => ms > 0)).toHaveLength(2)
    await log.expire('run')
    expect((await ages()).filter((ms) => ms > 0)).toHaveLength(2)
    expect(await client.get('left:finished-bytes')).toBe('0')
  })
})

describeWithRedis('a Redis that fails', () => {
  it('and comes back empty has lost its runs, and says so to writers and readers', async () => {
    const own = await startRedis()
    const client = await connect(own.url)
    const log = redisEventLog({ client, leaseMs: 1000 })
    onTestFinished(() => log.close())
    const { writer, reader } = await create(log, 'run')
    await writer.append(frame('a'))
    const waiting = reader.read(1, never).catch((error: unknown) => error)
    await own.restart()
    expect(await waiting).toMatchObject({ code: 'log_expired' })
    await expect(writer.append(frame('b'))).rejects.toMatchObject({ code: 'log_expired' })
    expect((await log.find('run')).state).toBe('unknown')
    const again = await create(log, 'run')
    await again.writer.append(frame('c'))
    await again.writer.close()
    expect(await readAll(again.reader)).toEqual([frame('c')])
  })

  it('for a moment only is waited for: the connection breaks and nothing is lost or doubled', async () => {
    const { log, client } = await open()
    const { writer, reader } = await create(log, 'run')
    const reading = readAll(reader)
    const killer = await connect((await redis()).url)
    for (let count = 0; count < 60; count++) {
      const writing = writer.append(frame(String(count)))
      if (count % 10 === 5) await killer.sendCommand(['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes'])
      await writing
    }
    await writer.close()
    expect((await reading).map((entry) => (entry.kind === 'frame' ? Number(entry.text) : -1))).toEqual(
      Array.from({ length: 60 }, (_, count) => count),
    )
    expect(client.isOpen).toBe(true)
  })

  it('and whose answer is lost on the way is asked again, and nothing happens twice', async () => {
    const client = await connect((await redis()).url)
    let lose = 0
    let lost = 0
    // Redis has carried the command out; the connection breaks before the reply is there.
    const sendCommand = async (args: readonly string[]): Promise<unknown> => {
      const reply = await client.sendCommand([...args])
      if (args[0] !== 'EVALSHA' || lose === 0) return reply
      lose -= 1
      lost += 1
      throw new Error('Socket closed unexpectedly')
    }
    const log = redisEventLog({ client: { sendCommand, duplicate: () => client.duplicate() }, prefix: 'lost:' })
    onTestFinished(() => log.close())
    lose = 1
    const { writer, reader } = await create(log, 'run')
    for (const text of ['one', 'two', 'three']) {
      lose = 1
      await writer.append(frame(text))
    }
    lose = 1
    await writer.close()
    expect(await readAll(reader)).toEqual(['one', 'two', 'three'].map(frame))
    expect(lost).toBe(5)
  })

  it('for long is an error that may pass, and no call waits for ever', async () => {
    const own = await startRedis()
    const client = await connect(own.url)
    const log = redisEventLog({ client, commandTimeoutMs: 1000 })
    onTestFinished(() => log.close())
    const { writer, reader } = await create(log, 'run')
    const waiting = reader.read(0, never).catch((error: unknown) => error)
    await own.stop()
    const away = { code: 'network_error', severity: 'TRANSIENT' }
    await expect(writer.append(frame('a'))).rejects.toMatchObject(away)
    await expect(log.begin('other')).rejects.toMatchObject(away)
    await expect(log.find('run')).rejects.toMatchObject(away)
    expect(await waiting).toMatchObject({ code: 'log_expired' })
  })

  it('ends the readers of this process when Redis accepts neither an entry nor the discard', async () => {
    const own = await startRedis()
    const client = await connect(own.url)
    const log = redisEventLog({ client, leaseMs: 600_000, commandTimeoutMs: 500 })
    onTestFinished(() => log.close())
    const { writer, reader } = await create(log, 'run')
    await writer.append(frame('kept'))
    await reader.read(0, never)
    const waiting = reader.read(1, never).catch((error: unknown) => error)
    // Writes are refused, as by a primary that lost its replicas; reads are not.
    await client.sendCommand(['CONFIG', 'SET', 'min-replicas-to-write', '1'])
    await expect(writer.append(frame('lost'))).rejects.toMatchObject({ severity: 'TRANSIENT' })
    await expect(writer.discard()).rejects.toMatchObject({ severity: 'TRANSIENT' })
    expect(await waiting).toMatchObject({ code: 'log_expired' })
    await client.sendCommand(['CONFIG', 'SET', 'min-replicas-to-write', '0'])
    await expect.poll(async () => (await log.find('run')).state).toBe('expired')
  })

  it('reports a key of another type as storage_corrupt', async () => {
    const { log, client } = await open({ prefix: 'foreign:' })
    await client.sendCommand(['SET', 'foreign:run:run', 'something else'])
    const wrongType = { code: 'storage_corrupt', severity: 'FATAL', message: expect.stringContaining('prefix') }
    await expect(log.begin('run')).rejects.toMatchObject(wrongType)
    await expect(log.find('run')).rejects.toMatchObject(wrongType)
  })

  it('by having no memory left says so, keeps what it has, and frees a run that can no longer end', async () => {
    const own = await startRedis()
    const client = await connect(own.url)
    const log = redisEventLog({ client, leaseMs: 1000 })
    onTestFinished(() => log.close())
    const finished = await create(log, 'finished')
    await finished.writer.append(frame('kept'))
    await finished.writer.close()
    const going = await create(log, 'going')
    await going.writer.append(frame('so far'))
    const waiting = going.reader.read(1, never).catch((error: unknown) => error)
    await client.sendCommand(['CONFIG', 'SET', 'maxmemory-policy', 'noeviction', 'maxmemory', '1'])
    const full = { code: 'storage_full', severity: 'TRANSIENT', message: expect.stringContaining('no memory') }
    await expect(log.begin('other')).rejects.toMatchObject(full)
    await expect(going.writer.append(frame('more'))).rejects.toMatchObject(full)
    await expect(going.writer.close()).rejects.toMatchObject(full)
    expect(await waiting).toMatchObject({ code: 'log_expired' })
    expect(await readAll(finished.reader)).toEqual([frame('kept')])
    // It ran, so it is not run again.
    expect((await log.find('going')).state).toBe('expired')
  })
})
