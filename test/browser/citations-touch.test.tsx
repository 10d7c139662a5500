import { act } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { cdp, page } from 'vitest/browser'
import { box, card, cited, mark, openCards, panel, prose, showAnswer, source } from './cited-answer.tsx'

/** What the protocol of the browser takes; the types of vitest leave it open. */
const browser = (): { send(method: string, parameters: object): Promise<unknown> } => cdp()

/** Where a place in this page is in the window: tests run in a frame. */
function inWindow(x: number, y: number): { x: number; y: number } {
  const frame = window.frameElement?.getBoundingClientRect()
  if (!frame) return { x, y }
  const scale = frame.width / innerWidth
  return { x: frame.left + x * scale, y: frame.top + y * scale }
}

async function touch(element: HTMLElement, drag = 0): Promise<void> {
  const { left, top, width, height } = element.getBoundingClientRect()
  const at = (down: number): object => inWindow(left + width / 2, top + height / 2 + down)
  const send = (type: string, ...touchPoints: object[]): Promise<unknown> =>
    browser().send('Input.dispatchTouchEvent', { type, touchPoints })
  const began = send('touchStart', at(0))
  if (drag !== 0) {
    await began
    await send('touchMove', at(drag))
    // At rest before it goes: otherwise the finger throws the page, and the next touch only stops it.
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  // Sent with the start of a tap: on a busy machine waiting for one before the other would make it a long press.
  await Promise.all([began, send('touchEnd')])
}

beforeEach(async () => {
  await browser().send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 1 })
})

afterEach(async () => {
  await browser().send('Emulation.setTouchEmulationEnabled', { enabled: false })
})

describe.each([
  ['a phone', 360, 780],
  ['a tablet', 1024, 768],
])('a reader with %s', (_device, width, height) => {
  beforeEach(async () => {
    await page.viewport(width, height)
    expect(matchMedia('(pointer: coarse)').matches).toBe(true)
  })

  it('opens the card with the first touch, as a sheet at the lower edge', async () => {
    await showAnswer()
    await touch(mark(2))
    await expect.poll(openCards).toEqual(['Source 2: River 2'])
    const sheet = (await card()).getBoundingClientRect()
    expect(sheet.bottom).toBe(innerHeight)
    expect(sheet.width).toBe(Math.min(width, 544))
    expect(sheet.left).toBe((width - sheet.width) / 2)
    expect(sheet.height).toBeLessThan(innerHeight * 0.72)
    expect((await card()).querySelector('a')?.href).toBe('https://river-2.example/page')
  })

  it('keeps it with a second touch on the mark, and closes it with a touch elsewhere', async () => {
    await showAnswer()
    await touch(mark(2))
    await card()
    const clicked = new Promise((resolve) => mark(2).addEventListener('click', resolve, { once: true }))
    await touch(mark(2))
    await clicked
    expect(openCards()).toEqual(['Source 2: River 2'])
    await touch(box())
    await expect.poll(openCards).toEqual([])
  })

  it('keeps it where a touched button takes no focus, as on an iPhone', async () => {
    await showAnswer()
    mark(2).addEventListener('mousedown', (event) => event.preventDefault())
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      await touch(mark(2))
      await expect.poll(openCards).toEqual(['Source 2: River 2'])
      expect(document.activeElement).toBe(document.body)
      act(() => {
        vi.advanceTimersByTime(1000)
      })
      expect(openCards()).toEqual(['Source 2: River 2'])
    } finally {
      vi.useRealTimers()
    }
  })

  it.each([
    ['a touch of its handle', 0],
    ['a pull at its handle', 90],
  ])('closes it with %s', async (_how, drag) => {
    await showAnswer()
    await touch(mark(2))
    const handle = (await card()).querySelector('button')
    expect(handle?.getAttribute('aria-label')).toBe('Close')
    if (handle) await touch(handle, drag)
    await expect.poll(openCards).toEqual([])
  })

  it('leads to the source in the list', async () => {
    await showAnswer()
    await touch(mark(2))
    const [, show] = (await card()).querySelectorAll('button')
    if (show) await touch(show)
    await expect.poll(() => document.activeElement).toBe(source(2))
    expect(openCards()).toEqual([])
  })

  it('does not open cards while scrolling over marks', async () => {
    await showAnswer()
    await touch(mark(2), -60)
    await touch(box())
    expect(openCards()).toEqual([])
  })

  it('hits a mark in 44 by 44 px around its middle, without making its line taller', async () => {
    await showAnswer(cited('Before.\n\nOne says so.[1]\n\nAfter.'))
    const { left, right, top, bottom } = mark(1).getBoundingClientRect()
    const [x, y] = [(left + right) / 2, (top + bottom) / 2]
    for (const across of [-21.5, 0, 21.5])
      for (const down of [-21.5, 0, 21.5]) expect(document.elementFromPoint(x + across, y + down)).toBe(mark(1))
    const [before, cites] = [...prose().querySelectorAll('p')].map((line) => line.getBoundingClientRect().height)
    expect(cites).toBe(before)
  })

  it('hits the right one of three marks wherever it is seen', async () => {
    await showAnswer(cited('All say so.[1][2][3]'))
    for (const number of [1, 2, 3]) {
      const { left, right, top, bottom } = mark(number).getBoundingClientRect()
      for (const x of [left + 2, (left + right) / 2, right - 2])
        for (const y of [top + 2, bottom - 2]) expect(document.elementFromPoint(x, y)).toBe(mark(number))
    }
  })

  it('hits marks that are 44 px high, and the right one of two', async () => {
    await showAnswer(cited('Before.\n\nBoth say so.[1][2]\n\nAfter.'))
    const { left, right, top, bottom } = mark(1).getBoundingClientRect()
    expect(document.elementFromPoint((left + right) / 2, top - 13)).toBe(mark(1))
    expect(document.elementFromPoint((left + right) / 2, bottom + 13)).toBe(mark(1))
    expect(document.elementFromPoint(left + 1, top + 5)).toBe(mark(1))
    expect(document.elementFromPoint(mark(2).getBoundingClientRect().left + 1, top + 5)).toBe(mark(2))
  })
})

describe('the panel of all sources', () => {
  it.each([
    [360, 780, 'a sheet of 72 % at the lower edge', { left: 0, top: 780 * 0.28, width: 360 }],
    [1280, 800, 'beside the text', { left: 1280 - 360, top: 0, width: 360 }],
  ])('is, in a page of %i by %i px, %s', async (width, height, _what, expected) => {
    await page.viewport(width, height)
    await showAnswer(cited('Many.[9]', 9))
    panel().showPopover()
    await Promise.all(
      panel()
        .getAnimations()
        .map(({ finished }) => finished),
    )
    const { left, top, width: wide, bottom } = panel().getBoundingClientRect()
    expect({ left, top: Math.round(top), width: wide }).toEqual({ ...expected, top: Math.round(expected.top) })
    expect(bottom).toBe(height)
    expect(panel().querySelectorAll('li')).toHaveLength(9)
  })
})
