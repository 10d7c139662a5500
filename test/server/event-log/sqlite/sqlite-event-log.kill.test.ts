import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'esbuild'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sqliteEventLog } from '../../../../src/server/event-log/sqlite/sqlite-event-log.ts'
import { ROOT } from '../../../layers/files.ts'
import { never } from '../../event-log-contract.ts'
import { openBetterSqlite, openNodeSqlite, type OpenDatabase } from './open-sqlite.ts'

const DRIVERS = Object.entries({ 'node:sqlite': openNodeSqlite, 'better-sqlite3': openBetterSqlite }).flatMap(
  ([name, open]) => (open === undefined ? [] : [{ name, open }]),
)
if (DRIVERS.length === 0)
  console.warn(
    'This Node has no node:sqlite, and better-sqlite3 is not installed: no process that writes SQLite is killed.',
  )

/** How often a process is killed. */
const KILLS = Number(process.env['KILLS'] ?? 10)

/** What a process that was killed had acknowledged. */
interface Acknowledged {
  readonly entries: ReadonlyMap<string, number>
  readonly closed: ReadonlySet<string>
  readonly asked: readonly string[]
  readonly answered: ReadonlySet<string>
}

/** Runs the program until it has made so many reports, and kills it. */
async function killAfter(reports: number, outfile: string, args: readonly string[]): Promise<Acknowledged> {
  const child = spawn(process.execPath, [outfile, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise((resolve) => {
    child.once('exit', resolve)
  })
  const entries = new Map<string, number>()
  const [closed, answered] = [new Set<string>(), new Set<string>()]
  const asked: string[] = []
  let count = 0
  for await (const report of createInterface({ input: child.stdout })) {
    const [what, run = '', entry] = report.split(' ')
    if (what === 'asked') asked.push(run)
    else if (what === 'begun') entries.set(run, 0)
    else if (what === 'entry') entries.set(run, Number(entry))
    else if (what === 'closed') closed.add(run)
    else answered.add(run)
    if ((count += 1) === reports) child.kill('SIGKILL')
  }
  await ended
  return { entries, closed, asked, answered }
}

async function checkRuns(database: OpenDatabase, { entries, closed }: Acknowledged): Promise<void> {
  const log = sqliteEventLog(database)
  for (const [run, acknowledged] of entries) {
    const found = await log.find(run)
    if (found.state !== 'exists') throw new Error(`The run ${run} is ${found.state}.`)
    const texts: string[] = []
    let ending: string | undefined
    for (let at = 0; ending === undefined;) {
      const slice = await found.reader.read(at, never)
      for (const entry of slice.entries) texts.push(entry.kind === 'stream' ? '' : entry.text)
      at = slice.end
      if (slice.closed) ending = 'closed'
      else if (slice.orphaned === true) ending = 'orphaned'
    }
    expect(texts).toEqual(texts.map((_, at) => `${run} ${at + 1}`))
    expect(texts.length).toBeGreaterThanOrEqual(acknowledged)
    if (closed.has(run)) expect([ending, texts.length]).toEqual(['closed', 10])
    if (ending === 'closed') continue
    const adopted = await log.adopt?.(run)
    expect(adopted?.end).toBe(texts.length)
    await adopted?.writer.append({ kind: 'frame', text: 'the end' })
    await adopted?.writer.close()
    expect(await found.reader.read(texts.length, never)).toMatchObject({ end: texts.length + 1, closed: true })
  }
}

function checkTurns(database: OpenDatabase, { asked, answered }: Acknowledged): void {
  // The columns of the table of turns.
  const rows = database.prepare('SELECT id, answer FROM capstan_turns ORDER BY position').all() as {
    readonly id: string
    readonly answer: string | null
  }[]
  const kept = rows.map(({ id }) => id)
  expect(new Set(kept).size).toBe(kept.length)
  expect(kept.filter((id) => asked.includes(id))).toEqual(asked)
  for (const { id, answer } of rows) if (answered.has(id)) expect(answer).toContain('complete')
  expect(database.prepare('SELECT id FROM capstan_conversations').all()).toHaveLength(1)
}

describe('SQLite whose process is killed while it writes', () => {
  it.runIf(DRIVERS.length > 0).each(DRIVERS)(
    'has all that was acknowledged, and each run ends or is taken over ($name)',
    { timeout: 120_000 },
    async ({ name, open }) => {
      const folder = mkdtempSync(join(tmpdir(), 'capstan-kill-'))
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
      const outfile = join(folder, 'program.mjs')
      const entry = `${ROOT}test/server/event-log/sqlite/sqlite-kill-program.ts`
      await build({
        entryPoints: [entry],
        bundle: true,
        packages: 'external',
        platform: 'node',
        format: 'esm',
        logLevel: 'error',
        outfile,
        absWorkingDir: ROOT,
        // The wasm driver is not used here, and is not to be found beside the bundle.
        alias: { 'node-sqlite3-wasm': 'node:fs' },
      })
      const file = join(folder, 'runs.db')
      for (let kill = 0; kill < KILLS; kill++) {
        const acknowledged = await killAfter(5 + ((kill * 37) % 120), outfile, [name, file, String(kill)])
        expect(acknowledged.asked.length).toBeGreaterThan(0)
        const database = open(file)
        await checkRuns(database, acknowledged)
        checkTurns(database, acknowledged)
        database.close()
      }
    },
  )
})
