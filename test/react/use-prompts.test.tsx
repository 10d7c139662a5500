// @vitest-environment jsdom
import { act, cleanup, render, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { Profiler } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ChatContext } from '../../src/react/chat-context.ts'
import type { PromptControls } from '../../src/react/use-prompts.ts'
import { usePrompt, usePrompts } from '../../src/react/use-prompts.ts'
import type { Prompt } from '../../src/seam/prompt.ts'
import type { FakeChat } from '../components/fake-chat.ts'
import { answer, createFakeChat, said, text } from '../components/fake-chat.ts'
import { promptOf } from '../support/prompts.ts'

afterEach(cleanup)

const SUBJECT = { name: 'send_mail', input: { to: 'a' }, digest: 'd1' }

function asking(...prompts: readonly Prompt[]): FakeChat {
  const parts = prompts.map((prompt) => ({ type: 'prompt', id: prompt.id, prompt }) as const)
  return createFakeChat({
    status: 'awaiting-input',
    messages: [said('u', 'Go'), answer('a', [text('So.'), ...parts], { status: 'streaming' })],
  })
}

const within =
  (chat: FakeChat) =>
  ({ children }: { readonly children: ReactNode }): ReactNode => (
    <ChatContext.Provider value={chat}>{children}</ChatContext.Provider>
  )

function Waiting(): ReactNode {
  return usePrompts().length
}

describe('usePrompts', () => {
  it('gives those that wait, in their order, and none that has ended', () => {
    const chat = asking(promptOf(), promptOf({ id: 'p2', state: 'answered' }), promptOf({ id: 'p3', state: 'sending' }))
    const { result } = renderHook(() => usePrompts(), { wrapper: within(chat) })
    expect(result.current.map(({ id }) => id)).toEqual(['p1', 'p3'])
  })

  it('renders again only when a prompt changes', () => {
    const chat = asking(promptOf())
    const onRender = vi.fn()
    render(
      <Profiler id="reader" onRender={onRender}>
        <Waiting />
      </Profiler>,
      { wrapper: within(chat) },
    )
    onRender.mockClear()
    const prompt = chat.getSnapshot().messages[1]?.parts[1]
    if (prompt?.type !== 'prompt') throw new Error('There is no prompt.')
    for (let count = 0; count < 20; count++) act(() => chat.change('a', { parts: [text(`So. ${count}`), prompt] }))
    expect(onRender).not.toHaveBeenCalled()
    act(() => chat.change('a', { parts: [text('So.'), { ...prompt, prompt: promptOf({ state: 'sending' }) }] }))
    expect(onRender).toHaveBeenCalledTimes(1)
  })

  it('reads a chat that it is given', () => {
    const { result } = renderHook(() => usePrompts({ chat: asking(promptOf()) }))
    expect(result.current).toHaveLength(1)
  })
})

describe('usePrompt', () => {
  function controls(prompt: Prompt): { readonly chat: FakeChat; readonly get: () => PromptControls } {
    const chat = asking(prompt)
    const { result } = renderHook(() => usePrompt('p1'), { wrapper: within(chat) })
    return {
      chat,
      get() {
        if (result.current === undefined) throw new Error('There is no prompt.')
        return result.current
      },
    }
  }

  it('gives nothing for an id that no prompt has', () => {
    const { result } = renderHook(() => usePrompt('other'), { wrapper: within(asking(promptOf())) })
    expect(result.current).toBeUndefined()
  })

  it.each<[string, (prompt: PromptControls) => unknown, unknown]>([
    ['chooses', ({ choose }) => choose('yes'), { type: 'option', optionId: 'yes', digest: 'd1' }],
    [
      'chooses with a changed input',
      ({ choose }) => choose('yes', { to: 'b' }),
      { type: 'option', optionId: 'yes', digest: 'd1', edits: { to: 'b' } },
    ],
    ['submits', ({ submit }) => submit({ a: 1 }), { type: 'value', value: { a: 1 } }],
    ['confirms', ({ confirm }) => confirm(), { type: 'done' }],
    ['declines', ({ decline }) => decline('Later'), { type: 'decline', reason: 'Later' }],
    ['cancels', ({ cancel }) => cancel(), { type: 'cancel' }],
  ])('%s', async (_verb, give, expected) => {
    const { chat, get } = controls(promptOf({ subject: SUBJECT }))
    await act(async () => {
      await give(get())
    })
    expect(chat.used.at(-1)).toEqual(['answer', ['p1', expected]])
  })

  it('keeps its functions while the prompt is the same object', () => {
    const { chat, get } = controls(promptOf())
    const before = get()
    act(() => chat.set({ connection: { ...chat.getSnapshot().connection } }))
    expect(get()).toBe(before)
  })

  it('repeats the last answer only while nobody knows whether it arrived', async () => {
    const given = { type: 'option', optionId: 'yes' } as const
    const { chat, get } = controls(promptOf({ state: 'unconfirmed', answer: given, answerId: 'a1' }))
    await act(async () => {
      await get().repeat?.()
    })
    expect(chat.used.at(-1)).toEqual(['answer', ['p1', given]])
    expect(controls(promptOf({ answer: given })).get().repeat).toBeUndefined()
  })
})
