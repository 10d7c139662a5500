import { mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sqliteEventLog } from '../../../../src/server/event-log/sqlite/sqlite-event-log.ts'
import {
  LONGEST_SILENCE_MS,
  LOST,
  meetStoreFailure,
  type Seen,
  type StoreFailure,
} from '../../outages/meet-store-failure.ts'
import { ROOT } from '../../../layers/files.ts'
import { post } from '../../peer.ts'
import { serveAgent } from '../../serve-agent.ts'
import { DRIVERS, type OpenDatabase } from './open-sqlite.ts'

type Open = (file: string) => OpenDatabase

interface Failing {
  readonly database: OpenDatabase
  readonly file: string
}

/** As SQLite makes them. */
const PAGE_BYTES = 4_096

/** No retry mends it. */
const DAMAGED: Partial<Seen> = {
  reconnect: '500 internal_error',
  next: '500 internal_error',
  repaired: '500 internal_error',
  operator: ['storage_corrupt'],
}

const FAILURES: readonly {
  readonly failure: string
  readonly words?: string
  readonly seen: Partial<Seen>
  fail(failing: Failing): void
  repair?(failing: Failing): void
}[] = [
  {
    failure: 'full disk',
    words: 'x'.repeat(20_000),
    // A short beginning of another answer may still find a place in the pages there are.
    seen: { next: expect.stringMatching(/^(?:200|409 log_expired)$/), operator: ['storage_full'] },
    fail({ database }) {
      const [{ page_count: pages }] = database.prepare('PRAGMA page_count').all() as [{ page_count: number }]
      database.exec(`PRAGMA max_page_count = ${pages}`)
    },
    repair: ({ database }) => database.exec('PRAGMA max_page_count = 100000'),
  },
  {
    failure: 'read-only file system',
    seen: { operator: ['storage_unavailable'] },
    fail: ({ database }) => database.exec('PRAGMA query_only = ON'),
    repair: ({ database }) => database.exec('PRAGMA query_only = OFF'),
  },
  {
    failure: 'folder moved away',
    // Some drivers lock a database by a file next to it, and read nothing without it.
    seen: {
      reconnect: expect.stringMatching(/^(?:409 log_expired|503 log_unavailable)$/),
      operator: ['storage_unavailable'],
    },
    fail: ({ file }) => renameSync(dirname(file), `${dirname(file)}-moved`),
    repair: ({ file }) => renameSync(`${dirname(file)}-moved`, dirname(file)),
  },
  {
    failure: 'damaged file',
    seen: DAMAGED,
    fail: ({ file }) => writeFileSync(file, readFileSync(file).fill(0xa5), { flag: 'r+' }),
  },
  { failure: 'emptied file', seen: DAMAGED, fail: ({ file }) => truncateSync(file, 0) },
]

describe.each(DRIVERS)('SQLite that fails in the middle of an answer ($name)', ({ open }: { open: Open }) => {
  it.each(FAILURES)('$failure', async ({ failure: name, fail, repair, words, seen }) => {
    const folder = mkdtempSync(join(tmpdir(), 'capstan-sqlite-'))
    const file = join(folder, 'runs.db')
    const database = open(file)
    onTestFinished(() => {
      database.close()
      rmSync(folder, { recursive: true, force: true })
      rmSync(`${folder}-moved`, { recursive: true, force: true })
    })
    const failing = { database, file }
    const failure: StoreFailure = {
      open: (clock) => sqliteEventLog(database, { clock }),
      fail: () => fail(failing),
      ...(words !== undefined && { words }),
      ...(repair !== undefined && { repair: () => repair(failing) }),
    }
    const { longestSilenceMs, ...others } = await meetStoreFailure(failure)
    expect(readFileSync(`${ROOT}docs/server.md`, 'utf8')).toContain(`| SQLite: ${name} |`)
    expect(others).toEqual({ ...LOST, ...seen })
    expect(longestSilenceMs).toBeLessThanOrEqual(LONGEST_SILENCE_MS)
  })

  it('tells the operator of a stored answer that cannot be read to its end', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'capstan-sqlite-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const file = join(folder, 'runs.db')
    const intact = open(file)
    intact.exec('PRAGMA synchronous = OFF')
    const first = await serveAgent(
      async function* () {
        for (let at = 0; at < 400; at++) yield `words ${at} ${'x'.repeat(1_000)}`
      },
      { log: sqliteEventLog(intact) },
    )
    await (await post(first.url)).text()
    intact.close()
    const bytes = readFileSync(file)
    const page = Math.floor(bytes.indexOf('words 300 ') / PAGE_BYTES) * PAGE_BYTES
    writeFileSync(file, bytes.fill(0xa5, page, page + PAGE_BYTES))
    const damaged = open(file)
    onTestFinished(() => void damaged.close())
    const { url, errors } = await serveAgent(() => Promise.reject(new Error('not asked again')), {
      log: sqliteEventLog(damaged),
    })
    const response = await post(url)
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow('terminated')
    expect(errors).toEqual([expect.objectContaining({ code: 'storage_corrupt' })])
  })
})
