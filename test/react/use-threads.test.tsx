// @vitest-environment jsdom
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { describe, expect, it } from 'vitest'
import { CapClient } from '../../src/protocols/cap/client/cap-client.ts'
import { AgentProvider } from '../../src/react/agent-provider.tsx'
import { useThreads } from '../../src/react/use-threads.ts'
import type { Threads, ThreadsSnapshot } from '../../src/state/thread.ts'

const client = new CapClient({ baseUrl: 'https://agent.example', fetch: () => new Promise(() => {}) })

describe('useThreads', () => {
  const snapshot: ThreadsSnapshot = { status: 'ready', threads: [], persistence: { where: 'disk' } }
  const threads: Threads = {
    getSnapshot: () => snapshot,
    subscribe: () => () => {},
    rename: () => {},
    remove: async () => async () => {},
    markRead: () => {},
    readDraft: async () => '',
    writeDraft: () => {},
  }
  const open = (): never => {
    throw new Error('No chat is opened here.')
  }
  function List({ store }: { readonly store?: Threads }): ReactNode {
    return useThreads(store).status
  }

  it('reads the store of the provider when it is given none', () => {
    const { container } = render(
      <AgentProvider client={client} store={{ ...threads, open }}>
        <List />
      </AgentProvider>,
    )
    expect(container.textContent).toBe('ready')
  })

  it('says what to do where there is no store, or one without a list', () => {
    expect(() => render(<List />)).toThrow(
      'There is no store of threads: pass one to the hook, or to <AgentProvider client={client} store={store}> around it.',
    )
    const within = (): unknown =>
      render(
        <AgentProvider client={client} store={{ open }}>
          <List />
        </AgentProvider>,
      )
    expect(within).toThrow("The provider's store makes chats and has no list of them.")
  })
})
