// npm run bench:render [-- full | -- <scenario> ...] [-- --rounds=5]: what a streamed answer costs the page.
import { loadavg } from 'node:os'
import { median } from '../wire/measure.js'
import { measureCpu } from './cpu.js'
import { measureHostile } from './hostile.js'
import { costOf, heapOf, launch, open, versionsOf } from './pages.js'
import { SCENARIOS } from './scenarios.js'
import { printTargets, target } from './targets.js'

const words = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const full = words.includes('full')
const asked = words.filter((word) => word !== 'full')
const ROUNDS = Number(process.argv.find((word) => word.startsWith('--rounds='))?.slice(9) ?? (full ? 7 : 3))
const isAsked = (name, byDefault) => (asked.length > 0 ? asked.includes(name) : full || byDefault)

const browser = await launch()
console.log(await versionsOf(browser))
console.log(
  `${ROUNDS} rounds; load average ${loadavg()
    .map((load) => load.toFixed(1))
    .join(', ')}`,
)

for (const scenario of SCENARIOS) {
  if (!isAsked(scenario.name, scenario.byDefault)) continue
  report(scenario, await play(scenario))
}
if (isAsked('mount', true)) await mount()
await browser.close()
if (isAsked('cpu', true)) await measureCpu(full ? ['mixed', 'list', 'paragraph'] : ['mixed'])
if (isAsked('hostile', true)) await measureHostile()
console.log(
  `load average ${loadavg()
    .map((load) => load.toFixed(1))
    .join(', ')}`,
)
printTargets()

/** Each page once per round, in an order that moves on by one each round; the first round warms up. */
async function play({ pages, perSecond, tokens }) {
  const opened = []
  for (const page of pages)
    opened.push({ ...(await open(browser, { ...page, more: tokens * 5 * (ROUNDS + 1) })), key: page.key, runs: [] })
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (let turn = 0; turn < opened.length; turn += 1) {
      const one = opened[(turn + round) % opened.length]
      await one.page.bringToFront()
      const { result, cost } = await costOf(one, () =>
        one.page.evaluate((what) => globalThis.play(what), { tokens, perSecond }),
      )
      if (round > 0) one.runs.push({ ...result, ...cost })
    }
  }
  for (const one of opened) {
    one.heap = await heapOf(one)
    await one.close()
  }
  return Object.fromEntries(opened.map((one) => [one.key, one]))
}

function report({ name, perSecond, tokens, pages, most }, by) {
  console.log(`\n${name}: ${perSecond} tokens a second (medians of rounds; ratios within a round)`)
  const peerOf = (key) => by[key.replace(/^\S+/, 'ai-sdk')]
  const rawOf = (key) => by[key.replace(/^\S+/, 'raw')]
  console.table(
    Object.fromEntries(
      pages.map(({ key }) => {
        const { runs, heap } = by[key]
        return [
          key,
          {
            'script us/token': round((middle(runs, 'ScriptDuration') / tokens) * 1000),
            'task us/token': round((middle(runs, 'TaskDuration') / tokens) * 1000),
            'layout us/token': round(
              ((middle(runs, 'LayoutDuration') + middle(runs, 'RecalcStyleDuration')) / tokens) * 1000,
            ),
            'script ms/commit': round(
              median(runs.map(({ ScriptDuration, commits }) => ScriptDuration / Math.max(1, commits))),
            ),
            'script / ai-sdk': peerOf(key) ? ratio(by[key], peerOf(key), 'ScriptDuration').toFixed(3) : '',
            'task / raw': rawOf(key) ? ratio(by[key], rawOf(key), 'TaskDuration').toFixed(2) : '',
            'commits/s': round(median(runs.map(({ commits, seconds }) => commits / seconds))),
            'p95 frame': round(median(runs.map(p95))),
            'long tasks': median(runs.map(({ longTasks }) => longTasks.length)),
            longest: Math.max(0, ...runs.flatMap(({ longTasks }) => longTasks)),
            'heap MB': round(heap / 1e6),
          },
        ]
      }),
    ),
  )
  if (most === 100_000 && by['capstan 1 kB']) {
    const own = by['capstan 100 kB']
    target(`${name}: script per token, 100 kB / 1 kB`, ratio(own, by['capstan 1 kB'], 'ScriptDuration'), 1.25)
    if (name === 'mixed')
      target(`${name}: script / useChat + streamdown, 100 kB`, ratio(own, by['ai-sdk 100 kB'], 'ScriptDuration'), 1 / 6)
    if (['list', 'paragraph', 'footnotes'].includes(name))
      target(
        `${name}: script / useChat + streamdown, 100 kB`,
        ratio(own, by['ai-sdk 100 kB'], 'ScriptDuration'),
        1 / 15,
      )
    target(`${name}: task / raw DOM, 100 kB`, ratio(own, by['raw 100 kB'], 'TaskDuration'), 1.3)
  }
  if (['thread 2,000', 'table 20 kB'].includes(name)) {
    const both = (figure) => [median(by.capstan.runs.map(figure)), median(by.raw.runs.map(figure))]
    const [frame, rawFrame] = both(p95)
    const [long, rawLong] = both(({ longTasks }) => longTasks.length)
    const [commits, rawCommits] = both(({ commits, seconds }) => commits / seconds)
    target(`${name}: p95 frame, ms`, frame, 17, { raw: rawFrame })
    target(`${name}: long tasks`, long, 0, { raw: rawLong })
    target(`${name}: commits a second`, commits, 55, { sense: 'at least', raw: rawCommits })
    target(`${name}: task / raw DOM`, ratio(by.capstan, by.raw, 'TaskDuration'), 1.3)
  }
}

/** Thread time until 2,000 messages are there; a new page each time. */
async function mount() {
  const costs = { capstan: [], 'ai-sdk': [], raw: [] }
  for (let round = 0; round < Math.min(ROUNDS, 3); round += 1) {
    for (const who of Object.keys(costs)) {
      const one = await open(browser, { who, shape: 'mixed', size: 200, messages: 2000, more: 0 })
      costs[who].push(one.mount.TaskDuration)
      await one.close()
    }
  }
  const against = (who) => median(costs.capstan.map((ms, at) => ms / costs[who][at]))
  console.log(
    `\nmount of 2,000 messages, thread time: ${against('ai-sdk').toFixed(3)} of useChat + streamdown, ${against('raw').toFixed(2)} of raw DOM`,
  )
  target('mount of 2,000: task / useChat + streamdown', against('ai-sdk'), 1 / 6)
}

function middle(runs, name) {
  return median(runs.map((run) => run[name]))
}

function ratio(one, other, name) {
  return median(one.runs.map((run, at) => run[name] / other.runs[at][name]))
}

function p95({ frames }) {
  const sorted = frames.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length * 0.95)]
}

function round(value) {
  return Math.round(value * 10) / 10
}
