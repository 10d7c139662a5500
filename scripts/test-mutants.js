// npm run test:mutants: breaks one guard after the other in a copy of the sources and looks whether a test notices. With a word
// as its argument, only the guards whose names contain it. With --check it breaks nothing: it names the entries of mutants.json
// whose text is not in the sources exactly once, and leaves with 1 when there are some.
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
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

const mutants = JSON.parse(readFileSync(join(ROOT, 'scripts/mutants.json'), 'utf8'))
const only = process.argv[2]

/**
 * The places in a source that say the same as an entry, however either is broken into lines: a formatter moves line ends and
 * adds commas behind the last item.
 */
function placesOf(text, from) {
  const tokens = from.match(/\w+|[^\w\s]/g)
  const pattern = tokens.map((token, at) => {
    const before =
      at === 0
        ? ''
        : /\w/.test(token) && /\w/.test(tokens[at - 1])
          ? '\\s+'
          : /[)\]}]/.test(token)
            ? '\\s*,?\\s*'
            : '\\s*'
    return before + token.replaceAll(/\W/g, '\\$&')
  })
  return [...text.matchAll(new RegExp(pattern.join(''), 'g'))]
}

/** What is wrong with an entry; undefined when it names exactly one place. */
function faultOf({ name, file, from }) {
  const found = existsSync(join(ROOT, file)) ? placesOf(readFileSync(join(ROOT, file), 'utf8'), from).length : 0
  return found === 1
    ? undefined
    : `"${name}": ${file} says this ${found} times and not once. Put the present source into "from" and its broken form into "to" in scripts/mutants.json; remove the entry only with the guard:\n${from}`
}

if (process.argv[2] === '--check') {
  const faults = mutants.flatMap((mutant) => faultOf(mutant) ?? [])
  for (const fault of faults) console.error(fault)
  process.exit(faults.length === 0 ? 0 : 1)
}

const folder = mkdtempSync(join(tmpdir(), 'capstan-mutants-'))
let survivors = 0

/** Where each test is, by its full name: of the run without any mutant. */
const fileOf = new Map()
let timeout = 600_000

/** The test that noticed each mutant when it was written down, by the mutant's name. */
const noticedBy = new Map(
  readFileSync(join(ROOT, 'docs/reliability.md'), 'utf8')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .flatMap((cells) => (cells.length === 5 ? [[cells[1], cells[3]]] : [])),
)

/** Names of the tests that fail, the first ones first. */
async function failures(tests = TESTS) {
  const report = join(folder, 'report.json')
  rmSync(report, { force: true })
  const args = [
    join(ROOT, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--project',
    'unit',
    '--project',
    'slow',
    '--bail',
    '1',
    '--testTimeout',
    '20000',
    '--reporter',
    'json',
    '--outputFile',
    report,
    ...tests,
  ]
  const error = await new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: folder, timeout, maxBuffer: 1e8 }, resolve)
  })
  // A mutant that goes round in circles is noticed too.
  if (error?.killed) return ['(it never ends)']
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
  for (const { name, assertionResults } of testResults)
    for (const { fullName } of assertionResults) fileOf.set(fullName, name)
  const failed = testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
  )
  return failed.length === 0 && error !== null ? ['(a test file breaks)'] : failed
}

try {
  for (const path of COPIED) cpSync(join(ROOT, path), join(folder, path), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction')
  const begun = performance.now()
  const broken = await failures()
  // However busy the machine is: a mutant that takes so much longer goes round in circles.
  timeout = Math.max(120_000, Math.round(5 * (performance.now() - begun)))
  if (broken.length > 0) throw new Error(`Without any mutant this fails: ${broken.join('; ')}`)

  console.log('| Broken guard | Where | Noticed by |')
  console.log('|---|---|---|')
  for (const { name, file, from, to } of mutants) {
    if (only !== undefined && !name.includes(only)) continue
    const path = join(folder, file)
    const text = readFileSync(path, 'utf8')
    const fault = faultOf({ name, file, from })
    if (fault !== undefined) throw new Error(fault)
    const [{ 0: found, index }] = placesOf(text, from)
    writeFileSync(path, text.slice(0, index) + to + text.slice(index + found.length))
    // The file that noticed it before is much faster than all of them.
    const known = fileOf.get(noticedBy.get(name))
    const [atOnce] = known === undefined ? [] : await failures([known])
    const [seen] = atOnce === undefined ? await failures() : [atOnce]
    writeFileSync(path, text)
    if (seen === undefined) survivors += 1
    console.log(`| ${name} | \`${file}\` | ${seen ?? '**nobody**'} |`)
  }
  console.log(`\n${survivors === 0 ? 'Every broken guard was noticed.' : `${survivors} broken guards went unnoticed.`}`)
  process.exitCode = survivors === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
