// @vitest-environment jsdom
import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Announcer } from '../../src/components/announcer/announcer.tsx'
import { ConnectionStatus } from '../../src/components/connection-status/connection-status.tsx'
import type { Phase } from '../../src/session/connection.ts'
import { answer, createFakeChat, errorOf, lineAt, said, text } from './fake-chat.ts'
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

describe('the voice of a chat', () => {
  const voice = (): string | null => screen.getByRole('status').textContent

  it('tells where an answer begins and ends, and no word of it', () => {
    const chat = createFakeChat({ messages: [said('u', 'Hi'), answer('old', [text('Earlier')])] })
    show(chat, <Announcer />)
    expect(voice()).toBe('')
    const messages = [...chat.getSnapshot().messages, said('u2', 'More'), answer('a', [], { status: 'pending' })]
    act(() => chat.set({ status: 'submitted', messages }))
    expect(voice()).toBe('Generating an answer')
    act(() => chat.set({ status: 'streaming' }))
    act(() => chat.change('a', { status: 'streaming', parts: [text('Secret')] }))
    expect(voice()).toBe('Generating an answer')
    act(() => chat.change('a', { status: 'complete' }))
    act(() => chat.set({ status: 'ready' }))
    expect(voice()).toBe('Answer complete')
  })

  it.each([
    ['stopped', 'Answer stopped'],
    ['incomplete', 'Answer incomplete, the connection ended early'],
    ['failed', 'The answer broke off'],
  ] as const)('tells that an answer was %s', (status, words) => {
    const chat = createFakeChat({ status: 'streaming', messages: [answer('a', [], { status: 'streaming' })] })
    show(chat, <Announcer />)
    act(() => chat.set({ status: 'ready', messages: [answer('a', [], { status })] }))
    expect(voice()).toBe(words)
  })

  it('tells that a message did not go out', () => {
    const chat = createFakeChat({ status: 'submitted', messages: [said('u', 'Hi', { status: 'sending' })] })
    show(chat, <Announcer />)
    act(() => chat.set({ status: 'error', error: errorOf(), messages: [said('u', 'Hi', { status: 'not-sent' })] }))
    expect(voice()).toBe('Your message was not sent')
  })

  it('tells a lost line once, however often it counts down, and that it came back', () => {
    const chat = createFakeChat({ status: 'streaming', connection: lineAt({ phase: 'streaming' }) })
    show(chat, <Announcer />)
    act(() => chat.set({ connection: lineAt({ phase: 'waiting', attempt: 1, nextRetryAt: 5000 }) }))
    expect(voice()).toBe('')
    pass(3000)
    expect(voice()).toBe('Connection lost, reconnecting')
    act(() => chat.set({ connection: lineAt({ phase: 'streaming' }) }))
    expect(voice()).toBe('Connected again, nothing was lost')
  })
})
