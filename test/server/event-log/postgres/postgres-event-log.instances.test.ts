import type { Pool } from 'pg'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { sqlConversationStore } from '../../../../src/server/conversation/sql-conversation-store.ts'
import {
  postgresEventLog,
  type PostgresEventLog,
  type PostgresEventLogOptions,
} from '../../../../src/server/event-log/postgres/postgres-event-log.ts'
import type { PostgresClient, PostgresPool } from '../../../../src/server/event-log/postgres/postgres-queries.ts'
import type { RunCommand } from '../../../../src/server/event-log/event-log.ts'
import { conversationStoreCases } from '../../../../src/testing/conversation-store-cases.ts'
import { create, frame, never, readAll } from '../../event-log-contract.ts'
import { openPool } from '../../postgres-pool.ts'
import { postgresFolder, type PostgresProcess } from '../../postgres-process.ts'
import { createSchema, describeWithPostgres, startPostgres } from '../../postgres-server.ts'

let server: PostgresProcess

beforeAll(async () => {
  if (postgresFolder !== undefined) server = await startPostgres()
})

/** A separate log; in the same schema it is the same log, seen from another process. */
function open(
  schema: string,
  options: PostgresEventLogOptions = {},
  wrap: (pool: Pool) => PostgresPool = (pool) => pool,
): { readonly log: PostgresEventLog; readonly pool: Pool } {
  const pool = openPool(server.url(schema))
  const log = postgresEventLog(wrap(pool), options)
  onTestFinished(async () => {
    log.close()
    await pool.end()
  })
  return { log, pool }
}

async function readerOf(log: PostgresEventLog, key: string) {
  const found = await log.find(key)
  if (found.state !== 'exists') throw new Error(`expected to find the run, got ${found.state}`)
  return found.reader
}

/** A pool that passes on what its clients do, but for their queries. */
function withQueries(
  pool: Pool,
  query: (client: PostgresClient, text: string, values: readonly unknown[]) => ReturnType<PostgresClient['query']>,
): PostgresPool {
  const wrapped = new Map<PostgresClient, PostgresClient>()
  return {
    on: (event, listener) => pool.on(event, listener),
    async connect() {
      const client: PostgresClient = await pool.connect()
      const known = wrapped.get(client)
      if (known !== undefined) return known
      const wrapper: PostgresClient = {
        query: (text, values = []) => query(client, text, values),
        // Overloads of one method.
        on: (event: never, listener: never) => client.on(event, listener),
        release: (destroy) => client.release(destroy),
      }
      wrapped.set(client, wrapper)
      return wrapper
    },
  }
}

