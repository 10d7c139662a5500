import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '../../src/styles.css'
import { Chat } from '../../src/components/chat.tsx'
import type { FakeChat } from '../components/fake-chat.ts'
import { answer, createFakeChat, errorOf, said, text } from '../components/fake-chat.ts'
import { painted, thread, until } from './transcript.tsx'

async function showChat(chat: FakeChat, width: number): Promise<void> {
  await page.viewport(width, 800)
  await userEvent.hover(document.body, { position: { x: 0, y: 0 } })
  await render(
    <div ref={(element) => element?.style.setProperty('block-size', '600px')}>
      <Chat chat={chat} />
    </div>,
  )
  await painted(2)
}

afterEach(() => page.viewport(1280, 800))

function found(selector: string): Element {
  const element = document.querySelector(selector)
  if (element === null) throw new Error(`There is no ${selector}.`)
  return element
}

const transcript = (): HTMLElement => page.getByRole('region', { name: 'Messages' }).element() as HTMLElement
const opacities = (): readonly string[] =>
  [...document.querySelectorAll('.cs-actions')].map((actions) => getComputedStyle(actions).opacity)

describe('the actions of a message, with a mouse', () => {
  let chat: FakeChat
  beforeEach(async () => {
    const turns = [said('u1', 'One?'), answer('a1', [text('One.')]), said('u2', 'Two?'), answer('a2', [text('Two.')])]
    chat = createFakeChat({ messages: turns })
    await showChat(chat, 1280)
  })

  it('stay in view for the last answer, with its time', async () => {
    chat.change('a2', { endedAt: 1_767_225_600_000 })
    await painted(2)
    expect(opacities()).toEqual(['0', '0', '0', '1'])
    const last = [...document.querySelectorAll('.cs-actions')].at(-1)
    expect(last?.querySelector('time')?.textContent).toMatch(/\d/)
  })

  it('of an earlier one come with the pointer and with the focus', async () => {
    await userEvent.hover(page.getByText('One.'))
    await until(() => opacities()[1] === '1')
    await userEvent.hover(document.body, { position: { x: 0, y: 0 } })
    await until(() => opacities()[1] === '0')
    document.querySelectorAll<HTMLElement>('.cs-actions')[1]?.querySelector('button')?.focus()
    await until(() => opacities()[1] === '1')
    expect(opacities()).toEqual(['0', '0', '0', '1'].with(1, '1'))
  })

  it('go when the user asks on, and belong to the next answer', async () => {
    const { messages } = chat.getSnapshot()
    chat.set({ messages: [...messages, said('u3', 'Three?'), answer('a3', [text('Three.')])] })
    await until(() => opacities().at(-1) === '1' && opacities()[3] === '0')
    expect(opacities()).toEqual(['0', '0', '0', '0', '0', '1'])
  })
})

/** The box of a focus ring: 2 pixels, and 2 between it and the element. */
function ringOf(element: Element): {
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
} {
  const { top, bottom, left, right } = element.getBoundingClientRect()
  const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(element)
  expect(outlineStyle).toBe('solid')
  const by = Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset)
  return { top: top - by, bottom: bottom + by, left: left - by, right: right + by }
}

/** Height of the fade above the dock. */
function fade(): number {
  const { display, blockSize } = getComputedStyle(found('.cs-dock'), '::before')
  return display === 'none' ? 0 : Number.parseFloat(blockSize)
}

describe.each([1280, 360])('the focus ring of a keyboard user, %i pixels wide', (width) => {
  const failed = errorOf({ code: 'http_error', status: 500 })

  it.each(['an answer', 'an answer that another one replaces', 'a message'])(
    'frames %s after its Retry, whole, with nothing over it',
    async (what) => {
      const isMessage = what === 'a message'
      const last = isMessage
        ? [said('u', 'Why?', { status: 'not-sent', error: failed })]
        : [said('u', 'Why?'), answer('a', [text('Half of')], { status: 'failed', error: failed })]
      const chat = createFakeChat({ status: 'error', error: failed, messages: [...thread(6), ...last] })
      await showChat(chat, width)
      transcript().focus()
      const name = isMessage ? 'Retry' : 'Try again'
      while (document.activeElement?.textContent !== name) await userEvent.keyboard('{Tab}')
      await userEvent.keyboard('{Enter}')
      chat.set({
        status: 'submitted',
        error: undefined,
        messages: [
          ...thread(6),
          said('u', 'Why?', isMessage ? { status: 'sending' } : {}),
          ...(isMessage ? [] : [answer(what === 'an answer' ? 'a' : 'b', [], { status: 'pending' })]),
        ],
      })
      await painted(2)
      const focused = found(':focus')
      expect([focused.matches('.cs-message:focus-visible'), focused.getAttribute('data-status')]).toEqual([
        true,
        isMessage ? 'sending' : 'pending',
      ])
      const ring = ringOf(focused)
      const view = transcript().getBoundingClientRect()
      expect(ring.top).toBeGreaterThanOrEqual(view.top)
      expect(ring.left).toBeGreaterThanOrEqual(view.left)
      expect(ring.right).toBeLessThanOrEqual(view.right)
      expect(ring.bottom).toBeLessThanOrEqual(view.bottom - fade())
    },
  )

  it('frames the transcript whole when the keyboard comes to that', async () => {
    await showChat(createFakeChat({ messages: thread(6) }), width)
    expect(fade()).toBeGreaterThan(0)
    await userEvent.keyboard('{Tab}')
    expect(document.activeElement).toBe(transcript())
    expect(ringOf(transcript()).bottom).toBeLessThanOrEqual(found('.cs-dock').getBoundingClientRect().top)
    expect(fade()).toBe(0)
  })
})
