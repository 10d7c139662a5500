import { describe, expect, it } from 'vitest'
import { userEvent } from 'vitest/browser'
import type { ChatMessage } from '../../src/state/turn.ts'
import { answer, createFakeChat, said, text } from '../components/fake-chat.ts'
import type { FakeChat } from '../components/fake-chat.ts'
import type { Transcript } from './transcript.tsx'
import {
  moved,
  painted,
  rested,
  scrollBy,
  scrolledSmoothly,
  showTranscript,
  thread,
  until,
  words,
} from './transcript.tsx'

const LISTS = [
  { list: 'a list', windowAbove: 200 },
  { list: 'a list with a part of it mounted', windowAbove: 20 },
]

const live = (count: number): ChatMessage => answer('live', [text(`Live: ${words(count)}`)], { status: 'streaming' })

const prepend = (chat: FakeChat, older: readonly ChatMessage[]): void =>
  chat.set({ messages: [...older, ...chat.getSnapshot().messages] })

/** How far a smooth scroll of 700 pixels up went while older messages came, as the reader saw it. */
async function wentWhileOlderCame(chat: FakeChat, list: Transcript): Promise<number> {
  const article = list.article(list.reading())
  const { top } = article.getBoundingClientRect()
  const scrolled = scrolledSmoothly(list, -700)
  await moved(list)
  for (let page = 0; page < 3; page += 1) {
    prepend(chat, thread(2, 98 - page * 2))
    await painted(4)
  }
  await scrolled
  await rested()
  return article.getBoundingClientRect().top - top
}

/** Somebody who went up a way while an answer grows. */
async function reading(windowAbove: number): Promise<{ chat: FakeChat; list: Transcript; reading: string }> {
  const chat = createFakeChat({ status: 'streaming', messages: [...thread(30, 100), said('u', 'And then?'), live(4)] })
  const list = await showTranscript(chat, { windowAbove })
  if (windowAbove < 60) await until(() => list.windowed)
  await scrollBy(list, -1500)
  return { chat, list, reading: list.reading() }
}

