import { describe, expect, it } from 'vitest'
import { cdp, page, userEvent } from 'vitest/browser'
import type { ChatMessage } from '../../src/state/turn.ts'
import { answer, createFakeChat, said, text } from '../components/fake-chat.ts'
import type { FakeChat } from '../components/fake-chat.ts'
import type { Transcript } from './transcript.tsx'
import { painted, rested, scrollBy, showTranscript, thread, until, words } from './transcript.tsx'

const live = (count: number): ChatMessage => answer('live', [text(`Live: ${words(count)}`)], { status: 'streaming' })

const streaming = (): FakeChat =>
  createFakeChat({ status: 'streaming', messages: [...thread(8), said('u', 'And then?'), live(4)] })

/** An answer that grows by a few words in every frame, until it is stopped. */
function grow(chat: FakeChat, from = 4): () => number {
  let count = from
  let going = true
  const step = (): void => {
    if (!going) return
    count += 3
    chat.change('live', { parts: [text(`Live: ${words(count)}`)] })
    requestAnimationFrame(step)
  }
  step()
  return () => {
    going = false
    return count
  }
}

const jumpButton = (): HTMLElement | null => document.querySelector<HTMLElement>('.cs-jump')

/** Where something is for the browser's own input, which counts from the window around the test's frame. */
function pointIn(view: HTMLElement): { x: number; y: number } {
  const frame = window.frameElement?.getBoundingClientRect()
  const box = view.getBoundingClientRect()
  return { x: (frame?.left ?? 0) + box.left + box.width / 2, y: (frame?.top ?? 0) + box.top + box.height / 2 }
}

/** A finger goes down in the middle of the view, moves, and leaves it. */
async function drag(view: HTMLElement, by: number): Promise<void> {
  const { x, y } = pointIn(view)
  const touch = (
    type: 'touchStart' | 'touchMove' | 'touchEnd',
    touchPoints: { x: number; y: number }[],
  ): Promise<unknown> => cdp().send('Input.dispatchTouchEvent', { type, touchPoints })
  await touch('touchStart', [{ x, y }])
  for (let step = 1; step <= 10; step += 1) {
    await touch('touchMove', [{ x, y: y + (by * step) / 10 }])
    await painted()
  }
  await touch('touchEnd', [])
}

const SIZES = [
  { width: 800, height: 600 },
  { width: 320, height: 480 },
]

describe.each(SIZES)('a reader at the live edge, in $width by $height', (size) => {
  it('sees the end in every frame, however fast the answer grows', async () => {
    const chat = streaming()
    const { gap, view } = await showTranscript(chat, {}, size)
    const gaps: number[] = []
    for (let commit = 0; commit < 200; commit += 1) {
      chat.change('live', { parts: [text(`Live: ${words(4 * (commit + 1))}`)] })
      await painted()
      gaps.push(gap())
    }
    expect(gaps).toEqual(Array.from({ length: 200 }, () => 0))
    expect(view.scrollWidth).toBe(view.clientWidth)
  })
})

describe('a reader at the live edge', () => {
  it('sees the end when pictures come, and when something folds', async () => {
    const chat = streaming()
    const { gap, article } = await showTranscript(chat)
    const picture = document.createElement('canvas')
    for (const height of [300, 900, 20, 500, 0]) {
      picture.height = height
      article('live').append(picture)
      await painted()
      expect(gap()).toBe(0)
    }
  })

  it('sees the end when the window changes, the composer grows, or a keyboard comes', async () => {
    const chat = streaming()
    const { gap, frame } = await showTranscript(chat, {}, { below: <div data-testid="composer" /> })
    const composer = page.getByTestId('composer').element()
    for (const height of ['500px', '240px', '700px', '600px']) {
      frame.style.height = height
      await painted()
      expect(gap()).toBe(0)
    }
    for (const height of [40, 200, 86]) {
      composer.setAttribute('style', `flex: none; height: ${height}px`)
      await painted()
      expect(gap()).toBe(0)
    }
    for (const width of ['320px', '1000px']) {
      frame.style.width = width
      await painted()
      expect(gap()).toBe(0)
    }
  })

  it('who moves up a little stays at the edge: after a moment the end is followed again', async () => {
    const chat = streaming()
    const list = await showTranscript(chat)
    const stop = grow(chat)
    list.view.scrollTop -= 40
    await rested()
    await painted(2)
    stop()
    await painted(2)
    expect(list.gap()).toBe(0)
    expect(jumpButton()).toBeNull()
  })

  it('stays there when the content was shorter for a moment while the browser laid it out', async () => {
    const chat = streaming()
    const { view, article, gap } = await showTranscript(chat)
    const code = document.createElement('pre')
    code.style.height = '200px'
    article('live').append(code)
    await painted()
    const top = view.scrollTop
    // As where a line of code is replaced by a highlighted one, and something asks for a size meanwhile.
    code.style.height = '100px'
    expect(view.scrollTop).toBe(top - 100)
    code.style.height = '200px'
    await until(() => gap() === 0)
    expect(view.parentElement?.hasAttribute('data-at-end')).toBe(true)
    expect(jumpButton()).toBeNull()
  })

  it('has no button to jump', async () => {
    const list = await showTranscript(streaming())
    expect(list.view.parentElement?.hasAttribute('data-at-end')).toBe(true)
    expect(jumpButton()).toBeNull()
  })
})

