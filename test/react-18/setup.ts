import type * as ReactServer from 'react-dom/server'
import { vi } from 'vitest'

/**
 * capstan tells a server from a browser by whether there is a document, and jsdom has one: React 18 then complains of layout effects
 * that a real server never meets. test/components.hydration.test.tsx renders without a document, and there not a word is let pass.
 */
vi.mock('react-dom/server', async (importOriginal) => {
  const server = await importOriginal<typeof ReactServer>()
  function quietly<Call extends readonly unknown[]>(render: (...call: Call) => string): (...call: Call) => string {
    return (...call) => {
      if (typeof document === 'undefined') return render(...call)
      const { error } = console
      console.error = (...words: unknown[]) => {
        if (!String(words[0]).includes('useLayoutEffect does nothing on the server')) error(...words)
      }
      try {
        return render(...call)
      } finally {
        console.error = error
      }
    }
  }
  return {
    ...server,
    renderToString: quietly(server.renderToString),
    renderToStaticMarkup: quietly(server.renderToStaticMarkup),
  }
})
