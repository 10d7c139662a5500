// @vitest-environment jsdom
import { act } from '@testing-library/react'
import { StrictMode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ConnectionStatus } from '../../src/components/connection-status.tsx'
import type { Phase } from '../../src/session/connection.ts'
import { createFakeChat, connectionAt } from './fake-chat.ts'
import { pass, show } from './show.tsx'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the state of the connection', () => {
  const pill = (): HTMLElement => document.querySelector<HTMLElement>('.cs-pill')!

  it.each<[phase: Phase, attempt: number, state: string, word: string]>([
    ['idle', 0, 'ready', 'Ready'],
    ['connecting', 0, 'connecting', 'Connecting'],
    ['streaming', 0, 'live', 'Connected'],
    ['offline', 1, 'offline', 'Offline'],
    ['paused', 0, 'paused', 'Paused'],
    ['closed', 0, 'ready', 'Ready'],
    ['stopped', 0, 'ready', 'Ready'],
    ['failed', 3, 'gave-up', 'Disconnected'],
    ['failed', 0, 'failed', 'Failed'],
  ])('%s (attempt %i) is %s: %s', (phase, attempt, state, word) => {
    show(createFakeChat({ connection: connectionAt({ phase, attempt }) }), <ConnectionStatus />)
    expect(pill().dataset['state']).toBe(state)
    expect(pill().textContent).toBe(word)
  })

  it('keeps a blink to itself and tells a drop that lasts, with its attempt', () => {
    const chat = createFakeChat({ connection: connectionAt({ phase: 'streaming' }) })
    show(chat, <ConnectionStatus />)
    act(() => chat.set({ connection: connectionAt({ phase: 'waiting', attempt: 1 }) }))
    pass(399)
    act(() => chat.set({ connection: connectionAt({ phase: 'streaming' }) }))
    expect(pill().textContent).toBe('Connected')
    pass(1000)
    expect(pill().textContent).toBe('Connected')
    act(() => chat.set({ connection: connectionAt({ phase: 'waiting', attempt: 1 }) }))
    pass(400)
    expect(pill().textContent).toBe('Reconnecting, 1 of 3')
    act(() => chat.set({ connection: connectionAt({ phase: 'connecting', attempt: 2 }) }))
    expect(pill().textContent).toBe('Reconnecting, 2 of 3')
  })

  it('says of a first connection that never worked that it tries to connect', () => {
    const chat = createFakeChat({ connection: connectionAt({ phase: 'waiting', attempt: 1, hasOpened: false }) })
    show(chat, <ConnectionStatus />)
    expect([pill().dataset['state'], pill().textContent]).toEqual(['connecting', 'Connecting'])
    pass(400)
    expect([pill().dataset['state'], pill().textContent]).toEqual(['connecting', 'Trying to connect, 1 of 3'])
    act(() => chat.set({ connection: connectionAt({ phase: 'connecting', attempt: 2, hasOpened: false }) }))
    expect([pill().dataset['state'], pill().textContent]).toEqual(['connecting', 'Trying to connect, 2 of 3'])
  })

  it('says for four seconds that the device is back online, and only after it was offline', () => {
    const chat = createFakeChat({ connection: connectionAt({ phase: 'waiting', attempt: 1 }) })
    show(chat, <ConnectionStatus />)
    pass(1000)
    act(() => chat.set({ connection: connectionAt({ phase: 'streaming' }) }))
    expect(pill().textContent).toBe('Connected')
    act(() => chat.set({ connection: connectionAt({ phase: 'offline', attempt: 1 }) }))
    expect(pill().textContent).toBe('Offline')
    pass(60_000)
    expect(pill().textContent).toBe('Offline')
    act(() => chat.set({ connection: connectionAt({ phase: 'connecting', attempt: 1 }) }))
    expect([pill().textContent, pill().dataset['state']]).toEqual(['Back online', 'live'])
    pass(3000)
    act(() => chat.set({ connection: connectionAt({ phase: 'streaming' }) }))
    pass(999)
    expect(pill().textContent).toBe('Back online')
    pass(1)
    expect(pill().textContent).toBe('Connected')
  })

  it('waits for an agent that has sent nothing for five seconds, until it sends again', () => {
    const chat = createFakeChat({ connection: connectionAt({ phase: 'streaming' }) })
    show(chat, <ConnectionStatus />)
    pass(4000)
    act(() => chat.set({ messages: [] }))
    pass(4999)
    expect([pill().textContent, pill().dataset['state']]).toEqual(['Connected', 'live'])
    pass(1)
    expect([pill().textContent, pill().dataset['state']]).toEqual(['Waiting for the assistant', 'silent'])
    act(() => chat.set({ messages: [] }))
    expect(pill().textContent).toBe('Connected')
    pass(5000)
    act(() => chat.set({ connection: connectionAt({ phase: 'closed' }) }))
    expect(pill().textContent).toBe('Ready')
    act(() => chat.set({ connection: connectionAt({ phase: 'streaming' }) }))
    expect(pill().textContent).toBe('Connected')
  })

  it('counts the silence of a pill that appears later from the same moment', () => {
    const chat = createFakeChat({ connection: connectionAt({ phase: 'streaming' }) })
    show(chat, <ConnectionStatus />)
    pass(5000)
    show(
      chat,
      <StrictMode>
        <ConnectionStatus />
      </StrictMode>,
    )
    pass(0)
    const words = (): (string | null)[] =>
      [...document.querySelectorAll('.cs-pill')].map(({ textContent }) => textContent)
    expect(words()).toEqual(['Waiting for the assistant', 'Waiting for the assistant'])
    act(() => chat.set({ messages: [] }))
    expect(words()).toEqual(['Connected', 'Connected'])
  })

  it('tells trouble before good news', () => {
    const chat = createFakeChat({ connection: connectionAt({ phase: 'offline', attempt: 1 }) })
    show(chat, <ConnectionStatus />)
    act(() => chat.set({ connection: connectionAt({ phase: 'waiting', attempt: 2 }) }))
    expect(pill().textContent).toBe('Back online')
    pass(400)
    expect(pill().textContent).toBe('Reconnecting, 2 of 3')
    act(() => chat.set({ connection: connectionAt({ phase: 'failed', attempt: 3 }) }))
    expect(pill().textContent).toBe('Disconnected')
  })

  it('knows of the network while nothing runs', () => {
    show(createFakeChat({}), <ConnectionStatus />)
    const network = vi.spyOn(navigator, 'onLine', 'get')
    const go = (online: boolean): void => {
      network.mockReturnValue(online)
      act(() => void window.dispatchEvent(new Event(online ? 'online' : 'offline')))
    }
    try {
      go(false)
      expect([pill().textContent, pill().dataset['state']]).toEqual(['Offline', 'offline'])
      go(true)
      expect([pill().textContent, pill().dataset['state']]).toEqual(['Back online', 'ready'])
      pass(4000)
      expect(pill().textContent).toBe('Ready')
    } finally {
      network.mockRestore()
    }
  })
})
