// @vitest-environment jsdom
import { act, fireEvent, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { Message } from '../../../src/components/message/message.tsx'
import type { MessageStatus } from '../../../src/state/message.ts'
import { answer, createFakeChat, errorOf, said, text } from '../fake-chat.ts'
import { show } from '../show.tsx'

const ENDINGS: readonly [status: MessageStatus, button: string, verb: string][] = [
  ['incomplete', 'Continue', 'retry'],
  ['failed', 'Try again', 'retry'],
  ['stopped', 'Regenerate', 'regenerate'],
]
const half = (status: MessageStatus): ReturnType<typeof answer> => answer('a', [text('Half')], { status, error: errorOf() })
const endLine = (): HTMLElement | null => document.querySelector('.cs-endline')

describe('an answer that did not end well', () => {
  it.each(ENDINGS)('(%s) has its next step in the same line', (status, button, verb) => {
    const chat = createFakeChat({ messages: [said('u', 'Why?'), half(status)] })
    show(chat, <Message messageId="a" />)
    const [step] = screen.getAllByRole('button', { name: button }).filter((found) => endLine()?.contains(found)) as [HTMLElement]
    fireEvent.click(step)
    expect(chat.used).toEqual([[verb, 'a']])
  })

  it.each(ENDINGS)('(%s) further up says so, and offers nothing that would drop what was said since', (status) => {
    const chat = createFakeChat({ messages: [said('u', 'Why?'), half(status), said('u2', 'Never mind.')] })
    show(chat, <Message messageId="a" />)
    expect(endLine()).toBeTruthy()
    expect(endLine()?.querySelector('button, .cs-separator')).toBeNull()
    act(() => void chat.discard('u2'))
    expect(endLine()?.querySelector('button')).toBeTruthy()
  })
})
