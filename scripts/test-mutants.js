// npm run test:mutants [-- "part of a name" --resume]: breaks one guard after the other in a copy of the sources and looks whether a
// test notices. With a word, only the guards whose names contain it. What was noticed is kept in node_modules/.cache as it comes:
// with --resume a run that was ended continues after it, unless the sources or the tests have changed since. What fails counts only
// when it passes with the guard in place.
// With --check it breaks nothing: it names the entries of mutants.json whose text is not in the sources exactly once, and the tests
// of its list that do not exist, and leaves with 1 when there are some.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { breakGuard, faultOf, mutants, ROOT } from './broken-guards.js'
import { COPIED, createMutantTests } from './mutant-tests.js'

/** The cheapest first: most mutants are seen within a second. */
const TESTS = [
  'test/runtime/session/authenticate',
  'test/runtime/session/quota.fair-memory',
  'test/runtime/connection/subscriptions',
  'test/runtime/arcp-runtime.limits',
  'test/runtime/connection/commands.repeated',
  'test/server/http/caller-identity',
  'test/session',
  'test/state',
  'test/faults/matrix-connection',
  'test/faults/matrix-http',
  'test/faults/matrix-packets',
  'test/faults/matrix-time',
  'test/faults/property.test.ts',
  'test/faults/consent.test.ts',
  'test/protocols/cap/client',
  'test/protocols/a2a/client',
  'test/protocols/ag-ui/client',
  'test/protocols/ai-sdk/client',
  'test/protocols/arcp/client',
  'test/protocols/cap/assert-request',
  'test/server/run/agent-output.check-output',
  'test/server/run/run-writer',
  'test/server/run/log-queue',
  'test/server/run/run-commands.run-prompts',
  'test/server/platforms/node-listener.counts',
  'test/server/event-log/leased/leased-writer.live-run',
  'test/server/handler/agent-handler.health',
  'test/integration/discarded-runs',
  'test/integration/identities',
  'test/integration/credentials',
  'test/integration/web-socket-origins',
  'test/cli',
  'test/server/handler/agent-handler.refusals',
  'test/server/conversation/sql-conversation-store',
  'test/server/event-log/sqlite/sqlite-event-log.failures',
  'test/server/http/stream-response',
  'test/protocols/arcp/ledger',
  'test/runtime/job/runtime-job',
  'test/runtime/session/sessions.recover-log',
  'test/runtime/connection/served-session',
  'test/server/wires',
  'test/server/proxy/wire-proxy.test',
  'test/server/proxy/wire-proxy.wire-run-bind-run',
  'test/server/platforms/node-listener.stalled-readers',
  'test/server/handler/agent-handler.signal',
  'test/server/handler/agent-handler.control',
  'test/server/handler/agent-handler.stop',
  'test/server/proxy/agent-proxy.control',
  'test/server/proxy/agent-proxy.log',
  'test/server/proxy/agent-proxy.other-users',
  'test/server/proxy/agent-proxy.hostile-upstreams',
  'test/server/event-log/redis/redis-event-log.integrity',
  'test/server/event-log/memory-event-log',
  'test/integration/promises',
  'test/server/event-log/redis/redis-event-log.test',
  'test/server/event-log/redis/redis-tail',
  'test/server/event-log/redis/redis-event-log.cluster',
  'test/server/event-log/postgres/postgres-event-log.instances',
  'test/models/rows',
  'test/models/reasoning-round-trip',
  'test/base',
  'test/wire',
  'test/markdown/view/inline-view.where-it-leads',
  'test/storage',
  'test/components/citation-block',
  'test/components/internals/submit-on-click',
  'test/components/prompt-area',
  'test/components/on-demand',
  'test/components/internals/buttons.keep-focus',
  'test/components/chat.screen-reader',
  'test/components/internals/copy-button',
  'test/components/internals/file-guard',
  'test/components/markdown-block/to-html',
  'test/react/use-agent-chat',
]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { check: { type: 'boolean', default: false }, resume: { type: 'boolean', default: false } },
})
const only = positionals[0] ?? ''

