// The engine alone, on text that is written to be dear: 83 characters a commit, as at 1,000 tokens and 60 frames a second.
import { build } from 'esbuild'
import { median } from '../wire/measure.js'
import { target } from './targets.js'

const COMMIT = 83
const SIZES = [25_000, 50_000, 100_000]
const ROOT = new URL('../..', import.meta.url).pathname

const repeat = (make) => (size) => {
  let text = ''
  for (let index = 0; text.length < size; index += 1) text += make(index)
  return text.slice(0, size)
}

const INPUTS = {
  '*a_': repeat(() => '*a_'),
  '*a_, then a paragraph': (size) =>
    `${repeat(() => '*a_')(size * 0.8)}\n\n${repeat(() => 'word ')(size)}`.slice(0, size),
  '[, then a paragraph': (size) => `${repeat(() => '[')(size * 0.8)}\n\n${repeat(() => 'word ')(size)}`.slice(0, size),
  '**a**': repeat(() => '**a**'),
  '*a **b ': repeat(() => '*a **b '),
  '[': repeat(() => '['),
  '![': repeat(() => '!['),
  '[a](b': repeat(() => '[a](b'),
  '[a](b)': repeat(() => '[a](b) '),
  backticks: repeat((n) => `${'`'.repeat(n % 200)}a`),
  '<a ': repeat(() => '<a '),
  '- on one line': repeat(() => '- '),
  '> on one line': repeat(() => '>'),
  'quotes deepening': repeat((n) => `${'>'.repeat(n % 150)} ${n}\n`),
  'items deepening': repeat((n) => `${'  '.repeat(Math.min(n, 100))}- ${n}\n`),
  // A fifth of it whatever the size, or nothing could be said of its growth: 10,000 levels in 100 kB.
  '10,000 levels of quote': (size) => `${'> '.repeat(size / 10)}${repeat(() => 'word ')(size)}`.slice(0, size),
  '500 columns, short rows': (size) =>
    `${'|a'.repeat(500)}|\n${'|-'.repeat(500)}|\n${repeat((n) => `|${n}|\n`)(size)}`.slice(0, size),
  'labels, then definitions': (size) =>
    `${repeat((n) => `[l${n}] `)(size / 3)}\n\n${repeat((n) => `[l${n}]: /url\n\n`)(size)}`.slice(0, size),
  'paragraphs, then a definition': (size) =>
    `${repeat(() => 'See [label].\n\n')(size * 0.8)}\n\n[label]: /url\n\n${repeat(() => 'word ')(size)}`.slice(0, size),
  'cells, then a definition': (size) =>
    `${'|a'.repeat(20)}|\n${'|-'.repeat(20)}|\n${repeat(() => `${'|[l]'.repeat(20)}|\n`)(size * 0.8)}\n\n[l]: /url\n\n${repeat(() => 'word\n')(size)}`.slice(
      0,
      size,
    ),
  definitions: repeat((n) => `[label ${n}]: https://example.org/${n} "title"\n`),
  'one-letter lines': repeat(() => 'a\n'),
}

export async function measureHostile() {
  const { createMarkdownStream } = await load()
  const rows = {}
  const worst = { commit: 0, closing: 0, growth: 0 }
  for (const [name, make] of Object.entries(INPUTS)) {
    const runs = SIZES.map((size) => {
      const text = make(size)
      // The best of three for each commit: what the engine needs, and not what the machine did meanwhile.
      const each = Array.from({ length: 3 }, () => streamed(createMarkdownStream, text))
      const commits = each[0].commits.map((_, at) => Math.min(...each.map(({ commits }) => commits[at])))
      const least = (key) => Math.min(...each.map((run) => run[key]))
      return {
        commit: Math.max(...commits),
        finish: least('finish'),
        whole: least('whole'),
        total: commits.reduce((sum, ms) => sum + ms, 0),
      }
    })
    const last = runs.at(-1)
    const row = {
      commit: last.commit,
      closing: last.finish / last.whole,
      growth: Math.sqrt(last.total / runs[0].total),
      total: last.total / last.whole,
    }
    // A closing of microseconds is not measured by its share.
    if (last.finish < 1) row.closing = Math.min(row.closing, 1)
    for (const key of Object.keys(worst)) worst[key] = Math.max(worst[key], row[key])
    rows[name] = {
      'worst commit, ms': row.commit.toFixed(2),
      'finish, ms': last.finish.toFixed(2),
      'finish / whole parse': row.closing.toFixed(2),
      'growth per doubling': row.growth.toFixed(2),
      'all commits / whole parse': row.total.toFixed(1),
    }
  }
  console.log(
    `\nhostile text, the engine alone: 100 kB in commits of ${COMMIT} characters (growth: 25 to 100 kB, median ${median(Object.values(rows).map((row) => Number(row['growth per doubling']))).toFixed(2)})`,
  )
  console.table(rows)
  target('hostile, 100 kB: worst commit, ms', worst.commit, 16)
  target('hostile, 100 kB: closing / whole parse', worst.closing, 1.5)
  target('hostile: growth per doubling', worst.growth, 2.6)
}

function streamed(createMarkdownStream, text) {
  const stream = createMarkdownStream()
  const commits = []
  for (let at = 0; at < text.length; at += COMMIT) {
    commits.push(
      timed(() => {
        stream.append(text.slice(at, at + COMMIT))
        void stream.root
      }),
    )
  }
  const finish = timed(() => {
    stream.finish()
    void stream.root
  })
  const whole = timed(() => {
    const other = createMarkdownStream()
    other.append(text)
    other.finish()
    void other.root
  })
  return { commits, finish, whole }
}

function timed(act) {
  const begun = performance.now()
  act()
  return performance.now() - begun
}

async function load() {
  const { outputFiles } = await build({
    entryPoints: [`${ROOT}src/markdown/markdown-stream.ts`],
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    write: false,
  })
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`)
}
