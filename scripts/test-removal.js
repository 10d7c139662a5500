import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { loadModule } from './load-module.js'

// npm run test:removal [-- a2a]: takes each protocol beside CAP out of a copy of the repository, type-checks the sources, and runs the
// unit tests that do not need it.

const root = new URL('..', import.meta.url).pathname
const { module, close } = await loadModule(join(root, 'scripts/remove-protocol.ts'))
const { copyRepository, PROTOCOLS, removeProtocol, REPOSITORY } = module
const FOLDERS = [
  'base',
  'wire',
  'session',
  'state',
  'react',
  'protocols',
  'server',
  'storage',
  'query',
  'testing',
  'markdown',
]

for (const name of process.argv.slice(2).length > 0 ? process.argv.slice(2) : Object.keys(PROTOCOLS)) {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-without-'))
  // Some tests run a program as another user, who has to read the copy.
  chmodSync(folder, 0o755)
  copyRepository(root, folder, REPOSITORY)
  const changed = removeProtocol(name, folder)
  writeFileSync(join(folder, 'sources.json'), JSON.stringify({ extends: './tsconfig.json', include: ['src'] }))
  run('node_modules/.bin/tsc', ['-p', 'sources.json'])
  const own = PROTOCOLS[name].map((path) => join(folder, 'test', path))
  const lost = testsWithout(folder, own)
  for (const path of lost) rmSync(path)
  console.log(
    `Without ${name}: ${changed.length} files changed, the sources have their types, ${lost.length} tests are its own.`,
  )
  run('node_modules/.bin/vitest', ['run', '--project', 'unit', ...FOLDERS.map((each) => `test/${each}/`)])
  rmSync(folder, { recursive: true })

  function run(program, words) {
    execFileSync(program, words, { cwd: folder, stdio: 'inherit' })
  }
}

await close()

/** Test files whose imports, followed through other files, reach one that is gone. */
function testsWithout(folder, own) {
  const seen = new Map()
  const misses = (path) => {
    const known = seen.get(path)
    if (known !== undefined) return known
    seen.set(path, false)
    const text = readFileSync(path, 'utf8')
    const imports = [...text.matchAll(/(?:from |import\(|import )'(\.[^'?]+)/g)].map(([, to]) =>
      resolve(dirname(path), to),
    )
    const found = imports.some((to) => !existsSync(to) || (/\.[jt]sx?$/.test(to) && misses(to)))
    seen.set(path, found)
    return found
  }
  return readdirSync(join(folder, 'test'), { recursive: true })
    .filter((path) => /\.test\.tsx?$/.test(path) && !path.includes('node_modules'))
    .map((path) => join(folder, 'test', path))
    .filter((path) => misses(path) || own.some((each) => path.startsWith(`${each}/`)))
}
