import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cdp, page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '../../src/styles.css'
import type { ChatProps } from '../../src/components/chat.tsx'
import { Chat } from '../../src/components/chat.tsx'
import { draftOf } from '../../src/components/composer/draft.ts'
import type { FakeChat } from '../components/fake-chat.ts'
import { answer, createFakeChat, errorOf, said, text } from '../components/fake-chat.ts'
import { painted } from './transcript.tsx'

async function showChat(chat: FakeChat, props: ChatProps = {}, beside?: ReactNode): Promise<void> {
  const tall = (element: HTMLElement | null): void => element?.style.setProperty('height', '600px')
  await render(
    <>
      {beside}
      <div ref={tall}>
        <Chat chat={chat} {...props} />
      </div>
    </>,
  )
}

const box = (): HTMLTextAreaElement =>
  page.getByRole('textbox', { name: 'Message', exact: true }).element() as HTMLTextAreaElement
const form = (): HTMLElement => page.getByRole('form', { name: 'Message', exact: true }).element() as HTMLElement
const running = (): FakeChat =>
  createFakeChat({
    status: 'streaming',
    messages: [said('u', 'Why?'), answer('a', [text('Half of')], { status: 'streaming' })],
  })

beforeEach(async () => {
  await page.viewport(1280, 800)
})

describe('a user who writes while 10,000 tokens come', () => {
  it('keeps the focus, the caret and every letter', async () => {
    const chat = running()
    await showChat(chat)
    box().focus()
    await userEvent.keyboard('upper reach')
    await userEvent.keyboard('{Home}')
    let words = ''
    let streaming = true
    const stream = (async () => {
      for (let token = 1; token <= 10_000; token += 1) {
        words += `token${token} `
        // As the chat does it: however many come, one change a frame.
        if (token % 100 !== 0) continue
        chat.change('a', { parts: [text(words)] })
        await painted()
      }
      streaming = false
    })()
    let typed = ''
    while (streaming) {
      expect(document.activeElement).toBe(box())
      expect(box().selectionStart).toBe(typed.length)
      await userEvent.keyboard('x')
      typed += 'x'
    }
    await stream
    expect(typed.length).toBeGreaterThan(1)
    expect(box().value).toBe(`${typed}upper reach`)
    expect(page.getByText(/token10000/).elements()).toHaveLength(1)
  })
})

describe('a user who writes with an input method', () => {
  const compose = (words: string): Promise<unknown> =>
    cdp().send('Input.imeSetComposition', { text: words, selectionStart: words.length, selectionEnd: words.length })
  /** A key while the composition is open: the browser says so on the event. */
  const pressComposing = async (key: 'Enter' | 'Escape', windowsVirtualKeyCode: number): Promise<void> => {
    const seen: [string, boolean][] = []
    box().addEventListener('keydown', (event) => seen.push([event.key, event.isComposing]), {
      once: true,
      capture: true,
    })
    await cdp().send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key, code: key, windowsVirtualKeyCode })
    expect(seen).toEqual([[key, true]])
  }
  /** The Enter that takes a candidate. */
  const choose = async (words: string): Promise<void> => {
    await pressComposing('Enter', 13)
    await cdp().send('Input.insertText', { text: words })
    await cdp().send('Input.dispatchKeyEvent', {
      type: 'keyUp',
      key: 'Enter',
      code: 'Enter',
      windowsVirtualKeyCode: 13,
    })
  }

  it('sends with the Enter after the one that takes the candidate', async () => {
    const chat = createFakeChat()
    await showChat(chat)
    box().focus()
    const composed: string[] = []
    box().addEventListener('compositionend', ({ data }) => composed.push(data))
    await compose('か')
    await compose('かわ')
    expect(box().value).toBe('かわ')
    await choose('川')
    expect(composed).toHaveLength(1)
    expect(box().value).toBe('川')
    expect(chat.used).toEqual([])
    await userEvent.keyboard('{Enter}')
    expect(chat.used).toEqual([['sendMessage', '川']])
    expect(box().value).toBe('')
  })

  it('is not disturbed by the answer that runs, and Escape ends the composition, not the answer', async () => {
    const chat = running()
    await showChat(chat)
    box().focus()
    await compose('かわ')
    chat.change('a', { parts: [text('Half of an answer')] })
    await painted()
    expect(box().value).toBe('かわ')
    await pressComposing('Escape', 27)
    expect(chat.used).toEqual([])
  })
})