describe.each(LISTS)('a reader who scrolled up in $list', ({ windowAbove }) => {
  const start = (): ReturnType<typeof reading> => reading(windowAbove)

  it('is not moved by 500 pieces of an answer below', async () => {
    const { chat, list, reading } = await start()
    const before = list.topOf(reading)
    const moved = new Set<number>()
    for (let piece = 0; piece < 500; piece += 1) {
      chat.change('live', { parts: [text(`Live: ${words(4 + piece * 2)}`)] })
      if (piece % 5 === 0) await painted()
      moved.add(list.topOf(reading) - before)
    }
    expect([...moved]).toEqual([0])
    expect(list.gap()).toBeGreaterThan(2500)
  })

  it('is not moved by a table that grows above', async () => {
    const { list, reading } = await start()
    const before = list.topOf(reading)
    const above = list.above()
    const moved: number[] = []
    for (let row = 0; row < 20; row += 1) {
      const table = document.createElement('table')
      table.insertRow().insertCell().textContent = 'One more'
      above.append(table)
      await painted()
      moved.push(Math.round(list.topOf(reading) - before))
    }
    expect(new Set(moved)).toEqual(new Set([0]))
  })

  it('is not moved by a picture that comes above, in the very message they read', async () => {
    const { list, reading } = await start()
    const here = document.createElement('p')
    here.textContent = 'Here'
    list.article(reading).firstElementChild?.after(here)
    await scrollBy(list, here.getBoundingClientRect().top - list.view.getBoundingClientRect().top - 5)
    const before = here.getBoundingClientRect().top
    const picture = document.createElement('canvas')
    picture.height = 340
    here.before(picture)
    await painted()
    expect(Math.abs(here.getBoundingClientRect().top - before)).toBeLessThan(1)
  })

  it('is not moved by a picture above while something below shrinks by as much', async () => {
    const { list, reading } = await start()
    const above = document.createElement('canvas')
    const below = document.createElement('canvas')
    above.height = 0
    list.above().append(above)
    list.article('live').append(below)
    below.height = 200
    await painted(2)
    const before = list.topOf(reading)
    above.height = 200
    below.height = 0
    await painted()
    expect(Math.abs(list.topOf(reading) - before)).toBeLessThan(1)
  })

  it('stays to the pixel when fifty older messages come, also while the answer grows', async () => {
    const { chat, list, reading } = await start()
    const before = list.topOf(reading)
    const moved: number[] = []
    for (let page = 0; page < 3; page += 1) {
      prepend(chat, thread(25, 75 - page * 25))
      moved.push(list.topOf(reading) - before)
      for (let piece = 1; piece <= 5; piece += 1) {
        chat.change('live', { parts: [text(`Live: ${words(100 * page + 10 * piece)}`)] })
        await painted()
        moved.push(list.topOf(reading) - before)
      }
      await rested()
      moved.push(list.topOf(reading) - before)
    }
    expect(Math.max(...moved.map(Math.abs))).toBeLessThan(1)
  })

  it('stays to the pixel at the very start when older messages come', async () => {
    const { chat, list } = await start()
    await until(() => {
      list.view.scrollTop = 0
      return list.has('u-100')
    })
    await rested()
    list.view.scrollTop = 0
    await rested()
    expect(list.view.scrollTop).toBe(0)
    const before = list.topOf('u-100')
    prepend(chat, thread(25, 75))
    await painted()
    expect(Math.abs(list.topOf('u-100') - before)).toBeLessThan(1)
    await rested()
    expect(Math.abs(list.topOf('u-100') - before)).toBeLessThan(1)
  })

  it('goes as far as they meant to when older messages come while they scroll', async () => {
    const { chat, list } = await start()
    expect(Math.abs((await wentWhileOlderCame(chat, list)) - 700)).toBeLessThan(1)
  })

  it('is not held back where the browser reports a movement later than it shows', async () => {
    const { chat, list } = await start()
    // A turn of the wheel, and from then on Chromium reports scrolls a frame late.
    await userEvent.hover(list.view)
    await userEvent.wheel(list.view, { delta: { y: -200 } })
    await rested()
    expect(Math.abs((await wentWhileOlderCame(chat, list)) - 700)).toBeLessThan(1)
  })

  it('stays to the pixel when the first messages go', async () => {
    const { chat, list, reading } = await start()
    const before = list.topOf(reading)
    chat.set({ messages: chat.getSnapshot().messages.slice(10) })
    await painted()
    expect(Math.abs(list.topOf(reading) - before)).toBeLessThan(1)
  })

  it('keeps the line they read at the top when the window becomes lower and narrower', async () => {
    const { list, reading } = await start()
    list.article(reading).scrollIntoView()
    await painted(2)
    await rested()
    const before = list.topOf(reading)
    list.frame.style.height = '400px'
    await painted()
    expect(Math.abs(list.topOf(reading) - before)).toBeLessThan(1)
    list.frame.style.width = '320px'
    await painted()
    expect(Math.abs(list.topOf(reading) - before)).toBeLessThan(1)
  })

  it('finds their place again when the list was hidden, whatever has come meanwhile', async () => {
    const { chat, list, reading } = await start()
    const before = list.topOf(reading)
    list.frame.style.display = 'none'
    await painted(2)
    prepend(chat, thread(10, 90))
    chat.change('live', { parts: [text(`Live: ${words(300)}`)] })
    await painted(2)
    list.frame.style.display = ''
    await painted(2)
    await rested()
    expect(Math.abs(list.topOf(reading) - before)).toBeLessThan(1)
  })

  it('reads on through what was never measured, and each row stays where it was seen', async () => {
    const { list } = await start()
    for (let notch = 0; notch < 12; notch += 1) {
      const reading = list.reading()
      const before = list.topOf(reading)
      const top = list.view.scrollTop
      list.view.scrollTop -= 100
      await painted(2)
      if (top >= 100) expect(Math.abs(list.topOf(reading) - before - 100)).toBeLessThan(1)
    }
  })
})

describe('a reader whose page is busy for a quarter of a second while they scroll', () => {
  it('goes as far as they meant to', async () => {
    const { chat, list } = await reading(200)
    const article = list.article(list.reading())
    const { top } = article.getBoundingClientRect()
    const scrolled = scrolledSmoothly(list, -1500)
    await moved(list)
    for (let page = 0; page < 2; page += 1) {
      prepend(chat, thread(2, 98 - page * 2))
      // In a frame: what was due meanwhile comes before the next one.
      await new Promise<void>((resolve) => {
        requestAnimationFrame(() => {
          const free = performance.now() + 250
          while (performance.now() < free);
          resolve()
        })
      })
    }
    await scrolled
    await rested()
    expect(Math.abs(article.getBoundingClientRect().top - top - 1500)).toBeLessThan(1)
  })
})
