// @vitest-environment jsdom
import { act, createEvent, fireEvent, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { Composer } from '../../src/components/composer/composer.tsx'
import { createDraft } from '../../src/components/composer/draft.ts'
import { createFakeChat, errorOf } from './fake-chat.ts'
import { settle, show } from './show.tsx'

const box = (): HTMLTextAreaElement => screen.getByRole('textbox')
const write = (words: string): void => void fireEvent.change(box(), { target: { value: words } })
const enter = (init: KeyboardEventInit & { keyCode?: number } = {}): boolean => fireEvent.keyDown(box(), { key: 'Enter', ...init })

describe('writing a message', () => {
  it('sends on Enter, empties the box and keeps the focus', async () => {
    const chat = createFakeChat()
    show(chat, <Composer />)
    box().focus()
    write('Why do rivers bend?')
    expect(enter()).toBe(false)
    await settle()
    expect(chat.used).toEqual([['sendMessage', 'Why do rivers bend?']])
    expect(box().value).toBe('')
    expect(document.activeElement).toBe(box())
  })

  it('leaves Shift and Enter to the text box', () => {
    const chat = createFakeChat()
    show(chat, <Composer />)
    write('first line')
    expect(enter({ shiftKey: true })).toBe(true)
    expect(chat.used).toEqual([])
  })

  it('sends nothing while an input method composes, in Safari too', () => {
    const chat = createFakeChat()
    show(chat, <Composer />)
    write('かわ')
    expect(enter({ isComposing: true })).toBe(true)
    expect(enter({ keyCode: 229 })).toBe(true)
    expect(chat.used).toEqual([])
    enter()
    expect(chat.used).toEqual([['sendMessage', 'かわ']])
  })

  it('sends once for a second Enter, a held key and a click in the same moment', async () => {
    const chat = createFakeChat()
    show(chat, <Composer />)
    write('once')
    enter()
    enter({ repeat: true })
    enter()
    fireEvent.submit(screen.getByRole('form'))
    await settle()
    expect(chat.used).toEqual([['sendMessage', 'once']])
  })

  it('sends no blank message, and says so on the button without switching it off', () => {
    const chat = createFakeChat()
    show(chat, <Composer />)
    write('  \n ')
    enter()
    expect(chat.used).toEqual([])
    const send = screen.getByRole('button', { name: 'Send' })
    expect(send.getAttribute('aria-disabled')).toBe('true')
    expect(send).toHaveProperty('disabled', false)
  })

  it('lets the app answer the submit itself', () => {
    const chat = createFakeChat()
    show(chat, <Composer onSubmit={(event) => event.preventDefault()} />)
    write('mine')
    fireEvent.submit(screen.getByRole('form'))
    expect(chat.used).toEqual([])
    expect(box().value).toBe('mine')
  })
})

describe('a message the chat refuses', () => {
  it('comes back into the box, with the reason beside it', async () => {
    const chat = createFakeChat()
    chat.refuse(errorOf({ code: 'busy', severity: 'WARNING' }))
    show(chat, <Composer />)
    write('Keep me')
    enter()
    expect(box().value).toBe('')
    await settle()
    expect(box().value).toBe('Keep me')
    expect(screen.getByRole('status').textContent).toBe('An answer is still being written')
    write('Keep me, please')
    expect(screen.getByRole('status').textContent).toBe('')
  })

  it('comes back before what has been written since', async () => {
    const chat = createFakeChat()
    chat.refuse(new Error('a bug in the app'))
    show(chat, <Composer />)
    write('first')
    enter()
    write('second')
    await settle()
    expect(box().value).toBe('first\n\nsecond')
    expect(screen.getByRole('status').textContent).toBe('Something went wrong in this app')
  })
})

describe('while an answer runs', () => {
  const running = () => createFakeChat({ status: 'streaming' })

  it('Stop stands where Send stood, in the same element', () => {
    const chat = createFakeChat()
    show(chat, <Composer />)
    const send = screen.getByRole('button', { name: 'Send' })
    act(() => chat.set({ status: 'submitted' }))
    const stop = screen.getByRole('button', { name: 'Stop' })
    expect(stop).toBe(send)
    fireEvent.click(stop)
    expect(chat.used).toEqual([['stop']])
  })

  it('a double click on Send does not stop what it sent', () => {
    const chat = running()
    show(chat, <Composer />)
    fireEvent.click(screen.getByRole('button', { name: 'Stop' }), { detail: 2 })
    expect(chat.used).toEqual([])
  })

  it('Escape stops; without a run, or while composing, it is left alone', () => {
    const chat = running()
    show(chat, <Composer />)
    fireEvent.keyDown(box(), { key: 'Escape', isComposing: true })
    expect(chat.used).toEqual([])
    fireEvent.keyDown(box(), { key: 'Escape' })
    expect(chat.used).toEqual([['stop']])
    act(() => chat.set({ status: 'ready' }))
    const escape = createEvent.keyDown(box(), { key: 'Escape' })
    fireEvent(box(), escape)
    expect(escape.defaultPrevented).toBe(false)
    expect(chat.used).toEqual([['stop']])
  })

  it('Enter keeps the text and says why, until the answer ends', () => {
    const chat = running()
    show(chat, <Composer />)
    write('The next question')
    enter()
    expect(chat.used).toEqual([])
    expect(box().value).toBe('The next question')
    expect(screen.getByRole('status').textContent).toContain('Your text is kept')
    act(() => chat.set({ status: 'ready' }))
    expect(screen.getByRole('status').textContent).toBe('')
    enter()
    expect(chat.used).toEqual([['sendMessage', 'The next question']])
  })
})

describe('a draft', () => {
  it('takes text back for editing and asks for the focus', () => {
    const draft = createDraft('and this')
    show(createFakeChat(), <Composer />, draft)
    expect(document.activeElement).not.toBe(box())
    act(() => draft.edit('Change me'))
    expect(box().value).toBe('Change me\n\nand this')
    expect(document.activeElement).toBe(box())
  })

  it('only asks for the focus when there is nothing to take back', () => {
    const draft = createDraft('mine')
    show(createFakeChat(), <Composer />, draft)
    act(() => draft.edit(''))
    expect(box().value).toBe('mine')
    expect(document.activeElement).toBe(box())
  })

  it('lets go of everyone who listened', () => {
    const draft = createDraft()
    const chat = createFakeChat()
    const { unmount } = show(chat, <Composer />, draft)
    unmount()
    expect(chat.listeners).toBe(0)
    expect(() => draft.edit('nobody is here')).not.toThrow()
  })
})
