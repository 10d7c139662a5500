import { version } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openBrowser } from './ssr/open-browser.ts'
import { createPage as createServerPage } from './ssr/page.tsx'

// Runs in plain Node: the server has no document, and the page gets one only when it comes alive.

const complaint = vi.spyOn(console, 'error')
let closeBrowser = (): void => {}

beforeEach(() => {
  complaint.mockClear()
})
afterEach(() => {
  closeBrowser()
  expect(complaint.mock.calls).toEqual([])
})

describe(`a page rendered on a server, by React ${version}`, () => {
  it('has every component in it, and comes alive without a word from React or a change', async () => {
    expect(typeof document).toBe('undefined')
    const html = renderToString(createServerPage())
    for (const words of [
      'Why do rivers bend?',
      'Reading the gauge',
      'https://a.example/rivers',
      'One gauge is closed.',
      'FUTURE',
      'Lakes',
      '<h2',
    ])
      expect(html).toContain(words)

    const { root, hydrate, close } = openBrowser(html)
    closeBrowser = close
    const [before, main] = [root.innerHTML, root.querySelector('main')]
    const { recovered, atOnce, leave } = await hydrate()
    expect(recovered).toEqual([])
    expect(atOnce).toBe(before)
    // Hydrated, not made again.
    expect(root.querySelector('main')).toBe(main)
    expect(root.querySelectorAll('article')).toHaveLength(4)
    await leave()
  })

  it('would not pass if the page differed from what the server had sent', async () => {
    // React 18 tells the console as well.
    complaint.mockImplementation(() => undefined)
    const html = renderToString(createServerPage()).replaceAll('Why do rivers bend?', 'Why do rivers end?')
    const { hydrate, close } = openBrowser(html)
    closeBrowser = close
    const { recovered, leave } = await hydrate()
    expect(recovered.length).toBeGreaterThan(0)
    await leave()
    complaint.mockReset()
  })
})
