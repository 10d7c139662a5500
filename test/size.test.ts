import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { ROOT } from './layers/files.ts'

interface Sizes {
  readonly entryPoints: Readonly<Record<string, { readonly esbuild: number; readonly rolldown: number }>>
  readonly sheets: Readonly<Record<string, number>>
}

const KB = 1024

const TOO_LARGE = `A limit of what a page pays. What to do: npm run build && npm run size prints every figure; look for a module that is
new in the bundle (one import too many), for code that only some apps need (load it on demand or give it an entry point), and
for a table that is written twice. Raise a limit only for what every page needs, with the reason as a comment beside it.`

const MEASURES_NOTHING = 'This is too small to be true: see in scripts/measure-entry-points.js whether it still imports what it measures.'

// The script prints exactly this shape.
const sizes = JSON.parse(execFileSync('node', ['scripts/measure-entry-points.js', '--json'], { cwd: ROOT, encoding: 'utf8' })) as Sizes

function sizeOf(name: string): number {
  const size = sizes.entryPoints[name]
  if (size === undefined) throw new Error(`measure-entry-points.js measures no ${name}.`)
  return Math.max(size.esbuild, size.rolldown)
}

describe('what a page pays, gzipped, by the worse of two bundlers', () => {
  // 0.5 kB more than it was: what cannot be sent is a result that names its reason, a connection counts its requests, and an
  // agent is told what a question follows and replaces.
  it('is at most 10.5 kB for the core, without schemas', () => {
    expect(sizeOf('core'), TOO_LARGE).toBeLessThanOrEqual(10.5 * KB)
  })

  // 0.5 kB more than it was: errors name their address, and a client says what to do when a server component passes it on.
  it('is at most 19.5 kB for CapClient with all it needs', () => {
    expect(sizeOf('cap'), TOO_LARGE).toBeLessThanOrEqual(19.5 * KB)
  })

  // 0.75 kB more than it was: results of verbs, lineage, and the check of conversation ids in development.
  it('is at most 6.75 kB more for the hooks', () => {
    expect(sizeOf('cap + react') - sizeOf('cap'), TOO_LARGE).toBeLessThanOrEqual(6.75 * KB)
  })

  // 0.25 kB more than it was: a connection that is open and silent, the same for every pill; times in hours and days.
  // 1 kB more before that: words for a first connection that does not come about, address and packet of an error, a missing
  // sheet, what was not finished, and a ref for every part.
  it('is at most 30.5 kB more for every component, beside the virtualiser and the markdown engine', () => {
    const components = sizeOf('core + react + components') - sizeOf('core + react')
    expect(components, MEASURES_NOTHING).toBeGreaterThan(10 * KB)
    expect(components, TOO_LARGE).toBeLessThanOrEqual(30.5 * KB)
  })

  it('is at most 28 kB for markdown, engine and view', () => {
    expect(sizeOf('markdown'), MEASURES_NOTHING).toBeGreaterThan(10 * KB)
    expect(sizeOf('markdown'), TOO_LARGE).toBeLessThanOrEqual(28 * KB)
  })

  // 0.25 kB more than it was: a page zoomed to 400 % gives half of its height to what is read.
  it('is at most 8.25 kB for the look of them all, and 1 kB more for that of markdown', () => {
    expect(sizes.sheets['styles.css, without markdown'], MEASURES_NOTHING).toBeGreaterThan(4 * KB)
    expect(sizes.sheets['styles.css, without markdown'], TOO_LARGE).toBeLessThanOrEqual(8.25 * KB)
    expect(sizes.sheets['styles.css'], TOO_LARGE).toBeLessThanOrEqual(9 * KB)
  })

  it('is at most 2 kB more for highlighting, beside shiki', () => {
    const highlighting = sizeOf('core + react + components + highlight') - sizeOf('core + react + components')
    expect(highlighting, MEASURES_NOTHING).toBeGreaterThan(1 * KB)
    expect(highlighting, TOO_LARGE).toBeLessThanOrEqual(2 * KB)
    expect(sizes.sheets['highlighting.css'], TOO_LARGE).toBeLessThanOrEqual(0.5 * KB)
  })

  it('is at most 17.5 kB more for a store of threads, with IndexedDB', () => {
    const storage = sizeOf('core + storage') - sizeOf('core')
    expect(storage, MEASURES_NOTHING).toBeGreaterThan(4 * KB)
    expect(storage, TOO_LARGE).toBeLessThanOrEqual(17.5 * KB)
  })

  // 0.25 kB more than it was: the provider's store is found, a ref, and a warning where the sheet is missing.
  it('is at most 2.75 kB more for a list of them, and 1 kB for its look', () => {
    const threads = sizeOf('core + react + components + threads') - sizeOf('core + react + components')
    expect(threads, MEASURES_NOTHING).toBeGreaterThan(1 * KB)
    expect(threads, TOO_LARGE).toBeLessThanOrEqual(2.75 * KB)
    expect(sizes.sheets['thread-list.css'], TOO_LARGE).toBeLessThanOrEqual(1 * KB)
  })

  it('is at most 2 kB more for queries, beside React Query', () => {
    const query = sizeOf('cap + react + query') - sizeOf('cap + react')
    expect(query, MEASURES_NOTHING).toBeGreaterThan(0.5 * KB)
    expect(query, TOO_LARGE).toBeLessThanOrEqual(2 * KB)
  })

  it('leaves languages out that a page does not name', () => {
    expect(sizeOf('locales, one of them'), TOO_LARGE).toBeLessThan(sizeOf('locales') / 2)
  })

  it('leaves the schemas out of a client that does not name them', () => {
    expect(sizeOf('cap, whole entry point with schemas') - sizeOf('cap'), MEASURES_NOTHING).toBeGreaterThan(5 * KB)
  })
})
