import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { loadModule } from './load-module.js'

// npm run structure: how large the house is. Files, lines, folders, entry points, public names, circles of imports, types included,
// and the files that a token and a click on "Allow" run through, which a test measures.

const SMALL = 20

const root = new URL('..', import.meta.url).pathname
const { module: scanner, close } = await loadModule(join(root, 'test/layers/scan.ts'))
const { module: circleFinder, close: closeFinder } = await loadModule(join(root, 'test/layers/circles.ts'))

const sources = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => {
    const path = join(entry.parentPath, entry.name)
    const text = readFileSync(path, 'utf8')
    const imports = scanner.scan(path, text).imports.map(({ specifier }) => join(dirname(path), specifier))
    return { path, text, lines: text.split('\n').length - 1, imports }
  })
const importers = new Map(sources.map(({ path }) => [path, new Set()]))
for (const { path, imports } of sources) for (const to of imports) importers.get(to)?.add(path)

const lines = sources.map((source) => source.lines).toSorted((one, other) => one - other)
const smallWithOneImporter = sources.filter((source) => source.lines < SMALL && importers.get(source.path).size === 1)
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const entries = Object.keys(manifest.exports).filter((entry) => entry !== './package.json')
const styles = entries.filter((entry) => entry.endsWith('.css'))
const circles = circleFinder.fileCircles(sources)

const figures = [
  ['files in src', sources.length],
  ['median lines', lines[Math.floor(lines.length / 2)]],
  [`files under ${SMALL} lines with one importer`, smallWithOneImporter.length],
  ['lines in src', lines.reduce((sum, each) => sum + each, 0)],
  ['folders in src', new Set(sources.map(({ path }) => dirname(path))).size],
  ['code entry points', entries.length - styles.length],
  ['style sheets', styles.length],
  ['public names', publicNames().size],
  ['circles of imports, types included', circles.length],
]
figures.push(...journeys())
for (const [name, figure] of figures) console.log(`${String(figure).padStart(7)}  ${name}`)
for (const circle of circles) {
  console.log(`\n${circle.length} files import each other:`)
  for (const path of circle.slice(0, 12)) console.log(`  ${path.slice(root.length)}`)
  if (circle.length > 12) console.log(`  and ${circle.length - 12} more`)
}
await closeFinder()
await close()

/** Of each way through the sources, how many files it runs through. */
function journeys() {
  const said = execFileSync(
    'node_modules/.bin/vitest',
    ['run', '--project', 'unit', 'test/components/chat.journeys.test.tsx'],
    { cwd: root, encoding: 'utf8' },
  )
  return [...said.matchAll(/(A [\w ]+) runs through (\d+) files of the client/g)].map(([, what, files]) => [
    `files of the client that ${what[0].toLowerCase()}${what.slice(1)} runs through`,
    Number(files),
  ])
}

/** Names that the entry points export, each once. */
function publicNames() {
  const reports = readdirSync(join(root, 'api')).filter((name) => name.endsWith('.api.md'))
  return new Set(
    reports.flatMap((name) => {
      const text = readFileSync(join(root, 'api', name), 'utf8')
      return [...text.matchAll(/^export (?:declare )?(?:abstract )?\w+ (\w+)|^export \{ (\w+)/gm)].map(
        ([, declared, named]) => declared ?? named,
      )
    }),
  )
}
