import { readFileSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { build } from 'esbuild'
import { oneReact } from '../render/pages.js'
import { serveAgent, WHOLE } from './serve-agent.js'

const CONVERSATIONS = 5
const TURNS = 4
/** Between two looks at the counts, and the most of them until they stay the same. */
const LOOK_MS = 200
const MOST_LOOKS = 20

/**
 * Rounds on a page with a list of conversations and a chat: each asks in one of five conversations, in turns waits for the end,
 * leaves for another one meanwhile, takes the chat off the page meanwhile, or stops it. A conversation is removed after four
 * turns and a new one takes its place, so that as many are kept at any time. Samples while nothing is shown,
 * and waits for `onSample`.
 */
export async function soakBrowser({ browser, roundsPerSample, isOver, onSample = async () => {} }) {
  const { outputFiles } = await build({
    entryPoints: [new URL('page.tsx', import.meta.url).pathname],
    bundle: true,
    write: false,
    format: 'iife',
    jsx: 'automatic',
    logLevel: 'error',
    alias: oneReact,
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const css = readFileSync(new URL('../../dist/styles.css', import.meta.url), 'utf8')
  const html =
    '<!doctype html><html lang="en"><title>Soak</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/page.css"><body><div id="root"></div><script src="/page.js"></script>'
  const pages = {
    '/': ['text/html', html],
    '/page.css': ['text/css', css],
    '/page.js': ['text/javascript', outputFiles[0].text],
  }
  const server = await serveAgent((url) => pages[url])
  const context = await browser.newContext({ viewport: { width: 1000, height: 700 } })
  const page = await context.newPage()
  const problems = []
  page.on('pageerror', (error) => problems.push(error.message))
  const begun = performance.now()
  const samples = []
  const done = { rounds: 0, whole: 0, wrong: 0, switched: 0, unmounted: 0, stopped: 0, removed: 0 }

  try {
    await page.goto(server.origin)
    await page.waitForFunction(() => window.soak !== undefined)
    const cdp = await context.newCDPSession(page)
    await cdp.send('HeapProfiler.enable')
    const slots = Array.from({ length: CONVERSATIONS }, () => ({ id: randomUUID(), turns: 0 }))

    const settled = (slot) => page.evaluate((messages) => window.soak.settled(messages), slot.turns * 2)
    const finish = async (slot) => {
      await settled(slot)
      const last = await page.evaluate(() => window.soak.last())
      if (last === `complete:${WHOLE}`) done.whole += 1
      else {
        done.wrong += 1
        problems.push(last.slice(0, 200))
      }
    }
    const round = async (number) => {
      const slot = slots[number % CONVERSATIONS]
      const other = slots[(number + 1) % CONVERSATIONS]
      const show = (id) => page.evaluate((shown) => window.soak.show(shown), id)
      if (slot.turns === TURNS) {
        await show(undefined)
        await page.evaluate((id) => window.soak.remove(id), slot.id)
        done.removed += 1
        Object.assign(slot, { id: randomUUID(), turns: 0 })
      }
      slot.turns += 1
      await show(slot.id)
      await page.evaluate((before) => window.soak.ask(before), (slot.turns - 1) * 2)
      const kind = Math.floor(number / CONVERSATIONS) % TURNS
      if (kind === 1) {
        await show(other.id)
        await show(slot.id)
        done.switched += 1
      } else if (kind === 2) {
        await show(undefined)
        await show(slot.id)
        done.unmounted += 1
      } else if (kind === 3) {
        await page.evaluate(() => window.soak.stop())
        await settled(slot)
        done.stopped += 1
        return
      }
      await finish(slot)
    }
    const sample = async () => {
      await page.evaluate(() => window.soak.show(undefined))
      for (let pass = 0; pass < 3; pass += 1) await cdp.send('HeapProfiler.collectGarbage')
      // A write that is under way has listeners: the page counts as it is when nothing is.
      let counters = await countersOf(cdp)
      for (let look = 0, same = 0; look < MOST_LOOKS && same < 3; look += 1) {
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
        await cdp.send('HeapProfiler.collectGarbage')
        const next = await countersOf(cdp)
        same = JSON.stringify(next) === JSON.stringify(counters) ? same + 1 : 0
        counters = next
      }
      const { usedSize } = await cdp.send('Runtime.getHeapUsage')
      const taken = {
        atMs: performance.now() - begun,
        heap: usedSize,
        counts: {
          documents: counters.documents,
          nodes: counters.nodes,
          listeners: counters.jsEventListeners,
          connections: server.seen.open,
          threads: await page.evaluate(() => window.soak.threads()),
        },
      }
      samples.push(taken)
      await onSample(taken)
    }

    while (!isOver(done.rounds)) {
      await round(done.rounds)
      done.rounds += 1
      if (done.rounds % roundsPerSample === 0) await sample()
    }
  } catch (error) {
    throw problems.length === 0 ? error : new Error(`The page has failed: ${problems.join('; ')}`, { cause: error })
  } finally {
    await context.close()
    server.close()
  }
  return { samples, problems, done: { ...done, ...server.seen } }
}

function countersOf(cdp) {
  return cdp.send('Memory.getDOMCounters')
}

/** Rounds after which every conversation is as old as it was. */
export const CYCLE = CONVERSATIONS * TURNS
