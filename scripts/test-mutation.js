// npm run test:mutation [-- --sample 300 --seed 1 --folder src/server/ --since main --limit 50]: changes one condition, comparison,
// statement or flag of the sources after the other, in a copy, and looks whether a unit or slow test fails. Prints what no test noticed
// and the share that was.
// With --since, only lines that differ from that commit are changed; with --folder, only files below it. `--sample` draws as many of
// them as it says, by the seed. Tests run from the nearest to the source on, by imports, and at most as many files as `--nearest` says.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ROOT } from './broken-guards.js'
import { loadModule } from './load-module.js'
import { createMutantTests } from './mutant-tests.js'
import { changesOf, drawn } from './source-changes.js'
import { createNearestTests } from './nearest-tests.js'

const { values } = parseArgs({
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    folder: { type: 'string', default: 'src/' },
    since: { type: 'string' },
    nearest: { type: 'string', default: '60' },
    'at-least': { type: 'string', default: '0' },
  },
})

/** However busy the machine is: a run of tests that takes so much longer never ends. */
const LONGEST_RUN_MS = 900_000
/** Few files first: most changes are noticed beside the source. */
const PORTIONS = [4, 16]

/** Of each file that differs from the commit, the lines that do. */
function linesSince(commit) {
  const lines = new Map()
  let file
  const text = execFileSync('git', ['diff', '--unified=0', `${commit}...HEAD`, '--', 'src'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 1e9,
  })
  for (const line of text.split('\n')) {
    if (line.startsWith('+++ ')) lines.set((file = line.slice('+++ b/'.length)), new Set())
    const hunk = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line)
    for (let at = 0; hunk && at < Number(hunk[2] ?? 1); at += 1) lines.get(file).add(Number(hunk[1]) + at)
  }
  return lines
}

function candidates() {
  const since = values.since === undefined ? undefined : linesSince(values.since)
  return nearest.sources
    .filter((file) => file.startsWith(values.folder) && (since === undefined || since.has(file)))
    .flatMap((file) => changesOf(file, readFileSync(join(ROOT, file), 'utf8')))
    .filter(({ file, line }) => since === undefined || since.get(file).has(line))
}

function* portions(files) {
  let from = 0
  for (const size of PORTIONS) {
    yield files.slice(from, size)
    from = size
  }
  yield files.slice(from, Number(values.nearest))
}

const { module: scanner, close } = await loadModule(join(ROOT, 'test/layers/scan.ts'))
const nearest = createNearestTests(ROOT, scanner.scan)
const all = candidates()
const changes = values.sample === undefined ? all : drawn(all, Number(values.sample), Number(values.seed))
await close()
console.log(`${changes.length} of ${all.length} changes, seed ${values.seed}`)

const session = createMutantTests()
const survivors = []
/** Files of tests, and whether they pass without a change: what the others say is nothing. */
const passing = new Map()

/** The name of a test in the files that fails with the change and passes without it. */
async function firstFailure(files, text, changed, write) {
  for (;;) {
    const left = files.filter((file) => passing.get(file) !== false)
    if (left.length === 0) return undefined
    const { failure, file } = await session.firstFailure(left, LONGEST_RUN_MS)
    if (failure === undefined || file === undefined || passing.get(file)) return failure
    write(text)
    passing.set(file, (await session.firstFailure([file], LONGEST_RUN_MS)).failure === undefined)
    if (passing.get(file)) return failure
    console.log(`       ${file} fails without a change, and is left out.`)
    write(changed)
  }
}

try {
  for (const [count, change] of changes.entries()) {
    const path = join(session.folder, change.file)
    const text = readFileSync(path, 'utf8')
    const write = (content) => {
      writeFileSync(path, content)
      session.change(change.file)
    }
    const changed = text.slice(0, change.start) + change.to + text.slice(change.end)
    write(changed)
    let seen
    for (const files of portions(nearest.of(change.file))) {
      seen = await firstFailure(files, text, changed, write)
      if (seen !== undefined) break
    }
    write(text)
    if (seen === undefined) survivors.push(change)
    const what = `${change.file}:${change.line}  ${text.slice(change.start, change.end).replaceAll(/\s+/g, ' ').slice(0, 90)}  ->  ${change.to.slice(0, 60)}`
    console.log(
      `${String(count + 1).padStart(5)}  ${seen === undefined ? 'NOBODY ' : 'noticed'}  ${what}${seen === undefined ? '' : `  by ${seen.slice(0, 80)}`}`,
    )
  }
} finally {
  session.close()
}
const share = changes.length === 0 ? 100 : (100 * (changes.length - survivors.length)) / changes.length
console.log(`\n${changes.length - survivors.length} of ${changes.length} were noticed (${share.toFixed(1)} %).`)
process.exitCode = share >= Number(values['at-least']) ? 0 : 1
