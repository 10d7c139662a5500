// @vitest-environment jsdom
import { act, cleanup, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { backoff } from '../../src/base/backoff.ts'
import { AgentProvider } from '../../src/react/agent-provider.tsx'
import { ChatContext } from '../../src/react/chat-context.ts'
import { useLeases } from '../../src/react/use-leases.ts'
import type { Lease } from '../../src/seam/lease.ts'
import type { AgentClient } from '../../src/session/agent-client.ts'
import type { FakeChat } from '../components/fake-chat.ts'
import { answer, createFakeChat, text } from '../components/fake-chat.ts'
import { createManualEnvironment } from '../support/manual-environment.ts'
import { createScriptedPeer } from '../support/scripted-peer.ts'

afterEach(cleanup)

const environment = createManualEnvironment()
const client: AgentClient<string> = {
  protocol: createScriptedPeer().protocol,
  retry: backoff(),
  timeoutMs: 60_000,
  environment,
  createRequest: () => '',
}

const LEASE: Lease = { name: 'fs.write', state: 'active', canExtend: true, canRevoke: true }
const partOf = (id: string, change: Partial<Lease> = {}) =>
  ({ type: 'lease', id, lease: { ...LEASE, ...change } }) as const

function chatWith(...leases: readonly ReturnType<typeof partOf>[]): FakeChat {
  return createFakeChat({ messages: [answer('a', [text('So.'), ...leases], { status: 'streaming' })] })
}

const within =
  (chat: FakeChat) =>
  ({ children }: { readonly children: ReactNode }): ReactNode => (
    <AgentProvider client={client}>
      <ChatContext.Provider value={chat}>{children}</ChatContext.Provider>
    </AgentProvider>
  )

describe('useLeases', () => {
  it('gives what is allowed now, in its order, with the ways that the agent takes', async () => {
    const chat = chatWith(
      partOf('l1'),
      partOf('l2', { state: 'revoked' }),
      partOf('l3', { canExtend: false, canRevoke: false }),
    )
    const { result } = renderHook(() => useLeases(), { wrapper: within(chat) })
    const [first, second] = result.current
    expect(result.current.map(({ id, remainingMs }) => [id, remainingMs])).toEqual([
      ['l1', undefined],
      ['l3', undefined],
    ])
    expect([second?.extend, second?.revoke]).toEqual([undefined, undefined])
    await first?.extend?.(60_000)
    await first?.revoke?.()
    expect(chat.used).toEqual([
      ['changeLease', ['l1', { type: 'extend', ms: 60_000 }]],
      ['changeLease', ['l1', { type: 'revoke' }]],
    ])
  })

  it('counts down by the clock of the client and ends nothing by itself while the answer continues', async () => {
    const chat = chatWith(partOf('l1', { until: environment.clock.date() + 2500 }))
    const { result } = renderHook(() => useLeases(), { wrapper: within(chat) })
    expect(result.current[0]?.remainingMs).toBe(2500)
    await act(() => environment.clock.advance(1000))
    expect(result.current[0]?.remainingMs).toBe(1500)
    await act(() => environment.clock.advance(5000))
    expect(result.current[0]?.remainingMs).toBe(0)
    act(() => chat.change('a', { status: 'complete' }))
    expect(result.current).toEqual([])
  })

  it('is extended no more when its answer is complete, and can still be taken back', () => {
    const chat = chatWith(partOf('l1'))
    const { result } = renderHook(() => useLeases(), { wrapper: within(chat) })
    expect(result.current[0]?.extend).toBeDefined()
    act(() => chat.change('a', { status: 'complete' }))
    expect(result.current).toMatchObject([{ extend: undefined, revoke: expect.any(Function) as unknown }])
  })

  it('renders again only for a lease, where none has a time limit', async () => {
    const chat = chatWith(partOf('l1'))
    let renders = 0
    renderHook(() => (renders++, useLeases()), { wrapper: within(chat) })
    const before = renders
    await act(() => environment.clock.advance(10_000))
    const [, lease] = chat.getSnapshot().messages[0]?.parts ?? []
    if (lease === undefined) throw new Error('There is no lease.')
    for (const word of ['So', 'So it', 'So it is']) act(() => chat.change('a', { parts: [text(word), lease] }))
    expect(renders).toBe(before)
    act(() => chat.change('a', { parts: [partOf('l1', { resource: '/b' })] }))
    expect(renders).toBe(before + 1)
  })
})
