// npm run bench:compare: capstan beside its rivals while an answer grows, in interleaved rounds, a table for each shape and rate.
import { loadavg } from 'node:os'
import { median } from '../wire/measure.js'
import { costOf, heapOf, launch, open, versionsOf } from '../render/pages.js'
import { printTargets, target } from '../render/targets.js'
import { readOptions } from './options.js'

/** Tokens that are played before a page is measured: its code is compiled, and what the end of the mount put off is done. */
const WARM_UP = 100
/** Key presses that are measured in a round, and the milliseconds between them. */
const PRESSES = 40
const BETWEEN = 50
/** The frame rate, and what Chromium rounds the duration of an event to. */
const SHORTEST_EVENT = 16

const { shapes, rates, sizes, only, rounds, seconds, byFrames } = readOptions(process.argv.slice(2))
const browser = await launch()
const load = () =>
  `load average ${loadavg()
    .map((load) => load.toFixed(1))
    .join(', ')}`
console.log(await versionsOf(browser))
console.log(`${rounds} rounds of ${seconds} s and ${PRESSES} key presses; ${load()}`)

for (const shape of shapes) {
  for (const rate of rates) {
    for (const size of sizes) console.table(await compare(shape, rate, size))
  }
}
await browser.close()
console.log(load())
printTargets()

/** Each page once a round, new each time so that all answers are as long, in an order that moves on by one each round. */
async function compare(shape, rate, size) {
  const pages = only.map((who) => ({ who, size, runs: [] }))
  // What the growth of layout is judged by.
  if (only.includes('capstan') && size > 1000) pages.push({ who: 'capstan', size: 1000, runs: [] })
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < pages.length; turn += 1) {
      const page = pages[(turn + round) % pages.length]
      page.runs.push(await measure(page, shape, rate))
    }
  }
  judge(shape, rate, pages)
  return Object.fromEntries(
    pages.map(({ who, size, runs }) => [`${shape} ${rate}/s ${who} ${size / 1000} kB`, rowOf(runs)]),
  )
}

async function measure({ who, size }, shape, rate) {
  const tokens = Math.round(rate * seconds)
  const typed = Math.round((rate * PRESSES * BETWEEN) / 1000)
  const one = await open(browser, { who, shape, size, messages: 10, more: (tokens + typed * 3 + WARM_UP) * 5 })
  try {
    const play = (tokens) => one.page.evaluate((what) => globalThis.play(what), { tokens, perSecond: rate, byFrames })
    await play(WARM_UP)
    const { result, cost } = await costOf(one, () => play(tokens))
    const heap = await heapOf(one)
    const [presses] = await Promise.all([pressKeys(one), play(typed)])
    return { ...result, ...cost, tokens, heap, presses }
  } finally {
    await one.close()
  }
}

/** Milliseconds from each key press to the frame that shows it, as Chromium tells pages of it. */
async function pressKeys({ page, session }) {
  await page.evaluate(() => globalThis.watchKeys())
  for (let press = 0; press < PRESSES; press += 1) {
    const key = { key: 'a', code: 'KeyA', windowsVirtualKeyCode: 65 }
    await session.send('Input.dispatchKeyEvent', { type: 'keyDown', text: 'a', ...key })
    await session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key })
    await new Promise((resolve) => setTimeout(resolve, BETWEEN))
  }
  const slow = await page.evaluate(() => globalThis.slowKeys())
  return [...slow, ...Array.from({ length: Math.max(0, PRESSES - slow.length) }, () => SHORTEST_EVENT)]
}

function rowOf(runs) {
  const each = (figure) => median(runs.map(figure))
  const perCommit = (name) =>
    round(
      each((run) => run[name] / Math.max(1, run.commits)),
      2,
    )
  return {
    'commits/s': round(each(commitsPerSecond), 1),
    'long tasks': each(({ longTasks }) => longTasks.length),
    'key p98, ms': round(each(p98), 0),
    'script ms/commit': perCommit('ScriptDuration'),
    'layout ms/commit': round(
      each((run) => layoutOf(run) / Math.max(1, run.commits)),
      2,
    ),
    'task ms/commit': perCommit('TaskDuration'),
    'layout us/token': round(
      each((run) => (layoutOf(run) / run.tokens) * 1000),
      0,
    ),
    'heap MB': round(
      each(({ heap }) => heap / 1e6),
      1,
    ),
  }
}

function judge(shape, rate, pages) {
  const [own, small] = pages.filter(({ who }) => who === 'capstan')
  if (!own) return
  const name = `${shape}, ${rate} tokens/s, ${own.size / 1000} kB`
  const each = (figure) => median(own.runs.map(figure))
  const raw = pages.find(({ who }) => who === 'raw')
  const ofRaw = (figure) => raw && median(raw.runs.map(figure))
  target(`${name}: commits a second`, each(commitsPerSecond), 58, { sense: 'at least', raw: ofRaw(commitsPerSecond) })
  const long = ({ longTasks }) => longTasks.length
  target(`${name}: long tasks`, each(long), 0, { raw: ofRaw(long) })
  target(`${name}: key press p98, ms`, each(p98), 32, { raw: ofRaw(p98) })
  const against = (other, figure) => median(own.runs.map((run, at) => figure(run) / figure(other.runs[at])))
  if (small)
    target(
      `${name}: layout per token / 1 kB`,
      against(small, (run) => layoutOf(run) / run.tokens),
      2,
    )
  if (small && shape === 'footnotes')
    target(
      `${name}: script per token / 1 kB`,
      against(small, ({ ScriptDuration, tokens }) => ScriptDuration / tokens),
      1.15,
    )
  const barest = pages.find(({ who }) => who === 'react')
  if (!barest) return
  const perCommit = (figure) => against(barest, (run) => run[figure] / Math.max(1, run.commits))
  target(`${name}: script a commit / barest React page`, perCommit('ScriptDuration'), 1.5)
  target(`${name}: main thread a commit / barest React page`, perCommit('TaskDuration'), 1)
}

function commitsPerSecond({ commits, seconds }) {
  return commits / seconds
}

function layoutOf({ LayoutDuration, RecalcStyleDuration }) {
  return LayoutDuration + RecalcStyleDuration
}

function p98({ presses }) {
  return presses.toSorted((a, b) => a - b)[Math.ceil(presses.length * 0.98) - 1]
}

function round(value, digits) {
  return Number(value.toFixed(digits))
}
