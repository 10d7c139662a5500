// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { StrictMode, useEffect } from 'react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { draftOf } from '../../src/components/composer/draft.ts'
import { ThreadList, useSavedDraft } from '../../src/components/thread-list.tsx'
import { AgentProvider } from '../../src/react/agent-provider.tsx'
import { useChatInstance } from '../../src/react/use-agent-chat.ts'
import { useCapChat } from '../../src/protocols/cap/hooks/use-cap-chat.ts'
import { useThreads } from '../../src/react/use-threads.ts'
import type { AgentClient } from '../../src/session/agent-client.ts'
import { backoff } from '../../src/base/backoff.ts'
import { textOf } from '../../src/state/turn.ts'
import type { ChatInstance } from '../../src/state/chat.ts'
import type { ThreadStore } from '../../src/storage/thread-store.ts'
import type { FakeBrowser } from './fake-tabs.ts'
import { CONVERSATION, createFakeBrowser, rest } from './fake-tabs.ts'

let browser: FakeBrowser
let client: AgentClient<string>

beforeEach(() => {
  browser = createFakeBrowser()
  client = {
    protocol: browser.peer.protocol,
    retry: backoff({ maxAttempts: 1 }),
    timeoutMs: 60_000,
    environment: browser.environment,
    createRequest: ({ text }) => text,
  }
})

afterEach(cleanup)

let chat: ChatInstance

const remember = (shown: ChatInstance): void => {
  chat = shown
}

function Conversation({ store }: { readonly store: ThreadStore }): ReactNode {
  const { messages } = useCapChat({ conversationId: CONVERSATION })
  const own = useChatInstance({ conversationId: CONVERSATION })
  useEffect(() => remember(own), [own])
  useSavedDraft(store, own)
  return <p>{messages.map(textOf).join(' ')}</p>
}

function Threads({ store }: { readonly store: ThreadStore }): ReactNode {
  return <ThreadList {...useThreads(store)} onSelect={() => {}} />
}

async function show(store: ThreadStore): Promise<() => Promise<void>> {
  const { unmount } = render(
    <StrictMode>
      <AgentProvider client={client} store={store}>
        <Conversation store={store} />
        <Threads store={store} />
      </AgentProvider>
    </StrictMode>,
  )
  await act(rest)
  return async () => {
    unmount()
    await browser.environment.clock.advance(500)
    await rest()
  }
}

describe('a provider with a store', () => {
  it('shows what was there, continues with its run, lists it, and has the draft back', async () => {
    const leave = await show(browser.openTab().store)
    expect(screen.getByText('No conversations yet')).toBeTruthy()
    await act(async () => {
      void chat.sendMessage('Why?')
      await rest()
      browser.peer.connection.say(1, 'Be')
      await rest()
      draftOf(chat).write('And then')
    })
    expect(screen.getByRole('button', { name: /^Why\?/ }).textContent).toContain('Responding…')
    const { requestId } = browser.peer.connection.opening
    // Nobody shows it any more: the connection is left and the run is not.
    await leave()
    expect(browser.peer.connections.map(({ aborted }) => aborted)).toEqual([true])

    const leaveAgain = await show(browser.openTab().store)
    expect(screen.getByText('Why? Be')).toBeTruthy()
    expect(browser.peer.connections).toHaveLength(2)
    expect(browser.peer.connection.opening).toMatchObject({ requestId, cursors: [{ streamId: 's1', seq: 1 }] })
    expect(draftOf(chat).getSnapshot().text).toBe('And then')
    await act(async () => {
      browser.peer.connection.say(2, 'cause')
      browser.peer.connection.close(3)
      await rest()
    })
    expect(screen.getByText('Why? Because')).toBeTruthy()
    expect(screen.getByRole('button', { name: /^Why\?/ }).textContent).not.toContain('Responding…')
    await leaveAgain()
  })

  it('never puts a kept draft over what has been written since', async () => {
    const first = browser.openTab().store
    first.writeDraft(CONVERSATION, 'old')
    await browser.environment.clock.advance(500)
    const second = browser.openTab().store
    const reading = second.readDraft
    let read = (): void => {}
    const slow: ThreadStore = {
      ...second,
      readDraft: async (id) => {
        await new Promise<void>((resolve) => {
          read = resolve
        })
        return reading(id)
      },
    }
    const leave = await show(slow)
    await act(async () => {
      draftOf(chat).write('new')
      read()
      await rest()
    })
    expect(draftOf(chat).getSnapshot().text).toBe('new')
    await leave()
  })
})
