// @vitest-environment jsdom
import { act, fireEvent, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { Message } from '../../../src/components/message/message.tsx'
import type { MessageStatus } from '../../../src/state/turn.ts'
import { answer, createFakeChat, errorOf, said, text } from '../fake-chat.ts'
import { show } from '../show.tsx'

const ENDINGS: readonly [status: MessageStatus, button: string, action: string][] = [
  ['incomplete', 'Continue', 'retry'],
  ['failed', 'Try again', 'retry'],
  ['stopped', 'Regenerate', 'regenerate'],
]
const half = (status: MessageStatus): ReturnType<typeof answer> =>
  answer('a', [text('Half')], { status, error: errorOf() })
const statusRow = (): HTMLElement | null => document.querySelector('.cs-status-row')

describe('an answer that did not end well', () => {
  it.each(ENDINGS)('(%s) has its next step in the same row', (status, button, action) => {
    const chat = createFakeChat({ messages: [said('u', 'Why?'), half(status)] })
    show(chat, <Message messageId="a" />)
    const [step] = screen.getAllByRole('button', { name: button }).filter((found) => statusRow()?.contains(found)) as [
      HTMLElement,
    ]
    fireEvent.click(step)
    expect(chat.used).toEqual([[action, 'a']])
  })

  it.each([
    ['cancelling', 'Stopping…'],
    ['cancelled', 'Stopped'],
    ['left', 'Stopped here. The assistant may still be working.'],
  ] as const)('(stopped, %s) says what is known of the agent', (stop, words) => {
    show(
      createFakeChat({ messages: [answer('a', [text('Half')], { status: 'stopped', stop })] }),
      <Message messageId="a" />,
    )
    expect(statusRow()?.querySelector('b')?.textContent).toBe(words)
  })

  it.each(ENDINGS)('(%s) further up says so, and offers nothing that would drop what was said since', (status) => {
    const chat = createFakeChat({ messages: [said('u', 'Why?'), half(status), said('u2', 'Never mind.')] })
    show(chat, <Message messageId="a" />)
    expect(statusRow()).toBeTruthy()
    expect(statusRow()?.querySelector('button, .cs-separator')).toBeNull()
    act(() => void chat.discard('u2'))
    expect(statusRow()?.querySelector('button')).toBeTruthy()
  })
})

describe('a tool that waits for the user', () => {
  it('still waits after its answer has ended while the chat awaits input, and did not finish when it no longer does', () => {
    const call = { id: 'p', type: 'tool-call', name: 'x', status: 'waiting' } as const
    const chat = createFakeChat({ status: 'awaiting-input', messages: [answer('a', [call], { status: 'complete' })] })
    show(chat, <Message messageId="a" />)
    expect(document.querySelector('summary')?.textContent).toBe('x is waiting for you')
    act(() => chat.set({ status: 'ready' }))
    expect(document.querySelector('summary')?.textContent).toBe('x did not finish')
  })
})
