// npm run bench:growth [-- core | chat] [-- kind]
//
// What many things of one kind cost: in the core, ten times as many; in `Chat`, the longest task of the page.
import { createServer } from 'node:http'
import { build } from 'esbuild'
import { chromium } from 'playwright'
import { oneReact } from '../render/pages.js'
import { printTargets, target } from '../render/targets.js'
import { median } from '../wire/measure.js'
import { KINDS, LISTS, closing } from './kinds.js'

const ROOT = new URL('../..', import.meta.url).pathname
const words = process.argv.slice(2)
const only = words.find((word) => word !== 'core' && word !== 'chat')
const kinds = Object.entries(KINDS).filter(([name]) => only === undefined || name === only)
const [FEW, MANY] = [10_000, 100_000]
const PER_CHUNK = 100
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3)
const MOST_GROWTH = 12
const MOST_TASK_MS = 100
const encoder = new TextEncoder()

if (!words.includes('chat')) await measureCore()
if (!words.includes('core')) await measureChat()
printTargets()

async function measureCore() {
  const contents = "export { CapClient } from './src/index.ts'; export { createChat } from './src/index.ts'"
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: ROOT },
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['import'],
    write: false,
    logLevel: 'error',
  })
  const { CapClient, createChat } = await import(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`
  )
  const rows = {}
  for (const [name, packet] of kinds) {
    await play(CapClient, createChat, packet, 1000)
    const times = { [FEW]: [], [MANY]: [] }
    for (let round = 0; round < ROUNDS; round += 1) {
      // As many packets of either: one short run says little, for a collection of garbage falls into it or does not.
      let sum = 0
      for (let run = 0; run < MANY / FEW; run += 1) sum += await play(CapClient, createChat, packet, FEW)
      times[FEW].push((sum * FEW) / MANY)
      times[MANY].push(await play(CapClient, createChat, packet, MANY))
    }
    const [few, many] = [median(times[FEW]), median(times[MANY])]
    rows[name] = { [`${FEW}, ms`]: few.toFixed(0), [`${MANY}, ms`]: many.toFixed(0), growth: (many / few).toFixed(1) }
    target(`core, ${name}: growth of ten times as many`, many / few, MOST_GROWTH)
  }
  console.log(
    `\ncore: processor time of a whole run, ${PER_CHUNK} packets a chunk, median of ${ROUNDS}, of ${FEW} the mean of ${MANY / FEW} runs each`,
  )
  console.table(rows)
}

/** Milliseconds of processor time, garbage collection included. */
async function play(CapClient, createChat, packet, count) {
  const chunks = []
  for (let at = 0; at < count; at += PER_CHUNK)
    chunks.push(encoder.encode(Array.from({ length: PER_CHUNK }, (_, index) => packet(at + index)).join('')))
  chunks.reverse()
  const body = () =>
    new ReadableStream({
      async pull(controller) {
        // As on a network, each chunk comes in its own task, and frames come in between.
        await new Promise((resolve) => setImmediate(resolve))
        const chunk = chunks.pop()
        if (chunk === undefined) controller.close()
        else controller.enqueue(chunk)
      },
    })
  const client = new CapClient({
    baseUrl: 'https://agent.test',
    maxRetries: 0,
    fetch: async () => new Response(body(), { headers: { 'content-type': 'text/event-stream' } }),
    limits: { streams: Infinity, parts: Infinity, warnings: Infinity, bytes: Infinity },
  })
  const chat = createChat({ client: () => client, conversationId: crypto.randomUUID() })
  const before = process.cpuUsage()
  await chat.sendMessage('Tell me everything')
  const { user, system } = process.cpuUsage(before)
  await chat.dispose()
  return (user + system) / 1000
}

async function measureChat() {
  const { outputFiles } = await build({
    stdin: { contents: "import './bench/growth/page.js'; import './src/styles.css'", resolveDir: ROOT },
    bundle: true,
    minify: true,
    write: false,
    outdir: '/unwritten',
    format: 'iife',
    jsx: 'automatic',
    alias: oneReact,
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  })
  const [js = '', css = ''] = ['.js', '.css'].map((end) => outputFiles.find(({ path }) => path.endsWith(end))?.text)
  const server = createServer((request, response) => {
    if (request.method === 'POST') return void answer(request, response)
    if (request.url === '/page.js')
      return response.writeHead(200, { 'content-type': 'text/javascript;charset=utf-8' }).end(js)
    response
      .writeHead(200, { 'content-type': 'text/html;charset=utf-8' })
      .end(
        `<!doctype html><html lang="en"><link rel="icon" href="data:,"><style>${css}</style><style>html, body, main { height: 100%; margin: 0 }</style><main></main><script src="/page.js"></script>`,
      )
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  })
  const rows = {}
  const cases = [
    ...Object.keys(KINDS).map((kind) => ({ kind })),
    ...['deltas', 'gaps'].map((kind) => ({ kind, name: `${kind}, plain text`, setup: { markdown: false } })),
    ...Object.keys(LISTS).map((kind) => ({ kind })),
    { kind: 'deltas', name: 'messages before the question', setup: { messages: FEW }, count: PER_CHUNK },
  ].filter(({ kind, name = kind }) => only === undefined || name === only)
  for (const { kind, name = kind, setup = {}, count = FEW } of cases) {
    const results = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
      page.on('pageerror', (error) => console.error(name, error))
      await page.goto(`http://127.0.0.1:${server.address().port}/`)
      await page.evaluate((setup) => globalThis.begin(setup), setup)
      await browser.startTracing(page, {
        categories: ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline'],
      })
      const seen = await page.evaluate((question) => globalThis.ask(question), JSON.stringify({ kind, count }))
      results.push({ ...seen, ...longestTask(JSON.parse(await browser.stopTracing()).traceEvents) })
      await page.close()
    }
    // The best of the rounds: what the page needs, and not what else the machine did.
    const best = results.toSorted((a, b) => a.processor - b.processor)[0]
    rows[name] = {
      'longest task, ms of the processor': best.processor,
      rounds: results.map(({ processor }) => processor).join(' '),
      'of the clock': results.map(({ clock }) => clock).join(' '),
      messages: best.messages,
      parts: best.parts,
      'elements on the page': best.elements,
      ended: best.status,
    }
    target(`Chat, ${FEW} ${name}: longest task, ms`, best.processor, MOST_TASK_MS)
  }
  console.log(
    `\nChat: ${FEW} of each over a loopback connection, ${browser.version()}, ${ROUNDS} rounds, of which the best counts`,
  )
  console.table(rows)
  await browser.close()
  server.closeAllConnections()
  server.close()
}

/** Milliseconds of the longest task of a page's main thread: of the processor, and of the clock, where the machine does other work too. */
function longestTask(events) {
  const main = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  )
  const tasks = events.filter(
    ({ name, pid, tid }) =>
      (name === 'RunTask' || name === 'ThreadControllerImpl::RunTask') && main.has(`${pid} ${tid}`),
  )
  const longest = (key) => Math.round(Math.max(0, ...tasks.map((task) => task[key] ?? 0)) / 1000)
  return { processor: longest('tdur'), clock: longest('dur') }
}

async function answer(request, response) {
  let body = ''
  for await (const chunk of request) body += chunk
  const { kind, count } = JSON.parse(JSON.parse(body).payload.payload.query)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  if (kind in LISTS) response.write(LISTS[kind](count))
  else {
    for (let at = 0; at < count; at += PER_CHUNK) {
      const full = !response.write(
        Array.from({ length: Math.min(PER_CHUNK, count - at) }, (_, index) => KINDS[kind](at + index)).join(''),
      )
      await new Promise((resolve) => (full ? response.once('drain', resolve) : setImmediate(resolve)))
    }
  }
  if (kind !== 'streams') response.write(closing(count))
  response.end()
}
