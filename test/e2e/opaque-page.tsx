import { createRoot } from 'react-dom/client'
import { CapClient } from '../../src/index.ts'
import { Chat } from '../../src/components.ts'
import { AgentProvider } from '../../src/react.ts'
import { createThreadStore } from '../../src/storage.ts'
import '../../src/styles.css'

// A whole chat for a frame of an opaque origin: one that is not kept, or one of a thread store with `kept` behind the `?`. It lists the
// features of the platform that are blocked here.

const blocked: string[] = []
const features: Readonly<Record<string, () => unknown>> = {
  localStorage: () => localStorage.length,
  sessionStorage: () => sessionStorage.length,
  indexedDB: () =>
    new Promise((resolve, reject) => {
      const opening = indexedDB.open('probe')
      opening.addEventListener('success', resolve)
      opening.addEventListener('error', reject)
    }),
  locks: () => navigator.locks.request('probe', { ifAvailable: true }, () => undefined),
  BroadcastChannel: () => new BroadcastChannel('probe').close(),
  cookie: () => document.cookie,
}

async function findBlocked(): Promise<readonly string[]> {
  for (const [name, use] of Object.entries(features)) {
    try {
      await use()
    } catch {
      blocked.push(name)
    }
  }
  return blocked
}

declare global {
  interface Window {
    blocked: Promise<readonly string[]>
  }
}
window.blocked = findBlocked()

const query = new URLSearchParams(location.search)
const client = new CapClient({
  baseUrl: `${query.get('agent') ?? ''}/cap`,
  maxRetries: query.has('once') ? 0 : undefined,
})
const root = document.createElement('main')
root.className = 'cs-root'
document.body.append(root)

if (query.has('kept')) {
  const store = createThreadStore({ name: 'opaque', user: 'u1' })
  createRoot(root).render(
    <AgentProvider client={client} store={store}>
      <Chat />
    </AgentProvider>,
  )
} else {
  createRoot(root).render(
    <AgentProvider client={client}>
      <Chat />
    </AgentProvider>,
  )
}
