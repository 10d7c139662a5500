// @vitest-environment jsdom
import { renderHook } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { CapClient } from '../../src/protocols/cap/client/cap-client.ts'
import { useArcpClient } from '../../src/protocols/arcp/hooks/arcp-provider.tsx'
import { useCapAssist } from '../../src/protocols/cap/hooks/use-cap-assist.ts'
import { useChatInstance } from '../../src/react/use-agent-chat.ts'
import { assistQueryOptions, assistStreamQueryOptions, healthQueryOptions } from '../../src/query/query-options.ts'
import { useCapClient } from '../../src/query/hooks.ts'
import { createSession } from '../../src/session/session.ts'
import { createChat } from '../../src/state/chat.ts'

const fetch = vi.fn(async () => new Response(null, { status: 500 }))
const client = new CapClient({ baseUrl: 'https://agent.example', fetch })
const CONVERSATION = '3f1f9a30-8f77-4a53-9a0a-31b6b5a5c001'
const request = () => client.createRequest({ text: 'Why?', conversationId: CONVERSATION, requestId: CONVERSATION })
/** What JavaScript lets through. */
const unsettled = <Value,>(value: Value | Promise<Value>): Value => Promise.resolve(value) as Value
const none = { onEvents: () => {}, onEnded: () => {} }
const run = { requestId: CONVERSATION, ...none }
const refusal = (code: string, text: RegExp) => expect.objectContaining({ code, message: expect.stringMatching(text) })
const CLIENT = refusal('invalid_config', /^The client is a promise: await it\.$/)
const REQUEST = refusal('invalid_config', /^The request is a promise: await it\.$/)

describe('a promise of a request', () => {
  it('is refused by assist, which says what to await', () => {
    expect(() => client.assist(unsettled(request()))).toThrow(REQUEST)
  })

  it('is refused by the function of useCapAssist as a result, without sending', async () => {
    const { result } = renderHook(() => useCapAssist({ client }))
    const sent = await result.current.assist(unsettled(request()))
    expect(sent).toMatchObject({ status: 'refused', error: { code: 'invalid_config' } })
  })

  it.each<[string, () => unknown]>([
    ['useCapAssist', () => renderHook(() => useCapAssist({ client, request: unsettled(request()) }))],
    ['assistQueryOptions', () => assistQueryOptions({ client, request: unsettled(request()) })],
    ['assistStreamQueryOptions', () => assistStreamQueryOptions({ client, request: unsettled(request()) })],
    ['createSession', () => createSession({ client, request: unsettled(request()), ...run })],
  ])('is refused by %s', (_, call) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    expect(call).toThrow(REQUEST)
    expect(fetch).not.toHaveBeenCalled()
  })
})

describe('a promise of a client', () => {
  it.each<[string, () => unknown]>([
    ['useCapAssist', () => renderHook(() => useCapAssist({ client: unsettled(client) }))],
    ['useChatInstance', () => renderHook(() => useChatInstance({ client: unsettled(client) }))],
    ['useCapClient', () => renderHook(() => useCapClient('useCapHealth', unsettled(client)))],
    // Only its type says that it is a client of ARCP.
    ['useArcpClient', () => renderHook(() => useArcpClient(unsettled(client) as never, 'useArcpSession'))],
    ['assistQueryOptions', () => assistQueryOptions({ client: unsettled(client), request: {} as never })],
    ['assistStreamQueryOptions', () => assistStreamQueryOptions({ client: unsettled(client), request: {} as never })],
    ['healthQueryOptions', () => healthQueryOptions({ client: unsettled(client) })],
    ['createSession', () => createSession({ client: unsettled(client), request: {} as never, ...run })],
    ['createChat', () => createChat({ client: () => unsettled(client), conversationId: CONVERSATION })],
  ])('is refused by %s', (_, call) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    expect(call).toThrow(CLIENT)
  })
})
