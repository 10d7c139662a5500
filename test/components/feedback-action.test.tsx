// @vitest-environment jsdom
import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { FeedbackActionProps } from '../../src/components/feedback-action.tsx'
import { FeedbackAction } from '../../src/components/feedback-action.tsx'
import { Message } from '../../src/components/message/message.tsx'
import { DictionaryProvider } from '../../src/components/dictionary/dictionary-context.tsx'
import { german } from '../../src/strings/german.ts'
import type { FakeChat } from './fake-chat.ts'
import { answer, createFakeChat, said, text } from './fake-chat.ts'
import { show } from './show.tsx'

const message = answer('a', [text('So.')])
const question = said('u', 'Why?')
let chat: FakeChat
beforeEach(() => {
  chat = createFakeChat({ messages: [question, message] })
})

function Rated(props: Partial<FeedbackActionProps>): ReactNode {
  return <Message messageId="a" messageActions={<FeedbackAction onFeedback={() => {}} {...props} />} />
}
const thumbs = (): readonly HTMLElement[] => screen.getAllByRole('button', { name: /response/ })
const pressed = (): (string | null)[] => thumbs().map((button) => button.getAttribute('aria-pressed'))
const group = (): HTMLElement => screen.getByRole('group', { name: 'Rate this response' })

describe('the feedback on a message', () => {
  it('is a named group of two buttons, neither pressed without a rating', () => {
    show(chat, <Rated />)
    expect(within(group()).getByRole('button', { name: 'Good response', pressed: false })).toBeTruthy()
    expect(within(group()).getByRole('button', { name: 'Bad response', pressed: false })).toBeTruthy()
    expect(group().hasAttribute('data-value')).toBe(false)
  })

  it.each([
    ['up', 'Good response'],
    ['down', 'Bad response'],
  ] as const)('is given as %s, with the message, and shown', (value, name) => {
    const rate = vi.fn()
    show(chat, <Rated onFeedback={rate} />)
    fireEvent.click(screen.getByRole('button', { name }))
    expect(rate.mock.calls).toEqual([[value, message]])
    expect(group().dataset['value']).toBe(value)
  })

  it('is taken back when what is pressed is pressed again', () => {
    const rate = vi.fn()
    show(chat, <Rated onFeedback={rate} />)
    fireEvent.click(screen.getByRole('button', { name: 'Bad response' }))
    fireEvent.click(screen.getByRole('button', { name: 'Bad response', pressed: true }))
    expect(rate.mock.calls).toEqual([
      ['down', message],
      [undefined, message],
    ])
    expect(pressed()).toEqual(['false', 'false'])
  })

  it('changes from one to the other and keeps names and elements', () => {
    show(chat, <Rated />)
    const buttons = thumbs()
    fireEvent.click(screen.getByRole('button', { name: 'Good response' }))
    expect(pressed()).toEqual(['true', 'false'])
    fireEvent.click(screen.getByRole('button', { name: 'Bad response' }))
    expect(pressed()).toEqual(['false', 'true'])
    expect(thumbs()).toEqual(buttons)
  })

  it('is still there when the message comes back into the document, and only in its chat', () => {
    show(chat, <Rated />)
    fireEvent.click(screen.getByRole('button', { name: 'Good response' }))
    cleanup()
    show(chat, <Rated />)
    expect(pressed()).toEqual(['true', 'false'])
    cleanup()
    show(createFakeChat({ messages: [message] }), <Rated />)
    expect(pressed()).toEqual(['false', 'false'])
  })

  it('is what the app says where it keeps ratings: a press alone changes nothing', () => {
    show(chat, <Rated ratingOf={({ id }) => (id === 'a' ? 'up' : undefined)} />)
    fireEvent.click(screen.getByRole('button', { name: 'Bad response' }))
    expect(pressed()).toEqual(['true', 'false'])
    expect(group().dataset['value']).toBe('up')
  })

  it('is not asked for of what the user sent', () => {
    show(chat, <Message messageId="u" messageActions={<FeedbackAction onFeedback={() => {}} />} />)
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('submits no form', () => {
    const submit = vi.fn()
    show(
      chat,
      <form onSubmit={submit}>
        <Rated />
      </form>,
    )
    fireEvent.click(screen.getByRole('button', { name: 'Good response' }))
    expect(submit).not.toHaveBeenCalled()
  })

  it('speaks the language around it', () => {
    show(
      chat,
      <DictionaryProvider strings={german}>
        <Rated />
      </DictionaryProvider>,
    )
    expect(screen.getByRole('group', { name: 'Antwort bewerten' }).textContent).toBe('')
    expect(screen.getByRole('button', { name: 'Gute Antwort' })).toBeTruthy()
  })
})
