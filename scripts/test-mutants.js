// npm run test:mutants [-- "part of a name" --resume]: breaks one guard after the other in a copy of the sources and looks whether a
// test notices. With a word, only the guards whose names contain it. What was noticed is kept in node_modules/.cache as it comes:
// with --resume a run that was ended goes on behind it, unless the sources or the tests have changed since.
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
let survivors = 0

/** Where each test is, by its full name: of the run without any mutant. */
let fileOf = new Map()
let timeout = 3_600_000

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

/** What an earlier run has seen, by the mutant's name; nothing when it ran on something else. */
function readKept(print) {
  if (!values.resume || !existsSync(kept)) return new Map()
  const { print: before, timeout: slowest, files, rows } = JSON.parse(readFileSync(kept, 'utf8'))
  if (before !== print) return new Map()
  fileOf = new Map(files)
  timeout = slowest
  return new Map(rows)
}

/** Names of the tests that fail, the first ones first: of the whole list, or of one file and one name in it. One of them is enough, unless all are asked for. */
async function failures(tests = TESTS, { name, all = false } = {}) {
  const report = join(folder, 'report.json')
  rmSync(report, { force: true })
  const args = [
    join(ROOT, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--project',
    'unit',
    '--project',
    'slow',
    ...(all ? [] : ['--bail', '1']),
    '--testTimeout',
    '60000',
    '--reporter',
    'json',
    '--outputFile',
    report,
    ...(name === undefined ? [] : ['--testNamePattern', `^${name.replaceAll(/[^\w\s]/g, '\\$&')}$`]),
    ...tests,
  ]
  const error = await new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: folder, timeout, maxBuffer: 1e8 }, resolve)
  })
  // A mutant that goes round in circles is noticed too.
  if (error?.killed) return ['(it never ends)']
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
  if (fileOf.size === 0)
    for (const { name: file, assertionResults } of testResults)
      for (const { fullName } of assertionResults) fileOf.set(fullName, relative(realpathSync(folder), file))
  const failed = testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
  )
  if (all)
    for (const { assertionResults } of testResults)
      for (const { status, fullName, failureMessages } of assertionResults)
        if (status === 'failed') console.error(`Without any mutant: ${fullName}\n${failureMessages.join('\n')}`)
  return failed.length === 0 && error !== null ? ['(a test file breaks)'] : failed
}

/** The test that notices a broken guard; undefined when none does. The one that noticed it before is the fastest by far. */
async function firstToNotice(guard) {
  const before = noticedBy.get(guard)
  const file = fileOf.get(before)
  const [atOnce] = file === undefined ? [] : await failures([file], { name: before })
  return atOnce ?? (await failures())[0]
}

try {
  for (const path of COPIED)
    cpSync(join(ROOT, path), join(folder, path), {
      recursive: true,
      filter: (source) => !source.includes('node_modules'),
    })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction')
  const print = fingerprint()
  const seenBefore = readKept(print)
  if (seenBefore.size === 0) {
    const begun = performance.now()
    const failed = await failures(TESTS, { all: true })
    // What fails once on a busy machine is told, and must pass by itself.
    const broken = failed.length === 0 ? [] : await failures([...new Set(failed.map((name) => fileOf.get(name) ?? ''))])
    // However busy the machine is: a mutant that takes so much longer goes round in circles.
    timeout = Math.max(120_000, Math.round(5 * (performance.now() - begun)))
    if (broken.length > 0) throw new Error(`Without any mutant this fails: ${broken.join('; ')}`)
  }

  console.log('| Broken guard | Where | Noticed by |')
  console.log('|---|---|---|')
  for (const mutant of mutants.filter(({ name }) => name.includes(only))) {
    const { name, file } = mutant
    let seen = seenBefore.get(name)
    if (seen === undefined) {
      const putBack = breakGuard(folder, mutant)
      seen = await firstToNotice(name)
      putBack()
    }
    if (seen === undefined) survivors += 1
    else seenBefore.set(name, seen)
    mkdirSync(dirname(kept), { recursive: true })
    writeFileSync(kept, JSON.stringify({ print, timeout, files: [...fileOf], rows: [...seenBefore] }))
    console.log(`| ${name} | \`${file}\` | ${seen ?? '**nobody**'} |`)
  }
  console.log(`\n${survivors === 0 ? 'Every broken guard was noticed.' : `${survivors} broken guards went unnoticed.`}`)
  process.exitCode = survivors === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
