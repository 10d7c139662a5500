import { expect, it, onTestFinished } from 'vitest'
import type { LogReader } from '../../../../src/server/event-log/event-log.ts'
import { systemClock } from '../../../../src/base/ports/clock.ts'
import {
  redisEventLog,
  type RedisEventLog,
  type RedisEventLogOptions,
} from '../../../../src/server/event-log/redis/redis-event-log.ts'
import { create, frame, never, readAll } from '../../event-log-contract.ts'
import { connect, describeWithRedis, startRedis, type RedisServer, type TestClient } from '../../redis-server.ts'

let server: RedisServer | undefined
let prefixes = 0

const WAIT_LIMIT_MS = 10_000

type Link = 'good' | 'lost on the way' | 'lost on the way back' | 'only discarding fails'

interface Opened {
  readonly log: RedisEventLog
  readonly client: TestClient
  readonly prefix: string
  /** Says what becomes of every command from now on. */
  become(link: Link): void
}

/** A log over a connection that the test breaks and mends. */
async function open({
  prefix = `integrity-${++prefixes}:`,
  ...options
}: Partial<RedisEventLogOptions> = {}): Promise<Opened> {
  server ??= await startRedis()
  const client = await connect(server.url)
  let link: Link = 'good'
  let skew = 0
  const lose = (): Promise<never> => {
    // Nobody has to wait until the timeout of the log has ended.
    skew += WAIT_LIMIT_MS
    return Promise.reject(new Error('Socket closed unexpectedly'))
  }
  const sendCommand = async (args: readonly string[]): Promise<unknown> => {
    // A script that was never loaded could not be carried out.
    if (args[0] !== 'EVALSHA') return client.sendCommand([...args])
    // The script that discards is the one with three keys.
    if (link === 'lost on the way' || (link === 'only discarding fails' && args[2] === '3')) return lose()
    const reply = await client.sendCommand([...args])
    return link === 'lost on the way back' ? lose() : reply
  }
  const clock = { ...systemClock, now: () => systemClock.now() + skew }
  const log = redisEventLog({
    client: { sendCommand, duplicate: () => client.duplicate() },
    prefix,
    clock,
    commandTimeoutMs: WAIT_LIMIT_MS,
    leaseMs: 60_000,
    ...options,
  })
  onTestFinished(() => log.close())
  return { log, client, prefix, become: (next) => (link = next) }
}

/** Takes entries off the end of a stream, as a failover does that loses acknowledged writes. */
async function loseEnd({ client, prefix }: Opened, ...counters: readonly number[]): Promise<void> {
  const [stream = ''] = await client.keys(`${prefix}log:*`)
  await client.xDel(
    stream,
    counters.map((counter) => `${counter}-0`),
  )
  const left = await client.xRevRange(stream, '+', '-', { COUNT: 1 })
  await client.sendCommand(['XSETID', stream, left?.[0]?.id ?? '0-1'])
}

async function find(log: RedisEventLog): Promise<LogReader> {
  const found = await log.find('run')
  if (found.state !== 'exists') throw new Error(`expected to find the run, got ${found.state}`)
  return found.reader
}

const GONE = { code: 'log_expired', severity: 'FATAL' }
const AWAY = { code: 'network_error', severity: 'TRANSIENT' }

