// @vitest-environment jsdom
import { act } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ConnectionStatus } from '../../src/components/connection-status/connection-status.tsx'
import type { Phase } from '../../src/session/connection.ts'
import { createFakeChat, lineAt } from './fake-chat.ts'
import { pass, show } from './show.tsx'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the state of the line', () => {
  const pill = (): HTMLElement => document.querySelector<HTMLElement>('.cs-pill')!

  it.each<[phase: Phase, attempt: number, state: string, word: string]>([
    ['idle', 0, 'ready', 'Ready'],
    ['connecting', 0, 'connecting', 'Connecting'],
    ['streaming', 0, 'live', 'Live'],
    ['offline', 1, 'offline', 'Offline'],
    ['paused', 0, 'paused', 'Paused'],
    ['closed', 0, 'ready', 'Ready'],
    ['stopped', 0, 'ready', 'Ready'],
    ['failed', 3, 'gave-up', 'Gave up'],
    ['failed', 0, 'failed', 'Failed'],
  ])('%s (attempt %i) is %s: %s', (phase, attempt, state, word) => {
    show(createFakeChat({ connection: lineAt({ phase, attempt }) }), <ConnectionStatus />)
    expect(pill().dataset['state']).toBe(state)
    expect(pill().textContent).toBe(word)
  })

  it('keeps a blink to itself and tells a drop that lasts, with its attempt', () => {
    const chat = createFakeChat({ connection: lineAt({ phase: 'streaming' }) })
    show(chat, <ConnectionStatus />)
    act(() => chat.set({ connection: lineAt({ phase: 'waiting', attempt: 1 }) }))
    pass(399)
    act(() => chat.set({ connection: lineAt({ phase: 'streaming' }) }))
    expect(pill().textContent).toBe('Live')
    pass(1000)
    expect(pill().textContent).toBe('Live')
    act(() => chat.set({ connection: lineAt({ phase: 'waiting', attempt: 1 }) }))
    pass(400)
    expect(pill().textContent).toBe('Reconnecting, 1 of 3')
    act(() => chat.set({ connection: lineAt({ phase: 'connecting', attempt: 2 }) }))
    expect(pill().textContent).toBe('Reconnecting, 2 of 3')
  })
})
