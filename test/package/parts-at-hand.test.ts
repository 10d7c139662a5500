import { existsSync } from 'node:fs'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { readManifest, ROOT } from '../layers/files.ts'
import { runNode } from './run-node.ts'

// A browser fetches the components of parts, and everything else has them loaded (decision 062).

const SHOWN = `
import { createElement as h } from 'react'
import { renderToString } from 'react-dom/server'
import { CapClient } from 'capstan'
import { AgentProvider, useCapChat } from 'capstan/react'
import { Chat } from 'capstan/components'

const parts = [
  { type: 'media', id: 'm', items: [{ url: 'https://a.example/river.png', mimeType: 'image/png', alt: 'A river' }] },
  { type: 'data', id: 'd', data: { flow: 3 }, viewHint: 'KEY_VALUE' },
  { type: 'tool-call', id: 't', name: 'gauge', status: 'complete' },
]
const messages = [{ id: 'a', role: 'assistant', parts, files: [], status: 'complete', createdAt: 0 }]
const client = new CapClient({ baseUrl: 'https://agent.example' })
const Page = () => h(Chat, { chat: useCapChat({ initialMessages: messages }).chat })
console.log(renderToString(h(AgentProvider, { client }, h(Page))))`

const WORDS = ['A river', 'flow', 'Used gauge']

describe('what shows the parts of an answer', () => {
  it('is in what a server writes, as Node loads the package', async () => {
    const html = await runNode(SHOWN)
    for (const words of WORDS) expect(html).toContain(words)
  })

  it.each([
    ['loaded where the package is bundled for Node', 'node', 'dist/components/message/parts-at-hand.js'],
    ['fetched where it is bundled for browsers', 'browser', 'dist/components/message/parts-at-hand.browser.js'],
  ] as const)('is %s', async (_, platform, module) => {
    const { metafile } = await build({
      stdin: { contents: "export { Chat } from './dist/components.js'", resolveDir: ROOT },
      absWorkingDir: ROOT,
      bundle: true,
      write: false,
      metafile: true,
      platform,
      format: 'esm',
      packages: 'external',
      logLevel: 'error',
    })
    expect(Object.keys(metafile.inputs).filter((path) => path.includes('/parts-at-hand'))).toEqual([module])
  })

  it('has both modules in the package', () => {
    const { browser } = readManifest()
    const files = Object.entries(browser).flat()
    expect(files.length).toBeGreaterThan(0)
    expect(files.filter((file) => !existsSync(ROOT + file))).toEqual([])
  })
})
