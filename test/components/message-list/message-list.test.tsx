// @vitest-environment jsdom
import { act, render, screen } from '@testing-library/react'
import { Profiler } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, it, vi } from 'vitest'
import { Message } from '../../../src/components/message/message.tsx'
import {
  type TurnRows,
  groupTurns,
  lastTurn,
  type MessagePosition,
  MessageList,
} from '../../../src/components/message-list/message-list.tsx'
import { ChatContext } from '../../../src/react/chat-context.ts'
import { answer, createFakeChat, said, text } from '../fake-chat.ts'
import { show } from '../show.tsx'

describe('a transcript', () => {
  it('is a log that is not read out while it grows', () => {
    show(createFakeChat({ messages: [said('u', 'Hi'), answer('a', [text('Ho')])] }), <MessageList />)
    const log = screen.getByRole('log', { name: 'Conversation' })
    expect(log.getAttribute('aria-live')).toBe('off')
    expect(screen.getAllByRole('article').map((message) => message.getAttribute('aria-label'))).toEqual([
      'You',
      'Assistant',
    ])
  })

  it('renders one message for a token, however long the thread is', () => {
    const before = Array.from({ length: 50 }, (_, index) => answer(`m${index}`, [text(`Answer ${index}`)]))
    const chat = createFakeChat({
      status: 'streaming',
      messages: [...before, answer('live', [text('')], { status: 'streaming' })],
    })
    const rendered: string[] = []
    const list = vi.fn()
    const renderMessage = (id: string) => (
      <Profiler key={id} id={id} onRender={(which) => rendered.push(which)}>
        <Message messageId={id} />
      </Profiler>
    )
    show(
      chat,
      <Profiler id="list" onRender={list}>
        <MessageList renderMessage={renderMessage} />
      </Profiler>,
    )
    expect(rendered).toHaveLength(51)
    rendered.length = 0
    let words = ''
    for (let token = 0; token < 100; token += 1) {
      words += `word${token} `
      act(() => chat.change('live', { parts: [text(words)] }))
    }
    expect(screen.getAllByRole('article').at(-1)?.textContent).toBe(words.trimEnd())
    expect(rendered).toHaveLength(100)
    expect(new Set(rendered)).toEqual(new Set(['live']))
  })

  it('renders nothing at all when only the connection changes its mind about nothing', () => {
    const chat = createFakeChat({ messages: [said('u', 'Hi'), answer('a', [text('Ho')])] })
    const rendered = vi.fn()
    show(
      chat,
      <Profiler id="list" onRender={rendered}>
        <MessageList />
      </Profiler>,
    )
    rendered.mockClear()
    act(() => chat.set({ warnings: [] }))
    act(() => chat.set({ messages: [...chat.getSnapshot().messages] }))
    expect(rendered).not.toHaveBeenCalled()
  })

  it('stops listening when it goes', () => {
    const chat = createFakeChat({ messages: [said('u', 'Hi'), answer('a', [text('Ho')])] })
    const { unmount } = show(chat, <MessageList />)
    expect(chat.listeners).toBeGreaterThan(0)
    unmount()
    expect(chat.listeners).toBe(0)
  })
})

describe('turns', () => {
  const ids = (turns: readonly TurnRows[]): unknown => turns.map(({ id, rows }) => [id, ...rows.map(({ id }) => id)])
  const messages = [
    answer('a0', []),
    said('u1', '1'),
    answer('a1', []),
    answer('b1', []),
    said('u2', '2'),
    said('u3', '3'),
    answer('a3', []),
  ]
  const all = messages.map((_, at) => at)

  it('begin with what the user says, and at the very start', () => {
    expect(ids(groupTurns(messages, all, new Set()))).toEqual([
      ['a0', 'a0'],
      ['u1', 'u1', 'a1', 'b1'],
      ['u2', 'u2'],
      ['u3', 'u3', 'a3'],
    ])
  })

  it('stay what they are when older messages come above', () => {
    const older = [said('u0', '0'), answer('z0', [])]
    expect(ids(groupTurns([...older, ...messages], [0, 1, 2, 3], new Set(['a0'])))).toEqual([
      ['u0', 'u0', 'z0'],
      ['a0', 'a0'],
      ['u1', 'u1'],
    ])
  })

  it('keep their name while their first message is not mounted, and tell where rows are left out', () => {
    const turns = groupTurns(messages, [2, 3, 6], new Set())
    expect(ids(turns)).toEqual([
      ['u1', 'a1', 'b1'],
      ['u3', 'a3'],
    ])
    expect(turns.flatMap(({ rows }) => rows.map(({ from, index }) => index - from))).toEqual([2, 0, 2])
  })

  it('are one group without a message of the user', () => {
    const monologue = [answer('a', []), answer('b', []), answer('c', [])]
    expect(ids(groupTurns(monologue, [0, 2], new Set()))).toEqual([['a', 'a', 'c']])
    expect(lastTurn(monologue, new Set())).toBe('a')
  })
})

describe('a transcript on a server', () => {
  const page = (count: number): string =>
    renderToString(
      <ChatContext.Provider
        value={createFakeChat({
          messages: Array.from({ length: count }, (_, at) => answer(`m${at}`, [text(`Number ${at}.`)])),
        })}
      >
        <MessageList />
      </ChatContext.Provider>,
    )

  it('has all messages of a short thread', () => {
    expect(page(60).match(/<article/g)).toHaveLength(60)
  })

  it('has the last messages of a long one, in plain flow', () => {
    const html = page(2000)
    expect(html.match(/Number \d+/g)?.at(0)).toBe('Number 1970')
    expect(html.match(/Number \d+/g)?.at(-1)).toBe('Number 1999')
    expect(html).not.toContain('aria-setsize')
  })

  it('carries no style of its own, so that a strict policy lets it through', () => {
    expect(page(60)).not.toMatch(/style=/)
    expect(page(2000)).not.toMatch(/style=/)
  })

  it('is hydrated by the browser as it is', () => {
    const box = document.createElement('div')
    box.innerHTML = page(2000)
    const first = box.querySelector('article')
    const chat = createFakeChat({
      messages: Array.from({ length: 2000 }, (_, at) => answer(`m${at}`, [text(`Number ${at}.`)])),
    })
    const { unmount } = render(
      <ChatContext.Provider value={chat}>
        <MessageList />
      </ChatContext.Provider>,
      { container: box, hydrate: true },
    )
    expect(box.querySelector('article')).toBe(first)
    unmount()
  })
})

describe('a message shown in an own way', () => {
  it('is given its id, and nothing to say about its position while all are mounted', () => {
    const renderMessage = vi.fn((id: string, position: MessagePosition) => (
      <article {...position} aria-label={id}>
        {id}
      </article>
    ))
    show(
      createFakeChat({ messages: [said('u', 'Hi'), answer('a', [text('Ho')])] }),
      <MessageList renderMessage={renderMessage} />,
    )
    expect(renderMessage.mock.calls).toEqual([
      ['u', {}],
      ['a', {}],
    ])
    expect(screen.getByRole('article', { name: 'u' }).textContent).toBe('u')
  })
})
