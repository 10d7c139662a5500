// @vitest-environment jsdom
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, describe, expect, expectTypeOf, it } from 'vitest'
import * as z from 'zod'
import { backoff } from '../../src/base/backoff.ts'
import { useAgentState } from '../../src/react/use-agent-state.ts'
import type { ChatInput } from '../../src/seam/chat-input.ts'
import { statePart } from '../../src/seam/state-part.ts'
import { createChat } from '../../src/state/chat.ts'
import type { MessagePart } from '../../src/state/turn.ts'
import { settle } from '../support/manual-clock.ts'
import { createManualEnvironment } from '../support/manual-environment.ts'
import { createScriptedPeer } from '../support/scripted-peer.ts'
import type { FakeChat } from '../components/fake-chat.ts'
import { answer, createFakeChat, said, text } from '../components/fake-chat.ts'

afterEach(cleanup)

const Recipe = z.object({ title: z.string(), steps: z.array(z.object({ name: z.string() })) })

const SOUP = { title: 'Soup', steps: [{ name: 'cut' }, { name: 'boil' }] }

function state(value: unknown, edit?: string): MessagePart {
  return { id: 'state', ...statePart(value, edit) }
}

function chatWith(value: unknown): FakeChat {
  return createFakeChat({ messages: [said('q', 'Cook'), answer('a', [text('So.'), state(value)])] })
}

function tell(chat: FakeChat, value: unknown, edit?: string): void {
  act(() => chat.change('a', { parts: [text('So.'), state(value, edit)] }))
}

