// @vitest-environment jsdom
import { act, createEvent, fireEvent, render, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import type { ReactNode } from 'react'
import { Composer } from '../../../src/components/composer/composer.tsx'
import { createDraft, draftOf } from '../../../src/components/composer/draft.ts'
import { ChatContext } from '../../../src/react/chat-context.ts'
import type { ChatInstance } from '../../../src/state/chat.ts'
import { answer, createFakeChat, errorOf, said, text } from '../fake-chat.ts'
import { settle, show } from '../show.tsx'

const box = (): HTMLTextAreaElement => screen.getByRole('textbox')
const write = (words: string): void => void fireEvent.change(box(), { target: { value: words } })
/** What the composer says about the message itself. */
const note = (): string | null => screen.getAllByRole('status')[0]?.textContent ?? null
const enter = (init: KeyboardEventInit & { keyCode?: number } = {}): boolean =>
  fireEvent.keyDown(box(), { key: 'Enter', ...init })

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

  it('sends a paste of 1 MB whole', async () => {
    const chat = createFakeChat()
    show(chat, <Composer />)
    const pasted = 'Where the river bends, line by line.\n'.repeat(28_000).trim()
    expect(pasted.length).toBeGreaterThan(1_000_000)
    write(pasted)
    enter()
    await settle()
    expect(chat.used).toEqual([['sendMessage', pasted]])
    expect(box().value).toBe('')
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

  it('keeps the browser from submitting the form, which would load another page', () => {
    show(createFakeChat(), <Composer />)
    write('once')
    expect(fireEvent.submit(screen.getByRole('form'))).toBe(false)
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
  it('comes back into the box, with the reason next to it', async () => {
    const chat = createFakeChat()
    chat.refuse(errorOf({ code: 'busy', severity: 'WARNING' }))
    show(chat, <Composer />)
    write('Keep me')
    enter()
    expect(box().value).toBe('')
    await settle()
    expect(box().value).toBe('Keep me')
    expect(note()).toBe('Still responding')
    write('Keep me, please')
    expect(note()).toBe('')
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
    expect(note()).toBe('Something went wrong')
  })
})

describe('while an answer runs', () => {
  const running = () => createFakeChat({ status: 'streaming' })

  it('Stop takes the place of Send, in the same element', () => {
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

  it('Enter lets the message wait, and the box is free again', async () => {
    const chat = running()
    show(chat, <Composer />)
    write('The next question')
    enter()
    await settle()
    expect(chat.used).toEqual([['sendMessage', 'The next question']])
    expect(chat.options).toEqual([{ whenBusy: 'queue' }])
    expect(box().value).toBe('')
  })

  it('has a button for that too, only when there is something to send', () => {
    const chat = running()
    show(chat, <Composer />)
    expect(screen.queryByRole('button', { name: 'Send when this response finishes' })).toBeNull()
    write('The next question')
    expect(screen.getByRole('button', { name: 'Stop' })).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Send when this response finishes' }))
    expect(chat.used).toEqual([['sendMessage', 'The next question']])
  })
})

describe('with whenBusy="say", while an answer runs', () => {
  const running = () => createFakeChat({ status: 'streaming' })
  /** A chat whose agent cannot take anything in: what is said is queued. */
  function queueing(): ChatInstance & ReturnType<typeof createFakeChat> {
    const chat = running()
    const sendMessage: ChatInstance['sendMessage'] = async (message) => {
      const queued = { id: 'r-1', message: typeof message === 'string' ? { text: message } : message }
      chat.set({ queued: [queued] })
      return { status: 'queued' }
    }
    return Object.assign(chat, { sendMessage })
  }

  it('Enter says the text into it, and the button says that it does', async () => {
    const chat = running()
    show(chat, <Composer whenBusy="say" />)
    write('Only the north')
    expect(screen.getByRole('button', { name: 'Add to this response' })).toBeTruthy()
    enter()
    await settle()
    expect(chat.used).toEqual([['sendMessage', 'Only the north']])
    expect(chat.options).toEqual([{ whenBusy: 'say' }])
    expect(box().value).toBe('')
    expect(note()).toBe('')
  })

  it('text that the agent could not take in is announced as queued, until it is no longer', async () => {
    const chat = queueing()
    show(chat, <Composer whenBusy="say" />)
    write('Only the north')
    enter()
    await settle()
    expect(note()).toBe('Couldn’t be added to this response. It will be sent when the response finishes.')
    act(() => chat.set({ queued: [] }))
    expect(note()).toBe('')
  })

  it('a message with files waits, as the button says', async () => {
    const chat = queueing()
    const draft = createDraft({ text: 'See this', files: [{ id: 'f-1', name: 'gauges.csv' }] })
    show(chat, <Composer whenBusy="say" draft={draft} />)
    fireEvent.click(screen.getByRole('button', { name: 'Send when this response finishes' }))
    await settle()
    expect(note()).toBe('')
    expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['See thisQueued'])
  })
})

describe('messages that wait', () => {
  const queued = [
    { id: 'r-1', message: { text: 'And the upper reach?' } },
    { id: 'r-2', message: { text: '', files: [{ id: 'f-1', name: 'gauges.csv' }] } },
  ]
  const items = (): string[] => screen.getAllByRole('listitem').map((item) => item.textContent ?? '')

  it('are shown above the text while the answer runs', () => {
    show(createFakeChat({ status: 'streaming', queued }), <Composer />)
    expect(items()).toEqual(['And the upper reach?Queued', 'gauges.csvQueued'])
  })

  it('can be taken out', () => {
    const chat = createFakeChat({ status: 'streaming', queued })
    show(chat, <Composer />)
    fireEvent.click(screen.getByRole('button', { name: 'Remove And the upper reach?' }))
    expect(chat.used).toEqual([['discard', 'r-1']])
    expect(items()).toEqual(['gauges.csvQueued'])
    expect(document.activeElement).toBe(box())
  })

  it('come back into the box to be edited, files and all', () => {
    const chat = createFakeChat({ status: 'streaming', queued })
    show(chat, <Composer />)
    fireEvent.click(screen.getByRole('button', { name: 'Edit And the upper reach?' }))
    expect(box().value).toBe('And the upper reach?')
    fireEvent.click(screen.getByRole('button', { name: 'Edit gauges.csv' }))
    expect(box().value).toBe('And the upper reach?')
    expect(screen.getByRole('list', { name: 'Attached files' }).textContent).toBe('gauges.csv')
  })

  it('are sent by the user after a failure, one at a time', async () => {
    const chat = createFakeChat({ status: 'error', queued })
    show(chat, <Composer />)
    fireEvent.click(screen.getAllByRole('button', { name: 'Send now' })[1] as HTMLElement)
    await settle()
    expect(chat.used).toEqual([
      ['discard', 'r-2'],
      ['sendMessage', queued[1]?.message],
    ])
    expect(items()).toEqual(['And the upper reach?Send now'])
  })

  it('come back into the box when the chat refuses them', async () => {
    const chat = createFakeChat({ status: 'error', queued })
    chat.refuse(errorOf({ code: 'invalid_request' }))
    show(chat, <Composer />)
    fireEvent.click(screen.getAllByRole('button', { name: 'Send now' })[0] as HTMLElement)
    await settle()
    expect(box().value).toBe('And the upper reach?')
  })
})

describe('arrow up in the empty box', () => {
  const up = (init: KeyboardEventInit = {}): boolean => fireEvent.keyDown(box(), { key: 'ArrowUp', ...init })

  it('takes back what waits', () => {
    const chat = createFakeChat({
      status: 'streaming',
      messages: [said('u', 'Why?')],
      queued: [{ id: 'r-1', message: { text: 'And?' } }],
    })
    show(chat, <Composer />)
    expect(up()).toBe(false)
    expect(box().value).toBe('And?')
  })

  it('opens the last sent message, and takes back an unsent one', () => {
    const draft = createDraft()
    const chat = createFakeChat({ messages: [said('u', 'Why?'), answer('a', [text('So.')])] })
    show(chat, <Composer />, draft)
    up()
    expect(draft.getSnapshot().editors.get('u')?.draft.getSnapshot().text).toBe('Why?')
    expect(box().value).toBe('')
    act(() => chat.set({ messages: [said('v', 'And?', { status: 'not-sent' })] }))
    up()
    expect(box().value).toBe('And?')
  })

  it('is left alone with something in the box, with another key, and with nothing to edit', () => {
    const chat = createFakeChat({ messages: [said('u', 'Why?')] })
    const draft = createDraft()
    show(chat, <Composer />, draft)
    up({ shiftKey: true })
    write('x')
    expect(up()).toBe(true)
    write('')
    act(() => chat.set({ messages: [said('u', 'Why?', { status: 'sending' })] }))
    up()
    act(() => chat.set({ messages: [] }))
    up()
    expect(draft.getSnapshot().editors.size).toBe(0)
    expect(chat.used).toEqual([])
  })
})

describe('a device without a network', () => {
  const network = (online: boolean): void => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(online)
    act(() => void window.dispatchEvent(new Event(online ? 'online' : 'offline')))
  }

  it('says what will become of a message, where no answer says it already', () => {
    const chat = createFakeChat()
    show(chat, <Composer />)
    network(false)
    expect(note()).toBe('You’re offline. Messages will be sent when you reconnect.')
    act(() => chat.set({ status: 'streaming' }))
    expect(note()).toBe('')
    act(() => chat.set({ status: 'ready' }))
    network(true)
    expect(note()).toBe('')
    vi.restoreAllMocks()
  })
})

describe('Enter', () => {
  it('breaks the line when the app says so, and Ctrl or ⌘ with it sends', () => {
    const chat = createFakeChat()
    show(chat, <Composer submitOnEnter={false} />)
    write('first')
    expect(box().getAttribute('enterkeyhint')).toBe('enter')
    expect(enter()).toBe(true)
    expect(enter({ ctrlKey: true, isComposing: true })).toBe(true)
    expect(chat.used).toEqual([])
    expect(enter({ ctrlKey: true })).toBe(false)
    write('second')
    expect(enter({ metaKey: true })).toBe(false)
    expect(chat.used).toEqual([
      ['sendMessage', 'first'],
      ['sendMessage', 'second'],
    ])
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

  it('belongs to its chat: it is there again after leaving, and each conversation has its own', () => {
    const rivers = createFakeChat()
    const lakes = createFakeChat()
    const page = (chat: ChatInstance): ReactNode => (
      <ChatContext.Provider value={chat}>
        <Composer />
      </ChatContext.Provider>
    )
    const { rerender, unmount } = render(page(rivers))
    write('about rivers')
    rerender(page(lakes))
    expect(box().value).toBe('')
    write('about lakes')
    rerender(page(rivers))
    expect(box().value).toBe('about rivers')
    unmount()
    render(page(lakes))
    expect(box().value).toBe('about lakes')
    expect(draftOf(rivers).getSnapshot().text).toBe('about rivers')
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
