// node scripts/measure-markdown.js [shape ...]: what one more append of 5 code units costs, with the root read after it, when the
// message has 1, 10 and 100 KB: as ratios, because bare times say more about the machine than about the engine.
import { build } from 'esbuild'

const PIECE = 5
const SIZES = [1, 10, 100].map((size) => size * 1000)
const WINDOW = 400

const { createMarkdownStream } = await load('src/markdown/markdown-stream.ts')

const words = 'The connection dropped and the session resumed after the last packet it saw, with the same request id. '
const repeat = (make) => (size) => {
  let text = ''
  for (let index = 0; text.length < size; index++) text += make(index)
  return text.slice(0, size)
}

/** Whole messages of a size; `flat`: written once, so that growth per append shows. */
const SHAPES = {
  mixed: repeat(
    (n) =>
      `## Part ${n}\n\n${words}See **this** and [that](https://example.org/${n}).\n\n- one\n- two \`code\`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n\`\`\`js\nconst a = ${n}\n\`\`\`\n\n`,
  ),
  'one list': repeat((n) => `- item ${n} with *words* in it\n`),
  'loose list': repeat((n) => `- item ${n} with *words* in it\n\n`),
  'nested list': repeat((n) => `${'  '.repeat(n % 5)}- item ${n}\n`),
  table: (size) =>
    `| a | b | c |\n|---|:-:|--:|\n${repeat((n) => `| ${n} | some *text* here | ${n * n} |\n`)(size)}`.slice(0, size),
  'code fence': (size) => `\`\`\`js\n${repeat((n) => `const value${n} = compute(${n})\n`)(size)}`.slice(0, size),
  'paragraph, one line': repeat(() => `${words}And **bold** or \`code\`. `),
  'paragraph, many lines': repeat((n) => `${words}\nline ${n} with *emphasis*\n`),
  quote: repeat((n) => `> ${words}\n${n % 4 === 3 ? '>\n' : ''}`),
  footnotes: repeat((n) => `Text[^${n}] goes on.\n\n[^${n}]: Note ${n} says *this*.\n\n`),
  '`- ` on one line': repeat(() => '- '),
  '`- ` then text': (size) => `${'- '.repeat(200)}${repeat(() => 'word ')(size)}`.slice(0, size),
  '`>` on one line': repeat(() => '>'),
  '`>` then text': (size) => `${'>'.repeat(300)}${repeat(() => 'word ')(size)}`.slice(0, size),
  'one word': repeat(() => 'a'),
  'one code line': (size) => `\`\`\`\n${'a b '.repeat(size / 4)}`.slice(0, size),
  'one heading': (size) => `# ${repeat(() => words)(size)}`.slice(0, size),
  'one table row': (size) => `|a|b|\n|-|-|\n| x | ${repeat(() => words)(size)}`.slice(0, size),
  'one row of pipes': (size) => `|a|b|\n|-|-|\n${repeat(() => 'a|')(size)}`.slice(0, size),
  'one opening fence': (size) => `\`\`\`${repeat(() => 'word ')(size)}`.slice(0, size),
  'one tag': (size) => `<a ${repeat(() => 'word ')(size)}`.slice(0, size),
  'one definition title': (size) => `[a]: b "${repeat((n) => `word ${n}\n`)(size)}`.slice(0, size),
  'one-letter lines': repeat(() => 'a\n'),
  '10,000 levels, many lines': repeat((n) => `${'  '.repeat(Math.min(n, 100))}- ${n}\n`),
  'quotes deepening': repeat((n) => `${'>'.repeat(Math.min(n % 200, 150))} ${n}\n`),
  'wide table, short rows': (size) =>
    `${'|a'.repeat(500)}|\n${'|-'.repeat(500)}|\n${repeat((n) => `|${n}|\n`)(size)}`.slice(0, size),
  'blank lines in an item': (size) => `- a\n${'\n'.repeat(size)}`.slice(0, size),
  'blank lines in indented code': (size) => `    a\n${'\n'.repeat(size)}`.slice(0, size),
  definitions: repeat((n) => `[label ${n}]: https://example.org/${n} "title"\n`),
  'open html': (size) => `<div>\n${repeat((n) => `<p>${n}\n`)(size)}`.slice(0, size),
}

const asked = process.argv.slice(2)
const rows = []
for (const [name, make] of Object.entries(SHAPES)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  const text = make(SIZES.at(-1))
  streamed(text.slice(0, 20_000))
  const { medians, tails, worst, total, finish } = streamed(text)
  rows.push({
    shape: name,
    'us at 1 KB': medians[0].toFixed(1),
    '10 KB / 1 KB': (medians[1] / medians[0]).toFixed(2),
    '100 KB / 1 KB': (medians[2] / medians[0]).toFixed(2),
    'p99 us': tails[2].toFixed(0),
    'worst ms': worst.toFixed(1),
    'finish ms': finish.toFixed(2),
    'whole / streamed': (whole(text) / total).toFixed(3),
  })
}
console.table(rows)
if (asked.length === 0) lateDefinitions()

function streamed(text) {
  const stream = createMarkdownStream()
  const times = new Float64Array(Math.ceil(text.length / PIECE))
  for (let index = 0, at = 0; at < text.length; index++, at += PIECE) {
    const piece = text.slice(at, at + PIECE)
    const begun = performance.now()
    stream.append(piece)
    void stream.root
    times[index] = performance.now() - begun
  }
  const windows = SIZES.map((size) =>
    times.slice(Math.max(0, Math.ceil(size / PIECE) - WINDOW), Math.ceil(size / PIECE)).toSorted(),
  )
  const begun = performance.now()
  stream.finish()
  const finish = performance.now() - begun
  return {
    medians: windows.map((sorted) => 1000 * (sorted[sorted.length >> 1] ?? 0)),
    tails: windows.map((sorted) => 1000 * (sorted[Math.floor(sorted.length * 0.99)] ?? 0)),
    worst: times.reduce((most, time) => Math.max(most, time), 0),
    total: times.reduce((sum, time) => sum + time, 0),
    finish,
  }
}

function whole(text) {
  const stream = createMarkdownStream()
  const begun = performance.now()
  stream.append(text)
  stream.finish()
  void stream.root
  return performance.now() - begun
}

/** 5,000 paragraphs wait for one label; one paragraph waits for 5,000. */
function lateDefinitions() {
  const stream = createMarkdownStream()
  let begun = performance.now()
  stream.append('See [label] and *more*.\n\n'.repeat(5000))
  void stream.root
  const read = performance.now() - begun
  begun = performance.now()
  stream.append('[label]: /url\n\n')
  void stream.root
  console.log(
    `5,000 paragraphs, one late definition: ${((performance.now() - begun) / read).toFixed(2)} times the time it took to read them`,
  )
  const labels = Array.from({ length: 5000 }, (_, index) => `[l${index}]`)
  const other = createMarkdownStream()
  begun = performance.now()
  other.append(`${labels.join(' ')}\n\n`)
  const parsed = performance.now() - begun
  begun = performance.now()
  for (const label of labels) {
    other.append(`${label}: /url\n\n`)
    void other.root
  }
  other.finish()
  console.log(
    `one paragraph, 5,000 late definitions: ${((performance.now() - begun) / parsed).toFixed(0)} times the paragraph's own parse`,
  )
}

async function load(path) {
  const { outputFiles } = await build({
    entryPoints: [path],
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    write: false,
  })
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`)
}