describeWithPostgres('two processes over one Postgres', () => {
  it('have one run between them, which both follow while it is written', async () => {
    const schema = await createSchema(server)
    const [here, there] = [open(schema), open(schema)]
    const { writer, reader } = await create(here.log, 'run')
    const reading = Promise.all([readAll(reader), readAll(await readerOf(there.log, 'run'))])
    const texts = Array.from({ length: 200 }, (_, at) => `text ${at}`)
    for (const text of texts) await writer.append(frame(text))
    await writer.close()
    for (const entries of await reading) expect(entries).toEqual(texts.map(frame))
  })

  it('send commands of any length to the process that writes, and bring its reply back', async () => {
    const schema = await createSchema(server)
    const [here, there] = [open(schema), open(schema)]
    const { writer } = await create(here.log, 'run')
    const received: RunCommand[] = []
    writer.onCommand?.(async (command) => {
      received.push(command)
      return { result: 'accepted' }
    })
    const command = { name: 'say', messageId: 'm', text: 'x'.repeat(100_000) } as const
    expect(await there.log.command?.('run', command)).toEqual({ state: 'replied', reply: { result: 'accepted' } })
    expect(received).toEqual([command])
  })

  it('poll where notifications do not arrive, as behind a pooler that shares connections', async () => {
    const schema = await createSchema(server)
    const here = open(schema)
    const there = open(schema, {}, (pool) =>
      withQueries(pool, (client, text, values) =>
        text.startsWith('LISTEN') ? Promise.resolve({ rows: [] }) : client.query(text, values),
      ),
    )
    const { writer } = await create(here.log, 'run')
    const reading = readAll(await readerOf(there.log, 'run'))
    for (const text of ['one', 'two', 'three']) {
      await writer.append(frame(text))
      await new Promise((resolve) => {
        setTimeout(resolve, 50)
      })
    }
    await writer.close()
    expect(await reading).toEqual(['one', 'two', 'three'].map(frame))
  })

  it('follow on after the connection that listens was ended', async () => {
    const schema = await createSchema(server)
    const [here, there] = [open(schema), open(schema)]
    const { writer } = await create(here.log, 'run')
    const reader = await readerOf(there.log, 'run')
    const first = reader.read(0, never)
    const listening = "FROM pg_stat_activity WHERE query LIKE '%pg_notify($1, $2)%' AND pid <> pg_backend_pid()"
    await expect.poll(async () => (await server.execute(`SELECT pid ${listening}`)).length).toBeGreaterThan(0)
    await writer.append(frame('one'))
    expect((await first).entries).toEqual([frame('one')])
    const next = reader.read(1, never)
    await server.execute(`SELECT pg_terminate_backend(pid) ${listening}`)
    await writer.append(frame('two'))
    expect((await next).entries).toEqual([frame('two')])
  })

  it('return their connections when the log is closed, so that the pool can end', async () => {
    const schema = await createSchema(server)
    const pool = openPool(server.url(schema))
    const log = postgresEventLog(pool)
    const { writer } = await create(log, 'run')
    writer.onCommand?.(async () => ({ result: 'accepted' }))
    await expect.poll(() => pool.totalCount).toBeGreaterThan(0)
    log.close()
    await pool.end()
    expect(pool.totalCount).toBe(0)
  })
})

