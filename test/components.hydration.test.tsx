import { JSDOM } from 'jsdom'
import { version } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { populateGlobal } from 'vitest/runtime'
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

/** Makes the process a browser that shows what a server has sent; gives the root of the page. */
function openBrowser(html: string): HTMLElement {
  const { window } = new JSDOM(`<!doctype html><div id="root">${html}</div>`, {
    pretendToBeVisual: true,
    url: 'https://app.example/',
  })
  const { keys, originals } = populateGlobal(globalThis, window, { bindFunctions: true })
  for (const name of ['AbortController', 'AbortSignal'] as const) vi.stubGlobal(name, window[name])
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  closeBrowser = () => {
    vi.unstubAllGlobals()
    for (const key of keys) Reflect.deleteProperty(globalThis, key)
    for (const [key, value] of originals) Reflect.set(globalThis, key, value)
    window.close()
  }
  const root = window.document.getElementById('root')
  if (root === null) throw new Error('The page has no root.')
  return root
}

/** Loads the code of the page again, where there is a document, and brings the root to life. */
async function hydrate(root: HTMLElement) {
  vi.resetModules()
  const [{ createPage }, { hydrateRoot }, { act }] = await Promise.all([
    import('./ssr/page.tsx'),
    import('react-dom/client'),
    import('@testing-library/react'),
  ])
  const recovered: unknown[] = []
  let atOnce = ''
  const page = await act(async () => {
    const hydrated = hydrateRoot(root, createPage(), { onRecoverableError: (error) => recovered.push(error) })
    atOnce = root.innerHTML
    return hydrated
  })
  return { recovered, atOnce, leave: () => act(async () => page.unmount()) }
}

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

    const root = openBrowser(html)
    const [before, main] = [root.innerHTML, root.querySelector('main')]
    const { recovered, atOnce, leave } = await hydrate(root)
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
    const root = openBrowser(renderToString(createServerPage()).replaceAll('Why do rivers bend?', 'Why do rivers end?'))
    const { recovered, leave } = await hydrate(root)
    expect(recovered.length).toBeGreaterThan(0)
    await leave()
    complaint.mockReset()
  })
})
