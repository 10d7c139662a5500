import type { ReactNode } from 'react'
import { beforeEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '../../src/styles.css'
import type { ChatProps } from '../../src/components/chat.tsx'
import { Chat } from '../../src/components/chat.tsx'
import type { MessagePart } from '../../src/state/turn.ts'
import type { FakeChat } from '../components/fake-chat.ts'
import { answer, createFakeChat, errorOf, connectionAt, said, text } from '../components/fake-chat.ts'
import { thread } from './transcript.tsx'

/*
 * Every row of the table of keys in docs/accessibility.md is a test here, named "key, place", that presses that key as
 * the table writes it: test/docs/accessibility.test.ts holds the two together.
 */

/** Presses keys as the table writes them: `Shift + Enter`. */
async function press(keys: string): Promise<void> {
  const names = keys
    .split(' + ')
    .map(
      (key) =>
        ({ Ctrl: 'Control', Space: ' ' })[key] ?? key.replace(/ (\w)/, (_, letter: string) => letter.toUpperCase()),
    )
  const last = names.pop() ?? ''
  const held = names.map((name) => `{${name}>}`).join('')
  const freed = names.map((name) => `{/${name}}`).join('')
  await userEvent.keyboard(`${held}${last === ' ' ? ' ' : `{${last}}`}${freed}`)
}

async function showChat(chat: FakeChat, props: ChatProps = {}, before?: ReactNode, after?: ReactNode): Promise<void> {
  const tall = (element: HTMLElement | null): void => element?.style.setProperty('height', '600px')
  await render(
    <>
      {before}
      <div ref={tall}>
        <Chat chat={chat} {...props} />
      </div>
      {after}
    </>,
  )
}

const box = (): HTMLTextAreaElement =>
  page.getByRole('textbox', { name: 'Message', exact: true }).element() as HTMLTextAreaElement
const transcript = (): HTMLElement => page.getByRole('region', { name: 'Messages' }).element() as HTMLElement
/** What has the keyboard, by its name. */
const focused = (): string => {
  const element = document.activeElement
  return element?.getAttribute('aria-label') ?? element?.querySelector('img')?.alt ?? element?.textContent ?? ''
}

const running = (): FakeChat =>
  createFakeChat({
    status: 'streaming',
    messages: [said('u', 'Hi'), answer('a', [text('Half of')], { status: 'streaming' })],
  })
const written = (): FakeChat => createFakeChat({ messages: [said('u', 'Why?'), answer('a', [text('Because.')])] })
const cited: readonly MessagePart[] = [
  text('It bends.[1]'),
  {
    type: 'citations',
    id: 'c',
    citations: [{ sourceId: 's', uri: 'https://s.example', title: 'Bends', snippet: 'So it bends.' }],
  },
]
// One grey point, so that nothing is asked of a network.
const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII='
const pictures = (count: number): MessagePart => ({
  type: 'media',
  id: 'm',
  items: Array.from({ length: count }, (_, at) => ({
    url: `${PIXEL}#${at}`,
    mimeType: 'image/png',
    alt: `Picture ${at + 1}`,
  })),
})

beforeEach(async () => {
  await page.viewport(1280, 800)
})

describe('anywhere', () => {
  it('Tab, anywhere', async () => {
    const gone = errorOf({ code: 'http_error', status: 500 })
    const messages = [said('u', 'Why?'), answer('a', [text('Because.')], { status: 'failed', error: gone })]
    await showChat(
      createFakeChat({ status: 'error', error: gone, messages }),
      {},
      <button type="button">Before</button>,
      <button type="button">After</button>,
    )
    await userEvent.click(page.getByRole('button', { name: 'Before' }))
    const stops: string[] = []
    while (focused() !== 'After' && stops.length < 30) {
      await press('Tab')
      stops.push(focused())
    }
    // In the order of reading, and out again at the end.
    expect(stops).toEqual([
      'Messages',
      'Copy',
      'Edit',
      'Try again',
      // Of the failed answer, and then of the banner.
      'Details',
      'Copy',
      'Regenerate',
      'Details',
      'Dismiss',
      'Message',
      'Send',
      'After',
    ])
  })

  it('Shift + Tab, anywhere', async () => {
    await showChat(written(), {}, <button type="button">Before</button>)
    box().focus()
    const stops: string[] = []
    while (focused() !== 'Before' && stops.length < 30) {
      await press('Shift + Tab')
      stops.push(focused())
    }
    expect(stops).toEqual(['Regenerate', 'Copy', 'Edit', 'Copy', 'Messages', 'Before'])
  })

  it('Enter, on a button', async () => {
    const chat = running()
    await showChat(chat)
    page.getByRole('button', { name: 'Stop' }).element().focus()
    await press('Enter')
    expect(chat.used).toEqual([['stop']])
  })

  it('Space, on a button', async () => {
    const error = errorOf({ code: 'timeout', severity: 'TRANSIENT' })
    const chat = running()
    chat.set({
      connection: connectionAt({ phase: 'waiting', attempt: 1, nextRetryAt: performance.now() + 60_000, error }),
    })
    await showChat(chat)
    await expect.element(page.getByRole('button', { name: 'Retry now' })).toBeVisible()
    page.getByRole('button', { name: 'Retry now' }).element().focus()
    await press('Space')
    expect(chat.used).toEqual([['retry']])
  })

  it('Escape, anywhere in a chat that answers', async () => {
    const chat = running()
    await showChat(chat)
    transcript().focus()
    await press('Escape')
    box().focus()
    await press('Escape')
    expect(chat.used).toEqual([['stop'], ['stop']])
    chat.set({ status: 'ready' })
    await press('Escape')
    expect(chat.used).toHaveLength(2)
  })
})

describe('in the box to write in', () => {
  it('Enter, in the box', async () => {
    const chat = written()
    await showChat(chat)
    box().focus()
    await userEvent.keyboard('And lakes?')
    await press('Enter')
    expect(chat.used).toEqual([['sendMessage', 'And lakes?']])
    expect(document.activeElement).toBe(box())
  })

  it('Shift + Enter, in the box', async () => {
    const chat = written()
    await showChat(chat)
    box().focus()
    await userEvent.keyboard('One')
    await press('Shift + Enter')
    await userEvent.keyboard('two')
    expect(box().value).toBe('One\ntwo')
    expect(chat.used).toEqual([])
  })

  it('Ctrl + Enter, in the box', async () => {
    const chat = written()
    await showChat(chat, { composerProps: { submitOnEnter: false } })
    box().focus()
    await userEvent.keyboard('One')
    await userEvent.keyboard('{Enter}')
    expect(chat.used).toEqual([])
    await press('Ctrl + Enter')
    expect(chat.used).toHaveLength(1)
    await userEvent.keyboard('Two')
    await userEvent.keyboard('{Meta>}{Enter}{/Meta}')
    expect(chat.used).toHaveLength(2)
  })

  it('Arrow up, in the empty box', async () => {
    await showChat(written())
    box().focus()
    await press('Arrow up')
    const editor = page.getByRole('textbox', { name: 'Edit message' })
    await expect.element(editor).toHaveFocus()
    await expect.element(editor).toHaveValue('Why?')
  })
})

describe('in a message that is open again', () => {
  async function open(): Promise<FakeChat> {
    const chat = written()
    await showChat(chat)
    box().focus()
    await userEvent.keyboard('{ArrowUp}')
    await expect.element(page.getByRole('textbox', { name: 'Edit message' })).toHaveFocus()
    return chat
  }

  it('Enter, in an open message', async () => {
    const chat = await open()
    await userEvent.keyboard(' And when?')
    await press('Enter')
    expect(chat.used.map(([action]) => action)).toEqual(['edit'])
    await expect.element(page.getByRole('textbox', { name: 'Message', exact: true })).toHaveFocus()
  })

  it('Escape, in an open message', async () => {
    const chat = await open()
    await press('Escape')
    expect(chat.used).toEqual([])
    await expect.element(page.getByRole('textbox', { name: 'Message', exact: true })).toHaveFocus()
  })
})

describe('in the transcript', () => {
  const scrolled = async (
    keys: () => Promise<void>,
    holds: (top: number, before: number) => boolean,
  ): Promise<void> => {
    await showChat(createFakeChat({ messages: thread(10) }))
    const view = transcript()
    view.focus()
    await expect.poll(() => view.scrollTop).toBeGreaterThan(0)
    const before = view.scrollTop
    await keys()
    await expect.poll(() => holds(view.scrollTop, before)).toBe(true)
    expect(document.activeElement).toBe(view)
  }
  const up = (top: number, before: number): boolean => top < before

  it('Arrow up, in the transcript', () => scrolled(() => press('Arrow up'), up))

  it('Arrow down, in the transcript', () =>
    scrolled(
      async () => {
        transcript().scrollTop = 100
        await press('Arrow down')
      },
      (top) => top > 100,
    ))

  it('Page up, in the transcript', () =>
    scrolled(
      () => press('Page up'),
      (top, before) => top < before - 200,
    ))

  it('Page down, in the transcript', () =>
    scrolled(
      async () => {
        transcript().scrollTop = 0
        await press('Page down')
      },
      (top) => top > 200,
    ))

  it('Home, in the transcript', () =>
    scrolled(
      () => press('Home'),
      (top) => top === 0,
    ))

  it('End, in the transcript', () =>
    scrolled(
      async () => {
        transcript().scrollTop = 0
        await press('End')
      },
      (top, before) => Math.abs(top - before) <= 1,
    ))
})

describe('in an answer', () => {
  const thinking: readonly MessagePart[] = [
    { type: 'thought', id: 't', text: 'Bends grow.', status: 'complete' },
    text('It bends.'),
  ]
  const fold = async (keys: () => Promise<void>): Promise<void> => {
    await showChat(createFakeChat({ messages: [said('u', 'Why?'), answer('a', thinking)] }))
    const summary = page.getByText('Thought process', { exact: true }).element().closest('summary')
    summary?.focus()
    expect(page.getByText('Bends grow.').element()).not.toBeVisible()
    await keys()
    await expect.element(page.getByText('Bends grow.')).toBeVisible()
    expect(document.activeElement).toBe(summary)
  }

  it('Enter, on a row that opens', () => fold(() => press('Enter')))

  it('Space, on a row that opens', () => fold(() => press('Space')))

  async function toMark(): Promise<void> {
    await showChat(createFakeChat({ messages: [said('u', 'Why?'), answer('a', cited)] }))
    page.getByRole('button', { name: 'Source 1: Bends' }).element().focus()
    await expect.element(page.getByRole('dialog', { name: 'Source 1: Bends' })).toBeVisible()
  }

  it('Enter, on the mark of a source', async () => {
    await toMark()
    await press('Enter')
    await expect.poll(() => document.activeElement?.closest('.cs-sources')).toBeTruthy()
    expect(page.getByRole('dialog').elements()).toEqual([])
  })

  it('Escape, on the mark of a source', async () => {
    await toMark()
    await press('Escape')
    expect(page.getByRole('dialog').elements()).toEqual([])
    expect(focused()).toBe('Source 1: Bends')
  })
})

describe('in a row of media', () => {
  async function toPicture(number: number): Promise<void> {
    await showChat(createFakeChat({ messages: [answer('a', [pictures(3)])] }))
    await expect.poll(() => page.getByRole('button', { name: /Picture/ }).elements().length).toBe(3)
    page
      .getByRole('button', { name: `Picture ${number}` })
      .element()
      .focus()
  }

  it.each([
    ['Arrow right', 1, 'Picture 2', () => press('Arrow right')],
    ['Arrow left', 3, 'Picture 2', () => press('Arrow left')],
    ['Home', 3, 'Picture 1', () => press('Home')],
    ['End', 1, 'Picture 3', () => press('End')],
  ])('%s, in a row of media', async (_, from, to, keys) => {
    await toPicture(from)
    await keys()
    await expect.poll(focused).toContain(to)
  })

  it('Enter, on a picture', async () => {
    await toPicture(1)
    await press('Enter')
    await expect.poll(() => document.querySelectorAll(':popover-open').length).toBe(1)
  })

  it('Escape, on a picture', async () => {
    await toPicture(1)
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => document.querySelectorAll(':popover-open').length).toBe(1)
    await press('Escape')
    await expect.poll(() => document.querySelectorAll(':popover-open').length).toBe(0)
    expect(focused()).toContain('Picture 1')
  })
})
