// npm run test:mutants [-- "part of a name" --resume]: breaks one guard after the other in a copy of the sources and looks whether a
// test notices. With a word, only the guards whose names contain it. What was noticed is kept in node_modules/.cache as it comes:
// with --resume a run that was ended goes on behind it, unless the sources or the tests have changed since. What fails counts only
// when it passes with the guard in place.
// With --check it breaks nothing: it names the entries of mutants.json whose text is not in the sources exactly once, and leaves
// with 1 when there are some.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { breakGuard, faultOf, mutants, ROOT } from './broken-guards.js'

const COPIED = ['src', 'test', 'stories', 'playground', 'package.json', 'tsconfig.json', 'vitest.config.ts']
/** The cheapest first: most mutants are seen within a second. */
const TESTS = [
  'test/session',
  'test/state',
  'test/faults/matrix-connection',
  'test/faults/matrix-http',
  'test/faults/matrix-packets',
  'test/faults/matrix-time',
  'test/faults/property.test.ts',
  'test/faults/consent.test.ts',
  'test/clients',
  'test/protocols/cap/assert-request',
  'test/server/run/check-output',
  'test/server/run/run-writer',
  'test/server/run/log-queue',
  'test/server/node/node-listener.counts',
  'test/server/event-log/redis/redis-live',
  'test/server/handler/health',
  'test/server/run/whole-characters',
  'test/server/http/caller-identity',
  'test/integration/discarded-runs',
  'test/server/http/stream-response',
  'test/server/node/node-listener.stalled-readers',
  'test/server/handler/agent-handler.signal',
  'test/server/event-log/redis/redis-event-log.integrity',
  'test/server/event-log/memory-event-log',
  'test/server/event-log/redis/redis-event-log.test',
  'test/server/event-log/redis/redis-tail',
  'test/base',
  'test/markdown/view/where-it-leads',
  'test/storage',
  'test/components/citation-block',
]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { check: { type: 'boolean', default: false }, resume: { type: 'boolean', default: false } },
})
const only = positionals[0] ?? ''

if (values.check) {
  const faults = mutants.flatMap((mutant) => faultOf(mutant) ?? [])
  for (const fault of faults) console.error(fault)
  process.exit(faults.length === 0 ? 0 : 1)
}

const folder = mkdtempSync(join(tmpdir(), 'capstan-mutants-'))
const kept = join(ROOT, 'node_modules/.cache/capstan/mutants.json')
const LONGEST_RUN_MS = 3_600_000
/** However busy the machine is: a single test that takes so much longer goes round in circles. */
const LONGEST_TEST_MS = 300_000
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs')
const PROJECTS = ['--project', 'unit', '--project', 'slow']
const NEVER_ENDS = '(it never ends)'
const FILE_BREAKS = '(a test file breaks)'
let survivors = 0

/** The test that noticed each mutant when it was written down, by the mutant's name. */
const noticedBy = new Map(
  readFileSync(join(ROOT, 'docs/reliability.md'), 'utf8')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .flatMap((cells) => (cells.length === 5 ? [[cells[1], cells[3]]] : [])),
)

/** Of every file that was copied: what was seen holds for these sources and tests only. */
function fingerprint() {
  const hash = createHash('sha256')
  for (const path of COPIED) {
    const files = statSync(join(folder, path)).isDirectory()
      ? readdirSync(join(folder, path), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name))
          .toSorted()
      : [join(folder, path)]
    for (const file of files) hash.update(relative(folder, file)).update(readFileSync(file))
  }
  return hash.digest('hex')
}

/** What an earlier run on the same files has seen, by the mutant's name. */
function readKept(print) {
  if (!values.resume || !existsSync(kept)) return new Map()
  const { print: before, rows } = JSON.parse(readFileSync(kept, 'utf8'))
  return new Map(before === print ? rows : [])
}

function vitest(args, timeout) {
  return new Promise((resolve) => {
    execFile(process.execPath, [VITEST, ...args], { cwd: folder, timeout, maxBuffer: 1e8 }, resolve)
  })
}

/** Where each test is, by its full name. */
async function filesOfTests() {
  const list = join(folder, 'list.json')
  await vitest(['list', ...PROJECTS, `--json=${list}`, ...TESTS], LONGEST_RUN_MS)
  const tests = JSON.parse(readFileSync(list, 'utf8'))
  return new Map(tests.map(({ name, file }) => [name.replaceAll(' > ', ' '), relative(realpathSync(folder), file)]))
}

/** The first test that fails: of the whole list, or of one file and one name in it. */
async function firstFailure(tests = TESTS, name) {
  const report = join(folder, 'report.json')
  rmSync(report, { force: true })
  const pattern =
    name === undefined ? [] : ['--testNamePattern', `^${name.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)}$`]
  const options = ['--bail', '1', '--testTimeout', '120000', '--reporter', 'json', '--outputFile', report]
  const error = await vitest(
    ['run', ...PROJECTS, ...options, ...pattern, ...tests],
    name === undefined ? LONGEST_RUN_MS : LONGEST_TEST_MS,
  )
  // A mutant that goes round in circles is noticed too.
  if (error?.killed) return NEVER_ENDS
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
  const failed = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .find(({ status }) => status === 'failed')?.fullName
  return failed ?? (error === null ? undefined : FILE_BREAKS)
}

/** The test that notices a broken guard; undefined when none does. The one that noticed it before is the fastest by far. */
async function firstToNotice(guard, fileOf) {
  const before = noticedBy.get(guard)
  const file = fileOf.get(before)
  return (file === undefined ? undefined : await firstFailure([file], before)) ?? (await firstFailure())
}

/** @throws when a test fails with every guard in place too, so that its failure says nothing */
async function assertPasses(test, fileOf) {
  const file = fileOf.get(test)
  if (file !== undefined && (await firstFailure([file], test)) !== undefined)
    throw new Error(`Without any mutant this fails: ${test}`)
}

try {
  for (const path of COPIED)
    cpSync(join(ROOT, path), join(folder, path), {
      recursive: true,
      filter: (source) => !source.includes('node_modules'),
    })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction')
  const print = fingerprint()
  const rows = readKept(print)
  const fileOf = await filesOfTests()
  const passing = new Set(rows.values())

  console.log('| Broken guard | Where | Noticed by |')
  console.log('|---|---|---|')
  for (const mutant of mutants.filter(({ name }) => name.includes(only))) {
    const { name, file } = mutant
    if (!rows.has(name)) {
      const putBack = breakGuard(folder, mutant)
      const seen = await firstToNotice(name, fileOf)
      putBack()
      if (seen !== undefined) {
        if (!passing.has(seen)) await assertPasses(seen, fileOf)
        passing.add(seen)
        rows.set(name, seen)
        mkdirSync(dirname(kept), { recursive: true })
        writeFileSync(kept, JSON.stringify({ print, rows: [...rows] }))
      }
    }
    if (!rows.has(name)) survivors += 1
    console.log(`| ${name} | \`${file}\` | ${rows.get(name) ?? '**nobody**'} |`)
  }
  console.log(`\n${survivors === 0 ? 'Every broken guard was noticed.' : `${survivors} broken guards went unnoticed.`}`)
  process.exitCode = survivors === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