describe('Ctrl and Z', () => {
  it('bring back what was sent, and what was there before a message came back', async () => {
    const chat = createFakeChat()
    await showChat(chat)
    box().focus()
    await userEvent.keyboard('Why?{Enter}')
    expect(box().value).toBe('')
    await userEvent.keyboard('{Control>}z{/Control}')
    await expect.poll(() => box().value).toBe('Why?')
    draftOf(chat).edit('And lakes?')
    await expect.poll(() => box().value).toBe('And lakes?\n\nWhy?')
    await userEvent.keyboard('{Control>}z{/Control}')
    await expect.poll(() => box().value).toBe('Why?')
    // What is seen is what is sent.
    await userEvent.keyboard('{Enter}')
    expect(chat.used.at(-1)).toEqual(['sendMessage', 'Why?'])
  })

  it('do not lead into another conversation', async () => {
    const rivers = createFakeChat()
    const lakes = createFakeChat()
    const { rerender } = await render(<Chat chat={rivers} />)
    box().focus()
    await userEvent.keyboard('rivers')
    await rerender(<Chat chat={lakes} />)
    await expect.poll(() => box().value).toBe('')
    box().focus()
    await userEvent.keyboard('{Control>}z{/Control}')
    expect(box().value).toBe('')
    await rerender(<Chat chat={rivers} />)
    await expect.poll(() => box().value).toBe('rivers')
  })
})

describe('Escape', () => {
  it('closes what is open above the chat first, and stops the answer next', async () => {
    const chat = running()
    await showChat(
      chat,
      {},
      <div popover="auto" id="sources">
        Sources
      </div>,
    )
    const sources = document.querySelector<HTMLElement>('#sources')
    sources?.showPopover()
    box().focus()
    await userEvent.keyboard('{Escape}')
    expect(sources?.matches(':popover-open')).toBe(false)
    expect(chat.used).toEqual([])
    await userEvent.keyboard('{Escape}')
    expect(chat.used).toEqual([['stop']])
  })

  it('stops the answer of a chat that is itself in a dialog', async () => {
    const chat = running()
    await render(
      <dialog ref={(element) => element?.showModal()}>
        <Chat chat={chat} />
      </dialog>,
    )
    box().focus()
    await userEvent.keyboard('{Escape}')
    expect(chat.used).toEqual([['stop']])
    expect(document.querySelector('dialog')?.open).toBe(true)
  })
})

describe('a touch screen', () => {
  beforeEach(async () => {
    await cdp().send('Emulation.setTouchEmulationEnabled', { enabled: true })
    await cdp().send('Emulation.setDeviceMetricsOverride', { width: 0, height: 0, deviceScaleFactor: 0, mobile: true })
    await page.viewport(360, 700)
    expect(matchMedia('(pointer: coarse)').matches).toBe(true)
  })
  afterEach(async () => {
    await cdp().send('Emulation.setTouchEmulationEnabled', { enabled: false })
    await cdp().send('Emulation.clearDeviceMetricsOverride')
  })

  it('breaks the line with Enter, sends with the button, and says so to its keyboard', async () => {
    const chat = createFakeChat()
    await showChat(chat)
    expect(box().enterKeyHint).toBe('enter')
    box().focus()
    await userEvent.keyboard('One{Enter}two')
    expect(box().value).toBe('One\ntwo')
    await page.getByRole('button', { name: 'Send' }).click()
    expect(chat.used).toEqual([['sendMessage', 'One\ntwo']])
  })

  it('lets a message wait for the answer by its own button', async () => {
    const chat = running()
    await showChat(chat)
    box().focus()
    await userEvent.keyboard('And?')
    await page.getByRole('button', { name: 'Send when this response finishes' }).click()
    expect(chat.used).toEqual([['sendMessage', 'And?']])
  })
})

