// @vitest-environment jsdom
import { act, fireEvent, render, screen, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { Chat } from '../../../src/components/chat.tsx'
import { Message } from '../../../src/components/message/message.tsx'
import {
  MessageActions,
  CopyAction,
  EditAction,
  RetryAction,
} from '../../../src/components/message/message-actions.tsx'
import { FeedbackAction } from '../../../src/components/feedback-action.tsx'
import { useMessage } from '../../../src/components/message/message-context.ts'
import { ChatContext } from '../../../src/react/chat-context.ts'
import type { ChatMessage } from '../../../src/state/turn.ts'
import { answer, createFakeChat, said, text } from '../fake-chat.ts'
import { hearCaughtErrors, show } from '../show.tsx'

const names = (group: HTMLElement): (string | null)[] =>
  within(group)
    .getAllByRole('button')
    .map((button) => button.getAttribute('aria-label') ?? button.textContent)

function Pin(): ReactNode {
  return <button type="button">Pin {useMessage().id}</button>
}
const pin = <Pin />

describe('the actions of a message', () => {
  it('are those of the host in place of the default ones, for questions and answers', () => {
    show(
      createFakeChat({ messages: [said('u', 'Why?'), answer('a', [text('So.')])] }),
      <>
        <Message messageId="u" messageActions={pin} />
        <Message messageId="a" messageActions={pin} />
      </>,
    )
    const groups = screen.getAllByRole('group', { name: 'Message actions' })
    expect(groups.map(names)).toEqual([['Pin u'], ['Pin a']])
  })

  it('are copy, edit for a question, and regenerate for the last answer, unless the host names others', () => {
    show(
      createFakeChat({ messages: [answer('b', [text('Well.')]), said('u', 'Why?'), answer('a', [text('So.')])] }),
      <>
        <Message messageId="b" />
        <Message messageId="u" />
        <Message messageId="a" />
      </>,
    )
    const groups = screen.getAllByRole('group', { name: 'Message actions' })
    expect(groups.map(names)).toEqual([['Copy'], ['Copy', 'Edit'], ['Copy', 'Regenerate']])
  })

  it('are in the order of the host, each only where it applies', () => {
    const actions = (
      <>
        <RetryAction />
        <Pin />
        <EditAction />
        <CopyAction />
      </>
    )
    show(
      createFakeChat({ messages: [said('u', 'Why?'), answer('a', [text('So.')])] }),
      <>
        <Message messageId="u" messageActions={actions} />
        <Message messageId="a" messageActions={actions} />
      </>,
    )
    const groups = screen.getAllByRole('group', { name: 'Message actions' })
    expect(groups.map(names)).toEqual([
      ['Pin u', 'Edit', 'Copy'],
      ['Regenerate', 'Pin a', 'Copy'],
    ])
  })

  it('of the host are not asked for before the answer has ended', () => {
    const asked = vi.fn()
    function Asked(): ReactNode {
      asked(useMessage())
      return <Pin />
    }
    const actions = <Asked />
    const chat = createFakeChat({ messages: [answer('a', [text('So')], { status: 'streaming' })] })
    show(chat, <Message messageId="a" messageActions={actions} />)
    expect(asked).not.toHaveBeenCalled()
    act(() => chat.change('a', { status: 'complete' }))
    expect(screen.getByRole('button', { name: 'Pin a' })).toBeTruthy()
    expect(asked.mock.lastCall?.[0]).toMatchObject({ id: 'a', status: 'complete' })
  })

  it('are not rendered for a token, and come when the answer has ended', () => {
    let asked = 0
    const growing = (words: string): ChatMessage => {
      const message = answer('a', [text(words)], { status: 'streaming' })
      return {
        ...message,
        get parts() {
          asked++
          return message.parts
        },
      }
    }
    const chat = createFakeChat({ messages: [answer('a', [text('So')])] })
    const actions = (message: ChatMessage): ReactNode => (
      <ChatContext.Provider value={chat}>
        <MessageActions message={message} messageActions={undefined} />
      </ChatContext.Provider>
    )
    const { rerender } = render(actions(growing('So')))
    expect(asked).toBe(1)
    rerender(actions(growing('So it')))
    rerender(actions(growing('So it is')))
    expect(asked).toBe(1)
    rerender(actions(answer('a', [text('So it is')])))
    expect(screen.getByRole('button', { name: 'Copy' })).toBeTruthy()
  })

  it('are a group for those of the host alone, where capstan has none', () => {
    const artifact = { type: 'artifact', id: 'p', artifactId: 'rivers' } as const
    const chat = createFakeChat({ messages: [answer('a', [artifact]), said('u', 'And?')] })
    show(chat, <Message messageId="a" messageActions={pin} />)
    expect(names(screen.getByRole('group', { name: 'Message actions' }))).toEqual(['Pin a'])
  })

  it.each([[null], [undefined], [false]])('are no group where there are none: %s', (nothing) => {
    const artifact = { type: 'artifact', id: 'p', artifactId: 'rivers' } as const
    const chat = createFakeChat({ messages: [answer('a', [artifact]), said('u', 'And?')] })
    show(chat, <Message messageId="a" messageActions={nothing} />)
    expect(screen.queryByRole('group', { name: 'Message actions' })).toBeNull()
  })

  it('of capstan are shown where one of the host throws, and so does the answer', () => {
    const { options, caught } = hearCaughtErrors()
    const failure = new Error('no store')
    const chat = createFakeChat({ messages: [answer('a', [text('So.')])] })
    function Broken(): ReactNode {
      throw failure
    }
    render(
      <ChatContext.Provider value={chat}>
        <Message messageId="a" messageActions={<Broken />} />
      </ChatContext.Provider>,
      options,
    )
    expect(caught).toContain(failure)
    expect(names(screen.getByRole('group', { name: 'Message actions' }))).toEqual(['Copy', 'Regenerate'])
    expect(screen.getByRole('article').textContent).toContain('So.')
    expect(screen.getByText('Couldn’t display this content')).toBeTruthy()
  })

  it('hold a rating inside a whole chat', () => {
    const change = vi.fn()
    const rate = <FeedbackAction onFeedback={change} />
    const a = answer('a', [text('So.')])
    show(createFakeChat(), <Chat chat={createFakeChat({ messages: [said('u', 'Why?'), a] })} messageActions={rate} />)
    const [asked, answered] = screen.getAllByRole('article')
    expect(within(asked!).queryByRole('button', { name: 'Good response' })).toBeNull()
    fireEvent.click(within(answered!).getByRole('button', { name: 'Good response' }))
    expect(change.mock.calls).toEqual([['up', a]])
  })

  it('go to messages that a `renderMessage` leaves to capstan', () => {
    const chat = createFakeChat({ messages: [answer('a', [text('So.')])] })
    show(chat, <Chat chat={chat} messageActions={pin} listProps={{ renderMessage: () => undefined }} />)
    expect(screen.getByRole('button', { name: 'Pin a' })).toBeTruthy()
  })
})