if (values.check) {
  const tests = readdirSync(join(ROOT, 'test'), { recursive: true }).map((path) => `test/${path.replaceAll('\\', '/')}`)
  const faults = [
    ...mutants.flatMap((mutant) => faultOf(mutant) ?? []),
    ...TESTS.filter((start) => !tests.some((path) => path.startsWith(start))).map((start) => `${start}: no such test`),
  ]
  for (const fault of faults) console.error(fault)
  process.exit(faults.length === 0 ? 0 : 1)
}

const session = createMutantTests()
const { folder } = session
const kept = join(ROOT, 'node_modules/.cache/capstan/mutants.json')
const LONGEST_RUN_MS = 3_600_000
/** However busy the machine is: a single test that takes so much longer goes round in circles. */
const LONGEST_TEST_MS = 300_000
let survivors = 0

/** The test that noticed each mutant when it was written down, by the mutant's name. */
const noticedBy = new Map(
  readFileSync(join(ROOT, 'docs/internals/reliability.md'), 'utf8')
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

/** What an earlier run on the same files has seen, by the mutant's name, and where each test is. */
function readKept(print) {
  if (!values.resume || !existsSync(kept)) return { rows: [] }
  const before = JSON.parse(readFileSync(kept, 'utf8'))
  return before.print === print ? before : { rows: [] }
}

/** The first test that fails: of the whole list, or of one file and one name in it. */
async function firstFailure(tests = TESTS, name) {
  const timeout = name === undefined ? LONGEST_RUN_MS : LONGEST_TEST_MS
  return (await session.firstFailure(tests, timeout, name)).failure
}

/** The test that notices a broken guard; undefined when none does. The one that noticed it before is the fastest by far, then those beside its source. */
async function firstToNotice({ name, file: source }, fileOf) {
  const before = noticedBy.get(name)
  const file = fileOf.get(before)
  const beside = dirname(source).replace('src', 'test')
  return (
    (file === undefined ? undefined : await firstFailure([file], before)) ??
    (existsSync(join(folder, beside)) ? await firstFailure([`${beside}/`]) : undefined) ??
    (await firstFailure())
  )
}

/** @throws when a test fails with every guard in place too, so that its failure says nothing */
async function assertPasses(test, fileOf) {
  const file = fileOf.get(test)
  if (file !== undefined && (await firstFailure([file], test)) !== undefined)
    throw new Error(`Without any mutant this fails: ${test}`)
}

try {
  const print = fingerprint()
  const before = readKept(print)
  const rows = new Map(before.rows)
  const tests = before.tests ?? (await session.ask({ list: { files: TESTS } }, LONGEST_RUN_MS)).tests
  const fileOf = new Map(tests)
  const passing = new Set(rows.values())

  console.log('| Broken guard | Where | Noticed by |')
  console.log('|---|---|---|')
  for (const mutant of mutants.filter(({ name }) => name.includes(only))) {
    const { name, file } = mutant
    if (!rows.has(name)) {
      const putBack = breakGuard(folder, mutant)
      session.change(file)
      const seen = await firstToNotice(mutant, fileOf)
      putBack()
      session.change(file)
      if (seen !== undefined) {
        if (!passing.has(seen)) await assertPasses(seen, fileOf)
        passing.add(seen)
        rows.set(name, seen)
        mkdirSync(dirname(kept), { recursive: true })
        writeFileSync(kept, JSON.stringify({ print, tests, rows: [...rows] }))
      }
    }
    if (!rows.has(name)) survivors += 1
    console.log(`| ${name} | \`${file}\` | ${rows.get(name) ?? '**nobody**'} |`)
  }
  console.log(`\n${survivors === 0 ? 'Every broken guard was noticed.' : `${survivors} broken guards went unnoticed.`}`)
  process.exitCode = survivors === 0 ? 0 : 1
} finally {
  session.close()
}