describe('the box', () => {
  it('is 86 px high when it is empty, grows with its text to 12rem, then scrolls', async () => {
    await showChat(createFakeChat())
    expect(form().offsetHeight).toBe(86)
    const { width } = form().getBoundingClientRect()
    box().focus()
    await cdp().send('Input.insertText', { text: 'One\nTwo\nThree' })
    await expect.poll(() => box().offsetHeight).toBe(72)
    await cdp().send('Input.insertText', { text: '\nline'.repeat(20) })
    await expect.poll(() => box().offsetHeight).toBe(192)
    expect(box().value.length).toBe(13 + 5 * 20)
    expect(form().offsetHeight).toBe(62 + 192)
    expect(form().getBoundingClientRect().width).toBe(width)
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => form().offsetHeight).toBe(86)
  })

  it('takes back a message of 4,000 lines at once, and sends it', async () => {
    const chat = createFakeChat()
    await showChat(chat)
    const long = Array.from({ length: 4000 }, (_, line) => `line ${line}`).join('\n')
    draftOf(chat).edit(long)
    await expect.poll(() => box().value).toBe(long)
    await userEvent.keyboard('{Enter}')
    expect(chat.used).toEqual([['sendMessage', long]])
    await expect.poll(() => box().value).toBe('')
  })

  it('does not move the line being written when a note, a file or a waiting message appears above it', async () => {
    const chat = running()
    await showChat(chat, { composerProps: { onAttach: async () => ({ id: 'f-1' }) } })
    box().focus()
    await userEvent.keyboard('And?')
    const place = (): number => box().getBoundingClientRect().bottom
    const before = place()
    chat.set({ queued: [{ id: 'r', message: { text: 'Waiting' } }] })
    await expect.element(page.getByText('Waiting')).toBeVisible()
    expect(place()).toBe(before)
    draftOf(chat).attach(new File(['x'], 'gauges.csv'), async () => ({ id: 'f-1' }))
    await expect.element(page.getByText('gauges.csv', { exact: true })).toBeVisible()
    expect(place()).toBe(before)
    chat.refuse(errorOf({ code: 'invalid_config' }))
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByText('This app isn’t configured correctly')).toBeVisible()
    expect(place()).toBe(before)
    expect(document.activeElement).toBe(box())
  })

  it('takes files dropped anywhere on the chat, and shows where they go while they hang over it', async () => {
    const chat = running()
    await showChat(chat, { composerProps: { onAttach: async () => ({ id: 'f-1' }) } })
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(['x'], 'gauges.csv'))
    const drag = (type: string, on: Element, relatedTarget?: Element): boolean =>
      on.dispatchEvent(
        new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true, relatedTarget: relatedTarget ?? null }),
      )
    const transcript = page.getByRole('region', { name: 'Messages' }).element()
    const size = form().getBoundingClientRect()
    expect(drag('dragover', transcript)).toBe(false)
    await expect.poll(() => form().dataset['over']).toBe('')
    expect(form().getBoundingClientRect()).toEqual(size)
    drag('dragleave', transcript, form())
    await painted(2)
    expect(form().dataset['over']).toBe('')
    drag('dragleave', transcript, document.body)
    await expect.poll(() => form().dataset['over']).toBeUndefined()
    drag('dragover', transcript)
    expect(drag('drop', transcript)).toBe(false)
    await expect.element(page.getByRole('list', { name: 'Attached files' })).toHaveTextContent('gauges.csv')
    expect(document.activeElement).toBe(box())
  })
})
