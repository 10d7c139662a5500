import { JSDOM } from 'jsdom'
import type { ReactNode } from 'react'
import { vi } from 'vitest'
import { populateGlobal } from 'vitest/runtime'

interface PageModule {
  createPage(): ReactNode
}

/** A page that shows what a server has sent. */
export interface BrowserPage {
  readonly root: HTMLElement
  /** Loads the code of the page again, where there is a document, and brings the root to life. */
  hydrate(load?: () => Promise<PageModule>): Promise<HydratedPage>
  /** Makes the process a server again. */
  close(): void
}

export interface HydratedPage {
  /** What React could not hydrate and made again. */
  readonly recovered: readonly unknown[]
  /** What the page shows before anything else happens. */
  readonly atOnce: string
  leave(): Promise<void>
}

/** Makes the process a browser. */
export function openBrowser(html: string): BrowserPage {
  const { window } = new JSDOM(`<!doctype html><div id="root">${html}</div>`, {
    pretendToBeVisual: true,
    url: 'https://app.example/',
  })
  const { keys, originals } = populateGlobal(globalThis, window, { bindFunctions: true })
  for (const name of ['AbortController', 'AbortSignal'] as const) vi.stubGlobal(name, window[name])
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  const root = window.document.getElementById('root')
  if (root === null) throw new Error('The page has no root.')
  return {
    root,
    hydrate: (load = () => import('./page.tsx')) => hydrate(root, load),
    close() {
      vi.unstubAllGlobals()
      for (const key of keys) Reflect.deleteProperty(globalThis, key)
      for (const [key, value] of originals) Reflect.set(globalThis, key, value)
      window.close()
    },
  }
}

async function hydrate(root: HTMLElement, load: () => Promise<PageModule>): Promise<HydratedPage> {
  vi.resetModules()
  const [{ createPage }, { hydrateRoot }, { act }] = await Promise.all([
    load(),
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