describeWithRedis('a log whose append failed', () => {
  it.each<Link>(['lost on the way', 'lost on the way back'])(
    'because commands were %s is discarded by close, and not closed as if it were whole',
    async (link) => {
      const opened = await open()
      const { log, become } = opened
      const { writer, reader } = await create(log, 'run')
      await writer.append(frame('one'))
      const waiting = reader.read(1, never).catch((error: unknown) => error)
      become(link)
      const failure: unknown = await writer.append(frame('two')).catch((error: unknown) => error)
      expect(failure).toMatchObject(AWAY)
      become('good')
      // What follows the hole is never written, and says why.
      await expect(writer.append(frame('three'))).rejects.toBe(failure)
      await expect(writer.close()).rejects.toBe(failure)
      const told = await waiting
      if (link === 'lost on the way') expect(told).toMatchObject(GONE)
      await expect(reader.read(0, never)).rejects.toMatchObject(GONE)
      expect((await log.find('run')).state).toBe('expired')
      expect((await log.begin('run')).state).toBe('expired')
      await writer.close()
      expect((await log.begin('run', { restart: true })).state).toBe('created')
    },
  )

  it('is neither closed nor kept alive when it cannot be discarded either, so that others find it orphaned', async () => {
    const { log, become, prefix } = await open({ leaseMs: 600 })
    const other = await open({ prefix, leaseMs: 600 })
    const { writer } = await create(log, 'run')
    await writer.append(frame('one'))
    const reader = await find(other.log)
    become('lost on the way')
    await expect(writer.append(frame('two'))).rejects.toMatchObject(AWAY)
    await expect(writer.close()).rejects.toMatchObject(AWAY)
    await expect(writer.discard()).rejects.toMatchObject(AWAY)
    // This process lives, but it must not say so.
    become('only discarding fails')
    expect(await reader.read(1, never)).toEqual({ entries: [], end: 1, closed: false, orphaned: true })
    const adopted = await other.log.adopt?.('run')
    // The late writer owns it no more, and throws nothing away.
    become('good')
    await writer.discard()
    await writer.close()
    await adopted?.writer.append(frame('ended by another'))
    await adopted?.writer.close()
    expect(await readAll(reader)).toEqual([frame('one'), frame('ended by another')])
  })

  it('is discarded as soon as Redis is back, when that could not be done before', async () => {
    const { log, become } = await open({ leaseMs: 3_600_000 })
    const { writer } = await create(log, 'run')
    become('lost on the way')
    await expect(writer.append(frame('one'))).rejects.toMatchObject(AWAY)
    await expect(writer.close()).rejects.toMatchObject(AWAY)
    expect((await log.find('run').catch(() => ({ state: 'away' }))).state).toBe('away')
    become('good')
    await expect.poll(async () => (await log.find('run')).state, { timeout: 20_000 }).toBe('expired')
  })

  it('harms no run that was begun again meanwhile', async () => {
    const { log, become } = await open()
    const { writer } = await create(log, 'run')
    become('lost on the way')
    await expect(writer.append(frame('one'))).rejects.toMatchObject(AWAY)
    become('good')
    await log.expire('run')
    const again = await log.begin('run', { restart: true })
    if (again.state !== 'created') throw new Error(`expected a new run, got ${again.state}`)
    await again.writer.append(frame('new'))
    await expect(writer.close()).rejects.toMatchObject(AWAY)
    await writer.discard()
    await again.writer.close()
    expect(await readAll(again.reader)).toEqual([frame('new')])
  })

  it('is discarded when it could not be closed', async () => {
    const { log, become } = await open()
    const { writer } = await create(log, 'run')
    await writer.append(frame('one'))
    const reader = await find(log)
    become('lost on the way')
    await expect(writer.close()).rejects.toMatchObject(AWAY)
    become('good')
    await expect(writer.close()).rejects.toMatchObject(AWAY)
    await expect(readAll(reader)).rejects.toMatchObject(GONE)
  })

  it('stays closed when it was closed and only the replies were lost', async () => {
    const { log, become } = await open()
    const { writer } = await create(log, 'run')
    await writer.append(frame('one'))
    become('lost on the way back')
    await expect(writer.close()).rejects.toMatchObject(AWAY)
    become('good')
    await writer.discard()
    expect(await readAll(await find(log))).toEqual([frame('one')])
  })

  it('keeps the order of appends that nobody waited for', async () => {
    const { log } = await open()
    const { writer, reader } = await create(log, 'run')
    const killer = await connect(server?.url ?? '')
    const writing = Array.from({ length: 40 }, async (_, count) => writer.append(frame(String(count))))
    await killer.sendCommand(['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes'])
    await Promise.all(writing)
    await writer.close()
    expect(await readAll(reader)).toEqual(Array.from({ length: 40 }, (_, count) => frame(String(count))))
  })
})

