// 20 kB in steps of 32 bytes, in jsdom: processor time of rendering alone, no layout and no paint.
import { createRequire } from 'node:module'
import { build } from 'esbuild'
import { median } from '../wire/measure.js'
import { oneReact } from './pages.js'
import { SHAPES } from './shapes.js'
import { target } from './targets.js'

const SIZE = 20_000
const STEP = 32
const ROOT = new URL('../..', import.meta.url).pathname
const ROUNDS = 3

const ENTRY = `
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { flushSync } from 'react-dom'
import { markdownEngine } from './src/components/markdown-block/rich-text.tsx'
import { Streamdown } from './bench/node_modules/streamdown/dist/index.js'
const contenders = {
  capstan: (text, live) => createElement(markdownEngine.Text, { text, live }),
  streamdown: (text, live) => createElement(Streamdown, { isAnimating: live }, text),
}
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
  const stream = await load()
  const rows = {}
  for (const shape of shapes) {
    const text = SHAPES[shape](SIZE)
    const ratios = []
    for (let round = 0; round <= ROUNDS; round += 1) {
      const order = round % 2 === 0 ? ['capstan', 'streamdown'] : ['streamdown', 'capstan']
      const ms = {}
      for (const who of order) {
        const { ms: spent, shown } = await stream(who, text, STEP)
        if (shown.length < text.length / 3) throw new Error(`${who} showed ${shown.length} of ${text.length} characters.`)
        ms[who] = spent
      }
      if (round > 0) ratios.push(ms.capstan / ms.streamdown)
    }
    rows[shape] = { 'capstan / streamdown': median(ratios).toFixed(3), from: Math.min(...ratios).toFixed(3), to: Math.max(...ratios).toFixed(3) }
    target(`cpu in jsdom, 20 kB in 32-byte steps, ${shape}: capstan / streamdown`, median(ratios), 1 / 8)
  }
  console.log(`\nprocessor time in jsdom, 20 kB in steps of 32 bytes, ${ROUNDS} rounds`)
  console.table(rows)
}

async function load() {
  const { JSDOM } = createRequire(`${ROOT}package.json`)('jsdom')
  const { window } = new JSDOM('<!doctype html><body></body>', { pretendToBeVisual: true })
  for (const name of ['window', 'document', 'Node', 'Element', 'HTMLElement', 'HTMLIFrameElement', 'MutationObserver', 'Event', 'getComputedStyle', 'requestAnimationFrame', 'cancelAnimationFrame']) {
    Object.defineProperty(globalThis, name, { configurable: true, writable: true, value: name === 'window' ? window : window[name] })
  }
  // jsdom lays nothing out and has no such method; streamdown calls it in every frame.
  window.Element.prototype.scrollTo = () => {}
  const { outputFiles } = await build({
    stdin: { contents: ENTRY, resolveDir: ROOT },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    jsx: 'automatic',
    alias: oneReact,
    define: { 'process.env.NODE_ENV': '"production"' },
    banner: { js: `import { createRequire } from 'node:module'; const require = createRequire(${JSON.stringify(import.meta.url)});` },
    logLevel: 'error',
  })
  const js = outputFiles[0].text
  return (await import(`data:text/javascript;base64,${Buffer.from(js).toString('base64')}`)).stream
}
