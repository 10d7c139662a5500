// @vitest-environment jsdom
import { act, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { Composer } from '../../../src/components/composer/composer.tsx'
import { Message } from '../../../src/components/message/message.tsx'
import type { MessagePart } from '../../../src/state/turn.ts'
import type { FakeChat } from '../fake-chat.ts'
import { answer, createFakeChat, text } from '../fake-chat.ts'
import { show } from '../show.tsx'

type Status = Extract<MessagePart, { readonly type: 'said' }>['status']

const parts = (status: Status, after: readonly MessagePart[] = []): readonly MessagePart[] => [
  text('Rivers bend.', 't1'),
  { type: 'said', id: 's1', text: 'Only the north', status },
  ...after,
]
const streaming = (status: Status, after?: readonly MessagePart[]): FakeChat =>
  createFakeChat({ status: 'streaming', messages: [answer('a', [...parts(status, after)], { status: 'streaming' })] })
const said = (): HTMLElement => screen.getByRole('group', { name: 'You' })

describe('what the user said into an answer', () => {
  it('is between what the agent said before and after it', () => {
    show(streaming('sent', [text('In the north they bend less.', 't2')]), <Message messageId="a" />)
    expect(screen.getByRole('article', { name: 'Assistant' }).textContent).toBe(
      'Rivers bend.Only the northReceivedIn the north they bend less.',
    )
  })

  it('tells in a live region when the agent has received it', () => {
    const chat = streaming('sending')
    show(chat, <Message messageId="a" />)
    const state = within(said()).getByRole('status')
    expect(state.textContent).toBe('Sending')
    act(() => chat.change('a', { parts: parts('sent') }))
    expect(state.textContent).toBe('Received')
    expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull()
  })

  it('shows waiting dots behind it while nothing follows, and no caret in the text before it', () => {
    show(streaming('sending'), <Message messageId="a" />)
    expect(screen.getByRole('img', { name: 'Waiting for a response' })).toBeTruthy()
    expect(document.querySelector('.cs-caret')).toBeNull()
  })

  it('goes back into the box when nobody knows whether it arrived', () => {
    const chat = streaming('not-sent')
    show(
      chat,
      <>
        <Message messageId="a" />
        <Composer />
      </>,
    )
    expect(within(said()).getByText('Not confirmed. The assistant may not have received this.')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Edit' }))
    expect(screen.getByRole<HTMLTextAreaElement>('textbox').value).toBe('Only the north')
    expect(chat.used).toEqual([])
  })

  it('shows direction marks and stacked accents as harmless text', () => {
    const part: MessagePart = { type: 'said', id: 's1', text: `z${'\u0301'.repeat(40)}`, status: 'sent' }
    show(createFakeChat({ messages: [answer('a', [part])] }), <Message messageId="a" />)
    expect((said().querySelector('.cs-bubble')?.textContent ?? '').length).toBeLessThan(20)
  })
})