describeWithRedis('a log of which Redis lost the end', () => {
  const four = async (
    options: Partial<RedisEventLogOptions> = {},
  ): Promise<Opened & Awaited<ReturnType<typeof create>>> => {
    const opened = await open(options)
    const created = await create(opened.log, 'run')
    for (const text of ['one', 'two', 'three', 'four']) await created.writer.append(frame(text))
    return { ...opened, ...created }
  }

  it('takes no further entry, and tells writer and readers', async () => {
    const run = await four()
    const waiting = run.reader.read(4, never).catch((error: unknown) => error)
    await loseEnd(run, 4)
    await expect(run.writer.append(frame('five'))).rejects.toMatchObject(GONE)
    expect(await waiting).toMatchObject(GONE)
    expect((await run.log.find('run')).state).toBe('expired')
    await run.writer.close()
    expect((await run.log.find('run')).state).toBe('expired')
  })

  it('is not closed as if it were whole', async () => {
    const run = await four()
    await loseEnd(run, 3, 4)
    await expect(run.writer.close()).rejects.toMatchObject(GONE)
    await expect(run.reader.read(0, never)).rejects.toMatchObject(GONE)
  })

  it('is found out while the writer says nothing', async () => {
    const run = await four({ leaseMs: 300 })
    const waiting = run.reader.read(4, never).catch((error: unknown) => error)
    await loseEnd(run, 4)
    expect(await waiting).toMatchObject(GONE)
    await expect.poll(async () => (await run.log.find('run')).state, { timeout: 20_000 }).toBe('expired')
  })

  it('is gone for a reader who had read more, before anybody writes', async () => {
    const run = await four()
    await loseEnd(run, 3, 4)
    await expect(run.reader.read(4, never)).rejects.toMatchObject(GONE)
    expect((await (await find(run.log)).read(0, never)).entries).toEqual([frame('one'), frame('two')])
  })

  it('and that another wrote on is gone for a reader who had read what was lost, and whole for the others', async () => {
    const run = await four({ leaseMs: 400 })
    const ahead = await find(run.log)
    expect((await ahead.read(0, never)).end).toBe(4)
    run.log.close()
    await loseEnd(run, 3, 4)
    const other = await open({ prefix: run.prefix, leaseMs: 900 })
    // The reader waits until the lease is out.
    expect((await (await find(other.log)).read(2, never)).orphaned).toBe(true)
    const adopted = await other.log.adopt?.('run')
    if (adopted === undefined) throw new Error('expected to adopt the run')
    expect(adopted.end).toBe(2)
    for (const text of ['three again', 'four again', 'five again']) await adopted.writer.append(frame(text))
    await expect(ahead.read(4, never)).rejects.toMatchObject(GONE)
    await adopted.writer.close()
    expect(await readAll(await find(other.log))).toEqual(
      ['one', 'two', 'three again', 'four again', 'five again'].map(frame),
    )
  })

  it('or its middle is never read over the hole', async () => {
    const run = await four()
    await run.writer.close()
    await loseEnd(run, 2)
    await expect(readAll(run.reader)).rejects.toMatchObject(GONE)
    // Nor by one who comes right before it.
    await expect(run.reader.read(1, never)).rejects.toMatchObject(GONE)
  })
})

describeWithRedis('a reader in Redis that is behind', () => {
  it('gets a bounded part at a time, and all of it in the end', async () => {
    const { log } = await open()
    const { writer, reader } = await create(log, 'run')
    const entries = Array.from({ length: 60 }, (_, index) => frame(`${index} ${'x'.repeat(20_000)}`))
    for (const entry of entries) await writer.append(entry)
    await writer.close()
    const first = await reader.read(0, never)
    expect(first.entries.length).toBeLessThan(10)
    expect(await readAll(reader)).toEqual(entries)
  })
})

describeWithRedis('a Redis that refuses', () => {
  it.each([
    ['ERR unknown command', { code: 'app_error', severity: 'FATAL' }],
    ['NOPERM this user has no permissions', { code: 'storage_unavailable', severity: 'TRANSIENT' }],
    ['MISCONF Redis is configured to save RDB snapshots', { code: 'storage_unavailable', severity: 'TRANSIENT' }],
    [
      'ERR Error running script (call to f_1): @user_script:2: -MISCONF Redis is configured to save RDB snapshots',
      { code: 'storage_unavailable', severity: 'TRANSIENT' },
    ],
  ])('a script is a typed error: %s', async (words, error) => {
    const { client, prefix } = await open()
    const refusing = redisEventLog({
      client: {
        sendCommand: async () => Promise.reject(new Error(words)),
        duplicate: () => client.duplicate(),
      },
      prefix,
    })
    await expect(refusing.begin('run')).rejects.toMatchObject(error)
  })

  it('to write for longer than a call waits is not a Redis that cannot be reached', async () => {
    const { client, prefix } = await open()
    const refusing = redisEventLog({
      client: {
        sendCommand: async () => Promise.reject(new Error('NOREPLICAS Not enough good replicas to write.')),
        duplicate: () => client.duplicate(),
      },
      prefix,
      commandTimeoutMs: 30,
    })
    await expect(refusing.begin('run')).rejects.toMatchObject({ code: 'storage_unavailable', severity: 'TRANSIENT' })
  })

  it.each([
    'NOREPLICAS Not enough good replicas to write.',
    'ERR Error running script (call to f_1): @user_script:2: -READONLY You cannot write against a read only replica.',
  ])('for the moment is asked again: %s', async (words) => {
    const { client, prefix } = await open()
    let refusals = 2
    const sendCommand = async (args: readonly string[]): Promise<unknown> => {
      if (args[0] === 'EVALSHA' && refusals-- > 0) throw new Error(words)
      return client.sendCommand([...args])
    }
    const log = redisEventLog({ client: { sendCommand, duplicate: () => client.duplicate() }, prefix })
    onTestFinished(() => log.close())
    expect((await log.begin('run')).state).toBe('created')
    expect(refusals).toBe(-1)
  })
})