describe('useAgentState', () => {
  it('reads the state of the agent, with the type of the schema, and unknown without one', () => {
    const chat = chatWith(SOUP)
    const { result } = renderHook(() => useAgentState({ chat, schema: Recipe }))
    expect(result.current).toMatchObject({ state: SOUP, status: 'shared', error: undefined })
    expectTypeOf(result.current.state).toEqualTypeOf<z.output<typeof Recipe> | undefined>()
    const plain = renderHook(() => useAgentState({ chat }))
    expectTypeOf(plain.result.current.state).toEqualTypeOf<unknown>()
    expect(plain.result.current.state).toEqual(SOUP)
  })

  it('renders again only when the selected part changes, and keeps equal values', () => {
    const chat = chatWith(SOUP)
    let renders = 0
    const { result } = renderHook(() => {
      renders += 1
      return useAgentState({ chat, schema: Recipe, select: ({ steps }) => steps[0] })
    })
    const first = result.current
    tell(chat, { title: 'Broth', steps: [{ name: 'cut' }, { name: 'boil' }, { name: 'eat' }] })
    act(() => chat.set({ status: 'streaming' }))
    expect([renders, result.current]).toEqual([1, first])
    expect(result.current.state).toBe(first.state)
    tell(chat, { title: 'Broth', steps: [{ name: 'fry' }] })
    expect([renders, result.current.state]).toEqual([2, { name: 'fry' }])
  })

  it('keeps the last state that fits, and tells once why another one does not', () => {
    const chat = chatWith(SOUP)
    const { result } = renderHook(() => useAgentState({ chat, schema: Recipe }))
    tell(chat, { title: 5, steps: [] })
    const { error } = result.current
    expect(result.current.state).toEqual(SOUP)
    expect(error).toMatchObject({ code: 'invalid_response', severity: 'WARNING' })
    expect(error?.message).toContain('title: ')
    tell(chat, { title: 6, steps: [] })
    expect(result.current.error).toBe(error)
    tell(chat, { title: 'Stew', steps: [] })
    expect(result.current).toMatchObject({ state: { title: 'Stew' }, error: undefined })
  })

  it('says so of a schema that throws or checks asynchronously', () => {
    const chat = chatWith(SOUP)
    const throwing = z.custom(() => {
      throw new Error('Broken.')
    })
    const waiting = z.string().refine(async () => true)
    for (const schema of [throwing, waiting]) {
      const { result } = renderHook(() => useAgentState({ chat, schema }))
      expect(result.current).toMatchObject({ state: undefined, error: { code: 'invalid_response' } })
    }
  })

  it('shows what it begins with until somebody says something', () => {
    const chat = createFakeChat()
    const { result } = renderHook(() => useAgentState({ chat, schema: Recipe, initial: { title: '', steps: [] } }))
    expect(result.current).toMatchObject({ state: { title: '', steps: [] }, status: 'empty' })
    expectTypeOf(result.current.state).toEqualTypeOf<z.output<typeof Recipe>>()
    expect(chat.getSnapshot().stateEdit).toBeUndefined()
    act(() => void result.current.setState((recipe) => ({ ...recipe, title: 'Pie' })))
    expect(result.current).toMatchObject({ state: { title: 'Pie', steps: [] }, status: 'changed' })
  })

  it('shows an edit at once, in every reader, and merges what the agent changes meanwhile', () => {
    const chat = chatWith(SOUP)
    const { result } = renderHook(() => useAgentState({ chat, schema: Recipe }))
    const title = renderHook(() => useAgentState({ chat, schema: Recipe, select: (recipe) => recipe.title }))
    act(() => expect(result.current.setState({ ...SOUP, title: 'Stew' })).toEqual({ status: 'accepted' }))
    expect([result.current.status, title.result.current.state]).toEqual(['changed', 'Stew'])
    tell(chat, { title: 'Soup', steps: [{ name: 'fry' }] })
    expect(result.current.state).toEqual({ title: 'Stew', steps: [{ name: 'fry' }] })
    tell(chat, { title: 'Broth', steps: [{ name: 'fry' }] })
    expect(result.current).toMatchObject({ status: 'changed', state: { title: 'Broth' } })
  })

  it('is shared again when a run has taken the edit along, and pending again when its answer is gone', () => {
    const chat = chatWith(SOUP)
    const { result } = renderHook(() => useAgentState({ chat, schema: Recipe }))
    act(() => void result.current.setState((recipe) => ({ ...SOUP, ...recipe, title: 'Stew' })))
    const edit = chat.getSnapshot().stateEdit
    const taken = answer('b', [text('Well.'), state({ ...SOUP, title: 'Stew' }, edit?.id)])
    const { messages } = chat.getSnapshot()
    act(() => chat.set({ messages: [...messages, taken] }))
    expect(result.current).toMatchObject({ status: 'shared', state: { title: 'Stew' } })
    act(() => chat.change('b', { parts: [state(SOUP, edit?.id)] }))
    expect(result.current).toMatchObject({ status: 'shared', state: SOUP })
    act(() => chat.set({ messages }))
    expect(result.current).toMatchObject({ status: 'changed', state: { title: 'Stew' } })
    act(() => result.current.discard())
    expect(result.current).toMatchObject({ status: 'shared', state: SOUP })
  })

  it('makes of each edit what it was made of before, within one event too', () => {
    const chat = createFakeChat()
    const { result } = renderHook(() => useAgentState({ chat, schema: z.number(), initial: 0 }))
    const { setState } = result.current
    act(() => {
      setState((count = 0) => count + 1)
      setState((count = 0) => count + 1)
    })
    expect(result.current.state).toBe(2)
    expect(result.current.setState).toBe(setState)
  })

  it('shows its edits while the chat, over several tabs, still shows those before', () => {
    const chat = chatWith('agent')
    const { result } = renderHook(() => useAgentState({ chat, schema: z.string() }))
    // The tab that leads has an edit only later.
    const late: (() => void)[] = []
    chat.changeState = (stateEdit) => {
      late.push(() => chat.set({ stateEdit }))
      return true
    }
    act(() => void result.current.setState('a'))
    act(() => void result.current.setState('ab'))
    expect(result.current.state).toBe('ab')
    act(() => late[0]?.())
    expect(result.current.state).toBe('ab')
    act(() => late[1]?.())
    expect(result.current.state).toBe('ab')
    act(() => chat.set({ stateEdit: { id: 'other tab', base: 'agent', value: 'theirs' } }))
    expect(result.current.state).toBe('theirs')
  })

  it('refuses what cannot be carried, and says so where the protocol carries no state', () => {
    const chat = chatWith(SOUP)
    const { result } = renderHook(() => useAgentState({ chat }))
    const circle: Record<string, unknown> = {}
    circle['self'] = circle
    for (const value of [circle, undefined, 'x'.repeat(10_000_001)])
      expect(result.current.setState(value)).toMatchObject({ status: 'refused', error: { code: 'invalid_request' } })
    chat.changeState = () => false
    act(() => expect(result.current.setState(1)).toMatchObject({ status: 'unsupported' }))
    expect(result.current).toMatchObject({ state: SOUP, status: 'shared' })
  })

  it('commits once a frame, however many changes of a real chat come in it', async () => {
    const environment = createManualEnvironment()
    const peer = createScriptedPeer({ sharesState: true })
    const client = {
      protocol: peer.protocol,
      retry: backoff(),
      timeoutMs: 60_000,
      environment,
      createRequest: ({ stateEdit }: ChatInput) => JSON.stringify(stateEdit?.value ?? null),
    }
    const chat = createChat({ client: () => client, conversationId: 'c1' })
    let renders = 0
    const { result } = renderHook(() => {
      renders += 1
      return useAgentState({ chat, schema: z.number(), initial: 0 })
    })
    act(() => void result.current.setState(1))
    await act(async () => {
      void chat.sendMessage('Go')
      await settle()
    })
    expect(peer.connection.opening.request).toBe('1')
    const before = renders
    await act(async () => {
      for (let count = 1; count <= 50; count++)
        peer.connection.event(count, { type: 'part', streamId: 's1', partId: 'state', part: statePart(count, 'x') })
      await settle()
      environment.paint()
    })
    expect([renders - before, result.current.state]).toEqual([1, 50])
    await chat.dispose()
  })

  it('names what is missing where there is no chat', () => {
    expect(() => renderHook(() => useAgentState())).toThrow('There is no chat to read the state of')
  })
})
