// @vitest-environment jsdom
import { fireEvent, screen, within } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import type { MessageFeedbackValue } from '../../../src/components/message-feedback/message-feedback.tsx'
import { MessageFeedback } from '../../../src/components/message-feedback/message-feedback.tsx'
import { DictionaryProvider } from '../../../src/components/dictionary/dictionary-context.tsx'
import { german } from '../../../src/components/locales/german.ts'
import { answer, createFakeChat, text } from '../fake-chat.ts'
import { show } from '../show.tsx'

const message = answer('a', [text('So.')])
const chat = createFakeChat({ messages: [message] })
const pressed = (): (string | null)[] =>
  screen.getAllByRole('button').map((button) => button.getAttribute('aria-pressed'))

describe('the feedback on a message', () => {
  it('is a named group of two buttons, neither pressed without a rating', () => {
    show(chat, <MessageFeedback message={message} onChange={() => {}} />)
    const group = screen.getByRole('group', { name: 'Rate this response' })
    expect(within(group).getByRole('button', { name: 'Good response', pressed: false })).toBeTruthy()
    expect(within(group).getByRole('button', { name: 'Bad response', pressed: false })).toBeTruthy()
    expect(group.hasAttribute('data-value')).toBe(false)
  })

  it.each([
    ['up', 'Good response'],
    ['down', 'Bad response'],
  ] as const)('is given as %s, with the message', (value, name) => {
    const change = vi.fn()
    show(chat, <MessageFeedback message={message} onChange={change} />)
    fireEvent.click(screen.getByRole('button', { name }))
    expect(change.mock.calls).toEqual([[value, message]])
  })

  it('is taken back when what is pressed is pressed again', () => {
    const change = vi.fn()
    show(chat, <MessageFeedback message={message} value="down" onChange={change} />)
    fireEvent.click(screen.getByRole('button', { name: 'Bad response', pressed: true }))
    expect(change.mock.calls).toEqual([[undefined, message]])
  })

  it('shows only what it is given: a press alone changes nothing', () => {
    show(chat, <MessageFeedback message={message} value="up" onChange={() => {}} />)
    fireEvent.click(screen.getByRole('button', { name: 'Bad response' }))
    expect(pressed()).toEqual(['true', 'false'])
    expect(screen.getByRole('group').dataset['value']).toBe('up')
  })

  it('changes from one to the other and keeps names and elements', () => {
    function Rating() {
      const [value, setValue] = useState<MessageFeedbackValue>()
      return <MessageFeedback message={message} value={value} onChange={setValue} />
    }
    show(chat, <Rating />)
    const buttons = screen.getAllByRole('button')
    fireEvent.click(screen.getByRole('button', { name: 'Good response' }))
    expect(pressed()).toEqual(['true', 'false'])
    fireEvent.click(screen.getByRole('button', { name: 'Bad response' }))
    expect(pressed()).toEqual(['false', 'true'])
    expect(screen.getAllByRole('button')).toEqual(buttons)
  })

  it('submits no form', () => {
    const submit = vi.fn()
    show(
      chat,
      <form onSubmit={submit}>
        <MessageFeedback message={message} onChange={() => {}} />
      </form>,
    )
    fireEvent.click(screen.getByRole('button', { name: 'Good response' }))
    expect(submit).not.toHaveBeenCalled()
  })

  it('speaks the language around it', () => {
    show(
      chat,
      <DictionaryProvider strings={german}>
        <MessageFeedback message={message} onChange={() => {}} />
      </DictionaryProvider>,
    )
    expect(screen.getByRole('group', { name: 'Antwort bewerten' }).textContent).toBe('')
    expect(screen.getByRole('button', { name: 'Gute Antwort' })).toBeTruthy()
  })
})