describeWithPostgres('statements of postgresEventLog', () => {
  it('change nothing twice when the reply of each was lost once', async () => {
    const schema = await createSchema(server)
    const lost = new Set<string>()
    const { log } = open(schema, { leaseMs: 900, maxBytes: 1_000 }, (pool) =>
      withQueries(pool, async (client, text, values) => {
        const result = await client.query(text, values)
        const statement = JSON.stringify([text, values])
        if (lost.has(statement) || /^LISTEN|^SELECT pg_notify/.test(text)) return result
        lost.add(statement)
        throw new Error('Connection terminated unexpectedly')
      }),
    )
    const { writer, reader } = await create(log, 'run')
    await writer.append(frame('one'))
    await writer.appendAll?.([frame('two'), frame('three')])
    await writer.close()
    expect(await readAll(reader)).toEqual(['one', 'two', 'three'].map(frame))
    // A run whose process died.
    const dead = open(schema, { leaseMs: 900 })
    const orphan = await create(dead.log, 'orphan')
    await orphan.writer.append(frame('one'))
    dead.log.close()
    await expect.poll(async () => (await log.command?.('orphan', { name: 'cancel' }))?.state).toBe('orphaned')
    const adopted = await log.adopt?.('orphan')
    expect(adopted?.end).toBe(1)
    await adopted?.writer.discard()
    expect((await log.find('orphan')).state).toBe('expired')
    expect((await log.begin('orphan', { restart: true })).state).toBe('created')
  })

  it.each(['append', 'close'] as const)('%s refuses a log of which the database lost the end', async (act) => {
    const schema = await createSchema(server)
    const { log, pool } = open(schema)
    const other = open(schema)
    const { writer } = await create(log, 'run')
    for (const text of ['one', 'two', 'three']) await writer.append(frame(text))
    const ahead = await readerOf(other.log, 'run')
    expect((await ahead.read(0, never)).end).toBe(3)
    // As a standby that was promoted without the last entry.
    await pool.query("DELETE FROM capstan_log WHERE id LIKE 'log:%' AND counter = 3")
    await expect(ahead.read(3, never)).rejects.toMatchObject({ code: 'log_expired' })
    const refused = act === 'append' ? writer.append(frame('four')) : writer.close()
    await expect(refused).rejects.toMatchObject({ code: 'log_expired' })
    expect((await other.log.find('run')).state).toBe('expired')
  })

  it('the lease finds out about a log that lost its end while the writer is silent', async () => {
    const schema = await createSchema(server)
    const { log, pool } = open(schema, { leaseMs: 900 })
    const { writer, reader } = await create(log, 'run')
    for (const text of ['one', 'two']) await writer.append(frame(text))
    expect((await reader.read(0, never)).end).toBe(2)
    // Next to its writer: it waits in memory.
    const waiting = reader.read(2, never)
    await pool.query("DELETE FROM capstan_log WHERE id LIKE 'log:%' AND counter = 2")
    await expect(waiting).rejects.toMatchObject({ code: 'log_expired' })
  })

  it('a reader refuses entries of a writer that took the place of entries it has read', async () => {
    const schema = await createSchema(server)
    const dead = open(schema, { leaseMs: 900 })
    const { log, pool } = open(schema)
    const { writer } = await create(dead.log, 'run')
    for (const text of ['one', 'two', 'lost']) await writer.append(frame(text))
    const reader = await readerOf(log, 'run')
    expect((await reader.read(0, never)).end).toBe(3)
    dead.log.close()
    await pool.query("DELETE FROM capstan_log WHERE id LIKE 'log:%' AND counter = 3")
    await expect.poll(async () => (await log.command?.('run', { name: 'cancel' }))?.state).toBe('orphaned')
    const adopted = await log.adopt?.('run')
    expect(adopted?.end).toBe(2)
    for (const text of ['other', 'more']) await adopted?.writer.append(frame(text))
    await expect(reader.read(3, never)).rejects.toMatchObject({ code: 'log_expired' })
  })

  it('take keys with NUL and of any length', async () => {
    const schema = await createSchema(server)
    const { log } = open(schema)
    const keys = ['a\0b', 'a%00b', 'x'.repeat(10_000), `${'x'.repeat(9_999)}y`]
    for (const key of keys) {
      const { writer } = await create(log, key)
      await writer.append(frame(key))
      await writer.close()
    }
    for (const key of keys) expect(await readAll(await readerOf(log, key))).toEqual([frame(key)])
  })

  it('delete what has expired when runs begin, and leave nothing of what is forgotten', async () => {
    const schema = await createSchema(server)
    const { log, pool } = open(schema, { ttlMs: 1, rememberMs: 1 })
    const { writer } = await create(log, 'run')
    await writer.append(frame('one'))
    await writer.close()
    expect((await open(schema).log.find('other')).state).toBe('unknown')
    await expect
      .poll(async () => {
        // The first run of a process removes what is overdue.
        const next = open(schema, { ttlMs: 1, rememberMs: 1 })
        await next.log.begin('next')
        return (await pool.query("SELECT id FROM capstan_log WHERE body IN ('one') OR id = 'run:run'")).rows
      })
      .toEqual([])
    expect((await log.find('run')).state).toBe('unknown')
  })

  it('name the command that creates the table where it is absent', async () => {
    const { log } = open('absent')
    await expect(log.begin('run')).rejects.toMatchObject({
      code: 'invalid_config',
      message: expect.stringContaining('capstan postgres schema'),
    })
  })
})

describeWithPostgres('sqlConversationStore over the pool of the log', () => {
  describe.each(
    conversationStoreCases(async () => {
      const pool = openPool(server.url(await createSchema(server)))
      onTestFinished(() => pool.end())
      return sqlConversationStore({ query: (text, values) => pool.query(text, [...values]) })
    }),
  )('case', ({ name, run }) => {
    // oxlint-disable-next-line vitest/valid-title -- the name of the case
    it(name, run)
  })
})