describe('a reader who leaves while the answer grows', () => {
  const ways: readonly (readonly [string, (list: Transcript) => Promise<unknown>])[] = [
    ['the wheel', (list) => userEvent.wheel(list.view, { delta: { y: -400 } })],
    ['one notch of the wheel', (list) => userEvent.wheel(list.view, { delta: { y: -120 } })],
    [
      'the Page Up key',
      (list) => {
        list.view.focus()
        return userEvent.keyboard('{PageUp}')
      },
    ],
    [
      'the arrow key, pressed again and again',
      async (list) => {
        list.view.focus()
        for (let press = 0; press < 6; press += 1) await userEvent.keyboard('{ArrowUp}')
      },
    ],
    ['a finger', (list) => drag(list.view, 300)],
    [
      'a slow trackpad, five pixels at a time',
      async (list) => {
        for (let move = 0; move < 20; move += 1) {
          list.view.scrollTop -= 5
          await painted()
        }
      },
    ],
    ['a link or a search that goes to something above', async (list) => list.article('u-5').scrollIntoView()],
  ]

  it.each(ways)('by %s is not brought back, and nothing moves any more', async (_, leave) => {
    const chat = streaming()
    const list = await showTranscript(chat)
    const stop = grow(chat, 300)
    await painted(5)
    expect(list.gap()).toBeLessThan(60)
    await leave(list)
    await until(() => jumpButton() !== null)
    await rested()
    await rested()
    const reading = list.reading()
    const before = list.topOf(reading)
    const moved: number[] = []
    for (let frame = 0; frame < 30; frame += 1) {
      await painted()
      moved.push(list.topOf(reading) - before)
    }
    stop()
    expect(new Set(moved)).toEqual(new Set([0]))
    expect(list.gap()).toBeGreaterThan(48)
  })

  it('keeps the focus where it was', async () => {
    const chat = streaming()
    const list = await showTranscript(chat)
    const button = list.article('a-7').querySelector('button')
    button?.focus({ preventScroll: true })
    const stop = grow(chat)
    await scrollBy(list, -300)
    await painted(10)
    stop()
    expect(button).not.toBeNull()
    expect(document.activeElement).toBe(button)
  })
})

describe('a reader who comes back', () => {
  const away = async (): Promise<{ chat: FakeChat; list: Transcript }> => {
    const chat = streaming()
    const list = await showTranscript(chat)
    await scrollBy(list, -600)
    expect(list.view.parentElement?.hasAttribute('data-at-end')).toBe(false)
    return { chat, list }
  }

  const follows = async (chat: FakeChat, list: Transcript): Promise<void> => {
    await rested()
    chat.change('live', { parts: [text(`Live: ${words(900)}`)] })
    await painted()
    expect(list.gap()).toBe(0)
    expect(jumpButton()).toBeNull()
  }

  it('by the button is at the end, with the keyboard in the transcript, and follows', async () => {
    const { chat, list } = await away()
    expect(jumpButton()?.getAttribute('aria-label')).toBe('Jump to latest')
    chat.change('live', { parts: [text(`Live: ${words(400)}`)] })
    await painted()
    expect(jumpButton()?.hasAttribute('data-new')).toBe(true)
    await userEvent.click(page.getByRole('button', { name: 'Jump to latest (new messages)' }))
    await painted()
    expect(list.gap()).toBe(0)
    expect(document.activeElement).toBe(list.view)
    await follows(chat, list)
  })

  it('by the End key follows', async () => {
    const { chat, list } = await away()
    list.view.focus()
    await userEvent.keyboard('{End}')
    await until(() => list.gap() < 1)
    await follows(chat, list)
  })

  it('by the wheel follows from 48 pixels on', async () => {
    const { chat, list } = await away()
    await userEvent.wheel(list.view, { delta: { y: 560 } })
    await until(() => jumpButton() === null)
    await follows(chat, list)
  })

  it('to 49 pixels of the end has not come back', async () => {
    const { list } = await away()
    await scrollBy(list, list.gap() - 49)
    expect(list.gap()).toBe(49)
    expect(jumpButton()).not.toBeNull()
  })

  it('finds the button above whatever lies over the list, where it can be pressed', async () => {
    await away()
    const box = jumpButton()?.getBoundingClientRect() ?? new DOMRect()
    expect([box.width, box.height]).toEqual([36, 36])
    expect(document.elementFromPoint(box.left + 18, box.bottom - 3)?.closest('.cs-jump')).toBe(jumpButton())
  })
})
