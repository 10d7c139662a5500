// @vitest-environment jsdom
import { act, fireEvent, screen, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { describe, expect, it } from 'vitest'
import { Composer } from '../../../src/components/composer/composer.tsx'
import { createDraft } from '../../../src/components/composer/draft.ts'
import { Message } from '../../../src/components/message/message.tsx'
import { answer, createFakeChat, errorOf, said, text } from '../fake-chat.ts'
import { settle, show } from '../show.tsx'

const messages = [
  said('u', 'Why?', { files: ['f-1', { id: 'f-2', name: 'gauges.csv', size: 12 }], metadata: { place: 'Mole' } }),
  answer('a', [text('So.')]),
]
const parts: ReactNode = (
  <>
    <Message messageId="u" />
    <Message messageId="a" />
    <Composer />
  </>
)
const own = () => within(screen.getByRole('article', { name: 'You' }))
const editor = (): HTMLTextAreaElement => screen.getByRole('textbox', { name: 'Edit message' })
const composer = (): HTMLTextAreaElement => screen.getByRole('textbox', { name: 'Message' })
const begin = (): void => void fireEvent.click(own().getByRole('button', { name: 'Edit' }))

describe('a sent message', () => {
  it('shows its files above its words', () => {
    show(createFakeChat({ messages }), parts)
    expect(own().getByRole('list', { name: 'Attached files' }).textContent).toBe('f-1gauges.csv12 B')
    expect(own().queryByRole('button', { name: /Remove/ })).toBeNull()
  })

  it('opens in its place, with its words and files, and the keyboard in it', () => {
    show(createFakeChat({ messages }), parts)
    begin()
    expect(editor().value).toBe('Why?')
    expect(document.activeElement).toBe(editor())
    expect(own().getByRole('list', { name: 'Attached files' }).textContent).toBe('f-1gauges.csv12 B')
    expect(own().queryByRole('button', { name: 'Edit' })).toBeNull()
  })

  it('is sent as it now is; the box below keeps what was in it and takes the keyboard', async () => {
    const chat = createFakeChat({ messages, status: 'streaming' })
    show(chat, parts, createDraft('something else'))
    begin()
    fireEvent.change(editor(), { target: { value: 'Why not?' } })
    fireEvent.click(own().getByRole('button', { name: 'Remove f-1' }))
    expect(document.activeElement).toBe(editor())
    expect(fireEvent.keyDown(editor(), { key: 'Enter' })).toBe(false)
    await settle()
    expect(chat.used).toEqual([
      [
        'edit',
        ['u', { text: 'Why not?', files: [{ id: 'f-2', name: 'gauges.csv', size: 12 }], metadata: { place: 'Mole' } }],
      ],
    ])
    expect(composer().value).toBe('something else')
    expect(document.activeElement).toBe(composer())
    expect(screen.queryByRole('textbox', { name: 'Edit message' })).toBeNull()
  })

  it('cannot be emptied', () => {
    const chat = createFakeChat({ messages: [said('u', 'Why?')] })
    show(chat, <Message messageId="u" />)
    begin()
    fireEvent.change(editor(), { target: { value: ' ' } })
    fireEvent.keyDown(editor(), { key: 'Enter' })
    expect(chat.used).toEqual([])
    expect(own().getByRole('button', { name: 'Send' }).getAttribute('aria-disabled')).toBe('true')
  })

  it('stays as it was when the user leaves; the keyboard is back on Edit, and a running answer continues', () => {
    const chat = createFakeChat({ messages, status: 'streaming' })
    show(chat, parts)
    begin()
    fireEvent.change(editor(), { target: { value: 'Why not?' } })
    fireEvent.keyDown(editor(), { key: 'Escape', isComposing: true })
    const left = fireEvent.keyDown(editor(), { key: 'Escape' })
    expect(left).toBe(false)
    expect(own().getByText('Why?')).toBeTruthy()
    expect(document.activeElement).toBe(own().getByRole('button', { name: 'Edit' }))
    expect(chat.used).toEqual([])
    begin()
    fireEvent.click(own().getByRole('button', { name: 'Cancel' }))
    expect(own().getByText('Why?')).toBeTruthy()
  })

  it('opened from the box below by arrow up, leads back there', () => {
    show(createFakeChat({ messages }), parts)
    composer().focus()
    fireEvent.keyDown(composer(), { key: 'ArrowUp' })
    expect(document.activeElement).toBe(editor())
    fireEvent.keyDown(editor(), { key: 'Escape' })
    expect(document.activeElement).toBe(composer())
  })

  it('keeps what was begun while it is out of sight, and takes no focus when it is back', () => {
    const chat = createFakeChat({ messages })
    const draft = createDraft()
    const { unmount } = show(chat, parts, draft)
    begin()
    fireEvent.change(editor(), { target: { value: 'Why not?' } })
    unmount()
    show(chat, parts, draft)
    expect(editor().value).toBe('Why not?')
    expect(document.activeElement).not.toBe(editor())
  })

  it('is open again, with the reason, when the chat refuses the new version', async () => {
    const chat = createFakeChat({ messages })
    chat.refuse(errorOf({ code: 'busy' }))
    show(chat, parts)
    begin()
    fireEvent.change(editor(), { target: { value: 'Why not?' } })
    fireEvent.keyDown(editor(), { key: 'Enter' })
    await settle()
    expect(editor().value).toBe('Why not?')
    expect(own().getAllByRole('status')[0]?.textContent).toBe('Still responding')
  })
})

describe('a message that was not sent', () => {
  it('goes back into the box to be edited, files and all', () => {
    const chat = createFakeChat({ messages: [said('u', 'Why?', { status: 'not-sent', files: ['f-1'] })] })
    show(chat, parts)
    begin()
    expect(composer().value).toBe('Why?')
    expect(screen.getByRole('list', { name: 'Attached files' }).textContent).toBe('f-1')
    expect(document.activeElement).toBe(composer())
  })

  it('has no Edit while it is on its way', () => {
    const chat = createFakeChat({ messages: [said('u', 'Why?', { status: 'sending' })] })
    show(chat, parts)
    expect(own().queryByRole('button')).toBeNull()
    act(() => chat.change('u', { status: 'sent' }))
    expect(own().getByRole('button', { name: 'Edit' })).toBeTruthy()
  })
})
