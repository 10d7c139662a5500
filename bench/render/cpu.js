// 20 kB in steps of 32 bytes, in jsdom: processor time of rendering alone, no layout and no paint; with React and jsdom, and the
// engine's own.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Session } from 'node:inspector/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { median } from '../wire/measure.js'
import { SHAPES } from './shapes.js'
import { target } from './targets.js'

const SIZE = 20_000
const STEP = 32
const ROOT = new URL('../..', import.meta.url).pathname
const ROUNDS = 3

/** Each in its own file, by which a profile knows whose a function is. React is in none of them. */
const CONTENDERS = {
  capstan: `
import { createElement } from 'react'
import { markdownEngine } from './src/components/markdown-block/rich-text-engine.tsx'
export default (text, live) => createElement(markdownEngine.Text, { text, live })
`,
  streamdown: `
import { createElement } from 'react'
import { Streamdown } from './bench/node_modules/streamdown/dist/index.js'
export default (text, live) => createElement(Streamdown, { isAnimating: live }, text)
`,
}

const HARNESS = `
import { createRoot } from 'react-dom/client'
import { flushSync } from 'react-dom'
import capstan from './capstan.mjs'
import streamdown from './streamdown.mjs'
const contenders = { capstan, streamdown }
export async function stream(who, text, step) {
  const box = document.createElement('main')
  document.body.append(box)
  const root = createRoot(box)
  let changed = true
  const seen = new MutationObserver(() => (changed = true))
  seen.observe(box, { childList: true, characterData: true, subtree: true })
  const before = process.cpuUsage()
  for (let end = step; end < text.length + step; end += step) {
    flushSync(() => root.render(contenders[who](text.slice(0, end), end < text.length)))
    // What is put off (a transition) has its turn before the next step.
    for (changed = true; changed; ) {
      changed = false
      await new Promise((resolve) => setImmediate(resolve))
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const { user, system } = process.cpuUsage(before)
  const shown = box.textContent
  seen.disconnect()
  root.unmount()
  box.remove()
  return { ms: (user + system) / 1000, shown }
}
`

export async function measureCpu(shapes) {
  const { stream, close } = await load()
  const whole = {}
  const own = {}
  for (const shape of shapes) {
    const text = SHAPES[shape](SIZE)
    const ratios = []
    const ownRatios = []
    for (let round = 0; round <= ROUNDS; round += 1) {
      const order = round % 2 === 0 ? ['capstan', 'streamdown'] : ['streamdown', 'capstan']
      const ms = {}
      const ownMs = {}
      for (const who of order) {
        const { ms: spent, shown } = await stream(who, text, STEP)
        if (shown.length < text.length / 3)
          throw new Error(`${who} showed ${shown.length} of ${text.length} characters.`)
        ms[who] = spent
        ownMs[who] = await ownTime(who, () => stream(who, text, STEP))
      }
      if (round === 0) continue
      ratios.push(ms.capstan / ms.streamdown)
      ownRatios.push(ownMs.capstan / ownMs.streamdown)
    }
    whole[shape] = rowOf(ratios)
    own[shape] = rowOf(ownRatios)
    target(`cpu in jsdom, 20 kB in 32-byte steps, ${shape}: capstan / streamdown`, median(ratios), 1 / 8)
    target(`the engine's own time, 20 kB in 32-byte steps, ${shape}: capstan / streamdown`, median(ownRatios), 1 / 12)
  }
  await close()
  console.log(`\nprocessor time in jsdom, 20 kB in steps of 32 bytes, ${ROUNDS} rounds`)
  console.table(whole)
  console.log('\nof it in the code of each: parser and components, without React and jsdom (V8 profile)')
  console.table(own)
}

function rowOf(ratios) {
  return {
    'capstan / streamdown': median(ratios).toFixed(3),
    from: Math.min(...ratios).toFixed(3),
    to: Math.max(...ratios).toFixed(3),
  }
}

/** Samples of a profile in which a function of the contender's file, or what it calls in V8, runs. */
async function ownTime(who, act) {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: 200 })
  await session.post('Profiler.start')
  await act()
  const { profile } = await session.post('Profiler.stop')
  session.disconnect()
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]))
  const parents = new Map(profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])))
  const isOwn = (id) => {
    for (let at = id; at !== undefined; at = parents.get(at)) {
      const { url } = nodes.get(at).callFrame
      if (url !== '') return url.endsWith(`/${who}.mjs`)
    }
    return false
  }
  return profile.samples.filter(isOwn).length
}

async function load() {
  const { JSDOM } = createRequire(`${ROOT}package.json`)('jsdom')
  const { window } = new JSDOM('<!doctype html><body></body>', { pretendToBeVisual: true })
  for (const name of [
    'window',
    'document',
    'Node',
    'Element',
    'HTMLElement',
    'HTMLIFrameElement',
    'MutationObserver',
    'Event',
    'getComputedStyle',
    'requestAnimationFrame',
    'cancelAnimationFrame',
  ]) {
    Object.defineProperty(globalThis, name, {
      configurable: true,
      writable: true,
      value: name === 'window' ? window : window[name],
    })
  }
  // jsdom lays nothing out and has no such method; streamdown calls it in every frame.
  window.Element.prototype.scrollTo = () => {}
  const folder = await mkdtemp(join(ROOT, 'bench/node_modules/.cpu-'))
  const shared = ['react', 'react-dom', 'react-dom/client', 'react/jsx-runtime']
  for (const [name, contents] of Object.entries(CONTENDERS)) {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: ROOT },
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'node',
      mainFields: ['module', 'main'],
      jsx: 'automatic',
      external: shared,
      define: { 'process.env.NODE_ENV': '"production"' },
      banner: {
        js: `import { createRequire } from 'node:module'; const require = createRequire(${JSON.stringify(import.meta.url)});`,
      },
      logLevel: 'error',
    })
    await writeFile(join(folder, `${name}.mjs`), outputFiles[0].text)
  }
  await writeFile(join(folder, 'harness.mjs'), HARNESS)
  process.env.NODE_ENV = 'production'
  const { stream } = await import(pathToFileURL(join(folder, 'harness.mjs')).href)
  return { stream, close: () => rm(folder, { recursive: true }) }
}
