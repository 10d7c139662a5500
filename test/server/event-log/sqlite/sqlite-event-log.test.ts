import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { EventLog } from '../../../../src/server/event-log/event-log.ts'
import { sqliteEventLog } from '../../../../src/server/event-log/sqlite/sqlite-event-log.ts'
import { eventLogCases } from '../../../../src/testing/event-log-cases.ts'
import { createManualClock } from '../../../support/manual-clock.ts'
import { create, frame, never, readAll } from '../../event-log-contract.ts'
import type { OpenDatabase } from './open-sqlite.ts'
import { openNodeSqlite, openWasm } from './open-sqlite.ts'

if (openNodeSqlite === undefined)
  console.warn('This Node has no node:sqlite: the SQLite event log is tested on SQLite as WebAssembly only.')

const DRIVERS = Object.entries({ WebAssembly: openWasm, 'node:sqlite': openNodeSqlite }).flatMap(([name, open]) =>
  open === undefined ? [] : [{ name, open }],
)

/** A separate file for the databases of a test. */
function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-sqlite-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'runs.db')
}

function openAt(open: (file: string) => OpenDatabase, file: string): OpenDatabase {
  const database = open(file)
  onTestFinished(() => void database.close())
  return database
}

describe.each(DRIVERS)('a log of runs in SQLite ($name)', ({ open }) => {
  it.each(eventLogCases)('$name', async (logCase) =>
    logCase.run((limits) => {
      const clock = createManualClock()
      const file = newFile()
      const openLog = (): EventLog => sqliteEventLog(openAt(open, file), { clock, ...limits })
      return { log: openLog(), ttlMs: 600_000, pass: (ms) => clock.advance(ms), crash: async () => openLog() }
    }),
  )

  it('is read by the next process, which takes an open run over at once', async () => {
    const file = newFile()
    const first = open(file)
    const before = sqliteEventLog(first)
    const whole = await create(before, 'whole')
    await whole.writer.append(frame('a'))
    await whole.writer.close()
    const half = await create(before, 'half')
    await half.writer.appendAll?.([frame('b'), frame('c')])
    expect(await before.adopt?.('half')).toBeUndefined()
    first.close()

    const log = sqliteEventLog(openAt(open, file))
    const found = await log.find('whole')
    if (found.state !== 'exists') throw new Error('expected to find it')
    expect(await readAll(found.reader)).toEqual([frame('a')])
    const orphan = await log.find('half')
    if (orphan.state !== 'exists') throw new Error('expected to find it')
    expect(await orphan.reader.read(2, never)).toEqual({ entries: [], end: 2, closed: false, orphaned: true })
    expect((await log.command?.('half', { name: 'cancel' }))?.state).toBe('orphaned')
    const adopted = await Promise.all([log.adopt?.('half'), log.adopt?.('half')])
    expect(adopted.map((each) => each?.end)).toEqual([2, undefined])
    const waiting = orphan.reader.read(2, never)
    await adopted[0]?.writer.append(frame('d'))
    expect((await waiting).entries).toEqual([frame('d')])
    await adopted[0]?.writer.close()
    expect(await readAll(orphan.reader)).toEqual([frame('b'), frame('c'), frame('d')])
    expect(await log.adopt?.('half')).toBeUndefined()
  })

  it('lets the process before write no more, whatever it does', async () => {
    const file = newFile()
    const before = sqliteEventLog(openAt(open, file))
    const { writer, reader } = await create(before, 'run')
    await writer.append(frame('a'))
    const log = sqliteEventLog(openAt(open, file))
    const adopted = await log.adopt?.('run')
    await expect(writer.append(frame('late'))).rejects.toMatchObject({ severity: 'TRANSIENT' })
    await expect(writer.append(frame('later'))).rejects.toMatchObject({ severity: 'TRANSIENT' })
    await expect(writer.close()).rejects.toMatchObject({ severity: 'TRANSIENT' })
    await expect(before.begin('other')).rejects.toMatchObject({ severity: 'TRANSIENT' })
    await expect(before.expire('run')).rejects.toMatchObject({ severity: 'TRANSIENT' })
    await adopted?.writer.append(frame('b'))
    await adopted?.writer.close()
    expect(await readAll(reader)).toEqual([frame('a'), frame('b')])
  })

  it('begins an orphaned run again where that is asked for, and drops what there was', async () => {
    const file = newFile()
    const first = open(file)
    const { writer } = await create(sqliteEventLog(first), 'run')
    await writer.append(frame('old'))
    first.close()
    const log = sqliteEventLog(openAt(open, file))
    expect((await log.begin('run')).state).toBe('exists')
    const again = await log.begin('run', { restart: true })
    if (again.state !== 'created') throw new Error('expected a new log')
    await again.writer.append(frame('new'))
    await again.writer.close()
    expect(await readAll(again.reader)).toEqual([frame('new')])
  })

  it('forgets a run for good after its second time', async () => {
    const clock = createManualClock()
    const log = sqliteEventLog(openAt(open, newFile()), { clock, ttlMs: 1_000, rememberMs: 5_000 })
    for (const key of ['a', 'b']) {
      const { writer } = await create(log, key)
      await writer.close()
      await clock.advance(1_000)
      expect((await log.find(key)).state).toBe('expired')
    }
    await clock.advance(4_000)
    const { writer } = await create(log, 'c')
    await writer.close()
    await clock.advance(1_000)
    expect(await Promise.all(['a', 'b', 'c'].map(async (key) => (await log.find(key)).state))).toEqual([
      'unknown',
      'unknown',
      'expired',
    ])
  })

  it('says what a database that is closed cannot do, and closes no run as whole that misses an entry', async () => {
    const file = newFile()
    const database = open(file)
    const log = sqliteEventLog(database)
    const { writer } = await create(log, 'run')
    await writer.append(frame('a'))
    database.close()
    await expect(writer.append(frame('b'))).rejects.toMatchObject({ severity: 'TRANSIENT' })
    await expect(writer.close()).rejects.toMatchObject({ severity: 'TRANSIENT' })
    await expect(log.find('run')).rejects.toMatchObject({ severity: 'TRANSIENT' })
    const next = sqliteEventLog(openAt(open, file))
    const found = await next.find('run')
    if (found.state !== 'exists') throw new Error('expected to find it')
    expect(await found.reader.read(1, never)).toMatchObject({ orphaned: true })
  })

  it('ends its own readers when neither an entry nor the discard can be written, and discards later', async () => {
    const database = openAt(open, newFile())
    const log = sqliteEventLog(database)
    const { writer, reader } = await create(log, 'run')
    await writer.append(frame('a'))
    const waiting = reader.read(1, never)
    const isExpired = expect.objectContaining({ code: 'log_expired' })
    database.exec('PRAGMA query_only = ON')
    await expect(writer.append(frame('b'))).rejects.toMatchObject({
      code: 'storage_unavailable',
      severity: 'TRANSIENT',
    })
    await expect(writer.discard()).rejects.toMatchObject({ code: 'storage_unavailable' })
    await expect(waiting).rejects.toEqual(isExpired)
    await expect(reader.read(0, never)).rejects.toEqual(isExpired)
    expect((await log.find('run')).state).toBe('expired')
    expect((await log.command?.('run', { name: 'cancel' }))?.state).toBe('expired')
    database.exec('PRAGMA query_only = OFF')
    expect((await log.find('run')).state).toBe('expired')
    expect((await log.begin('run', { restart: true })).state).toBe('created')
  })

  it('can be read while a read-only file system keeps it from dropping what is overdue', async () => {
    const clock = createManualClock()
    const database = openAt(open, newFile())
    const log = sqliteEventLog(database, { clock, ttlMs: 60_000 })
    for (const key of ['early', 'late']) {
      const { writer } = await create(log, key)
      await writer.append(frame(key))
      await writer.close()
      await clock.advance(40_000)
    }
    database.exec('PRAGMA query_only = ON')
    const found = await log.find('late')
    if (found.state !== 'exists') throw new Error('expected to find it')
    expect(await readAll(found.reader)).toEqual([frame('late')])
    expect((await log.command?.('late', { name: 'cancel' }))?.state).toBe('closed')
    await expect(log.begin('next')).rejects.toMatchObject({ code: 'storage_unavailable' })
  })

  it('reports a full database as storage_full and discards the run', async () => {
    const database = openAt(open, newFile())
    const log = sqliteEventLog(database)
    const { writer, reader } = await create(log, 'run')
    const [{ page_count: pages }] = database.prepare('PRAGMA page_count').all() as [{ page_count: number }]
    database.exec(`PRAGMA max_page_count = ${pages + 2}`)
    await expect(writer.append(frame('x'.repeat(100_000)))).rejects.toMatchObject({
      code: 'storage_full',
      severity: 'TRANSIENT',
    })
    await expect(writer.close()).rejects.toMatchObject({ code: 'storage_full' })
    await expect(reader.read(0, never)).rejects.toMatchObject({ code: 'log_expired' })
  })

  it('reports a damaged file as storage_corrupt, which no retry mends', async () => {
    const file = newFile()
    const database = open(file)
    const { writer } = await create(sqliteEventLog(database), 'run')
    for (let at = 0; at < 200; at++) await writer.append(frame('x'.repeat(1_000)))
    await writer.close()
    database.close()
    const bytes = readFileSync(file)
    bytes.fill(0xa5, 4_096)
    writeFileSync(file, bytes)
    const damaged = openAt(open, file)
    expect(() => sqliteEventLog(damaged)).toThrow(
      expect.objectContaining({ code: 'storage_corrupt', severity: 'FATAL' }),
    )
  })

  it('has tables under names of its own, and refuses what is not a name', async () => {
    const database = openAt(open, newFile())
    const [one, other] = [sqliteEventLog(database, { prefix: 'a_' }), sqliteEventLog(database, { prefix: 'b_' })]
    await create(one, 'run')
    expect((await other.find('run')).state).toBe('unknown')
    expect(() => sqliteEventLog(database, { prefix: 'a; DROP' })).toThrow(
      expect.objectContaining({ code: 'invalid_config' }),
    )
  })
})
