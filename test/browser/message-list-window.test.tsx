import { Profiler } from 'react'
import { describe, expect, it } from 'vitest'
import { cdp, userEvent } from 'vitest/browser'
import type { ChatMessage } from '../../src/state/turn.ts'
import { answer, createFakeChat, said, text } from '../components/fake-chat.ts'
import type { FakeChat } from '../components/fake-chat.ts'
import type { Transcript } from './transcript.tsx'
import { painted, rested, scrollBy, scrolledSmoothly, showTranscript, thread, until, words } from './transcript.tsx'

/** More than the view and its surroundings never need. */
const FEW = 45

async function long(turns = 1000): Promise<{ chat: FakeChat; list: Transcript }> {
  const chat = createFakeChat({ messages: thread(turns) })
  const list = await showTranscript(chat)
  await until(() => list.windowed)
  await painted(2)
  return { chat, list }
}

const live = (count: number): ChatMessage => answer('live', [text(`Live: ${words(count)}`)], { status: 'streaming' })

/** How much of the view shows no message although it should. */
function blank({ view }: Transcript): number {
  const { top, bottom } = view.getBoundingClientRect()
  return [...view.querySelectorAll('.cs-spacer')].reduce((sum, spacer) => {
    const box = spacer.getBoundingClientRect()
    return sum + Math.max(0, Math.min(bottom, box.bottom) - Math.max(top, box.top))
  }, 0)
}

const positions = (list: Transcript): number[] =>
  [...list.view.querySelectorAll('article')].map((article) => Number(article.getAttribute('aria-posinset')))

describe('a thread of two thousand messages', () => {
  it('mounts what is around its end, at once and afterwards, and shows the end', async () => {
    let most = 0
    const chat = createFakeChat({ messages: thread(1000) })
    const list = await showTranscript(chat, {
      renderMessage: (id, position) => (
        <Profiler
          key={id}
          id={id}
          onRender={() => (most = Math.max(most, document.querySelectorAll('article').length))}
        >
          <article {...position}>{id}</article>
        </Profiler>
      ),
    })
    await until(() => list.windowed)
    await rested()
    expect(most).toBeLessThan(FEW)
    expect(list.mounted).toBeLessThan(FEW)
    expect(list.gap()).toBe(0)
  })

  it('gives each article its position and the size of the list', async () => {
    const { list } = await long()
    expect(positions(list).at(-1)).toBe(2000)
    expect(list.article('u-999').getAttribute('aria-posinset')).toBe('1999')
    expect(
      new Set([...list.view.querySelectorAll('article')].map((article) => article.getAttribute('aria-setsize'))),
    ).toEqual(new Set(['2000']))
  })

  it('shows messages wherever the reader scrolls, and few of them are mounted', async () => {
    const { list } = await long()
    for (const by of [-400, -5000, -40_000, 12_345, -100_000, 3000, -1_000_000, 700]) {
      list.view.scrollTop += by
      await painted(2)
      expect(blank(list)).toBe(0)
      expect(list.mounted).toBeLessThan(FEW)
      await rested()
      expect(blank(list)).toBe(0)
    }
  })

  it('reaches its first message by the Home key and its last by the End key', async () => {
    const { list } = await long()
    list.view.focus()
    await userEvent.keyboard('{Home}')
    await painted(2)
    expect(list.topOf('u-0')).toBeLessThan(64)
    expect(list.topOf('u-0')).toBeGreaterThanOrEqual(0)
    await userEvent.keyboard('{End}')
    await painted(2)
    expect(list.gap()).toBe(0)
    expect(list.has('a-999')).toBe(true)
  })

  it('goes as far as the reader scrolls through unmeasured rows, in one go and one direction', async () => {
    const { list } = await long()
    await scrollBy(list, -30_000)
    const moves: number[] = []
    let over = false
    const scrolled = scrolledSmoothly(list, -1500)
      .then(rested)
      .then(() => (over = true))
    while (!over) {
      const article = list.article(list.reading())
      const { top } = article.getBoundingClientRect()
      await painted()
      if (article.isConnected) moves.push(article.getBoundingClientRect().top - top)
    }
    await scrolled
    expect(Math.min(...moves)).toBeGreaterThan(-1)
    expect(Math.abs(moves.reduce((sum, by) => sum + by, 0) - 1500)).toBeLessThan(3)
  })

  it('keeps its last messages mounted while the reader is far above, and they do not move the reader', async () => {
    const { chat, list } = await long()
    chat.set({ status: 'streaming', messages: [...chat.getSnapshot().messages, said('u', 'And?'), live(3)] })
    await painted()
    await scrollBy(list, -60_000)
    const reading = list.reading()
    const before = list.topOf(reading)
    for (let count = 10; count < 600; count += 20) {
      chat.change('live', { parts: [text(`Live: ${words(count)}`)] })
      await painted()
      expect(list.topOf(reading)).toBe(before)
    }
    expect(list.article('live').textContent).toContain(words(500))
  })
})

describe('the keyboard in a long thread', () => {
  it('goes by Tab from message to message, none left out', async () => {
    const { list } = await long()
    await scrollBy(list, -20_000)
    list.article(list.reading()).querySelector<HTMLElement>('button')?.focus()
    const seen: number[] = []
    for (let press = 0; press < 60; press += 1) {
      seen.push(Number(document.activeElement?.closest('article')?.getAttribute('aria-posinset')))
      await userEvent.tab()
      await painted(2)
    }
    const steps = seen.slice(1).map((position, at) => position - (seen[at] ?? 0))
    expect(new Set(steps.filter((step) => step !== 0))).toEqual(new Set([1]))
    expect((seen.at(-1) ?? 0) - (seen[0] ?? 0)).toBeGreaterThan(20)
  })

  it('keeps its place when the view goes elsewhere, and continues from there', async () => {
    const { list } = await long()
    await scrollBy(list, -20_000)
    const button = list.article(list.reading()).querySelector<HTMLElement>('button')
    button?.focus({ preventScroll: true })
    const position = Number(button?.closest('article')?.getAttribute('aria-posinset'))
    for (const by of [-30_000, 8000, -20_000]) {
      await scrollBy(list, by)
      expect(document.activeElement).toBe(button)
    }
    while (Number(document.activeElement?.closest('article')?.getAttribute('aria-posinset')) === position)
      await userEvent.tab()
    await painted(2)
    expect(Number(document.activeElement?.closest('article')?.getAttribute('aria-posinset'))).toBe(position + 1)
    expect(blank(list)).toBe(0)
  })
})

describe('a selection in a long thread', () => {
  it('continues while the view goes elsewhere, with all that is between its ends', async () => {
    const { list } = await long()
    await scrollBy(list, -20_000)
    const articles = [...list.view.querySelectorAll('article')]
    const start = articles.findIndex(
      (article) => article.getBoundingClientRect().top > list.view.getBoundingClientRect().top,
    )
    const [first, last] = [articles[start], articles[start + 3]]
    if (!first || !last) throw new Error('too few messages')
    document.getSelection()?.setBaseAndExtent(first, 0, last, last.childNodes.length)
    const selected = document.getSelection()?.toString()
    expect(selected?.length).toBeGreaterThan(200)
    await scrollBy(list, -40_000)
    expect(document.getSelection()?.toString()).toBe(selected)
    document.getSelection()?.removeAllRanges()
    await scrollBy(list, -2000)
    expect(first.isConnected).toBe(false)
  })
})

describe('a thread that becomes long', () => {
  const growing = (): FakeChat =>
    createFakeChat({ status: 'streaming', messages: [...thread(29), said('u', 'And then?'), live(4)] })

  const longer = (chat: FakeChat): void =>
    chat.set({ messages: [...chat.getSnapshot().messages, answer('b', [text('And another.')])] })

  it('does not move its reader, and what they see stays the same elements', async () => {
    const chat = growing()
    const list = await showTranscript(chat)
    expect(list.mounted).toBe(60)
    await scrollBy(list, -2000)
    const reading = list.reading()
    const before = list.topOf(reading)
    const element = list.article(reading)
    longer(chat)
    for (let frame = 0; frame < 60; frame += 1) {
      chat.change('live', { parts: [text(`Live: ${words(4 + frame)}`)] })
      await painted()
      expect(Math.abs(list.topOf(reading) - before)).toBeLessThan(1)
    }
    await until(() => list.windowed)
    await rested()
    expect(list.mounted).toBeLessThan(FEW)
    expect(Math.abs(list.topOf(reading) - before)).toBeLessThan(1)
    expect(list.article(reading)).toBe(element)
  })

  it('continues showing the end, in every frame', async () => {
    const chat = growing()
    const list = await showTranscript(chat)
    const element = list.article('live')
    longer(chat)
    const gaps: number[] = []
    for (let frame = 0; frame < 60; frame += 1) {
      chat.change('live', { parts: [text(`Live: ${words(4 + frame)}`)] })
      await painted()
      gaps.push(list.gap())
    }
    await until(() => list.windowed)
    expect(new Set(gaps)).toEqual(new Set([0]))
    expect(list.article('live')).toBe(element)
  })

  it('stays whole where the host asks for that', async () => {
    const chat = growing()
    const list = await showTranscript(chat, { windowAbove: Infinity })
    longer(chat)
    await rested()
    expect(list.mounted).toBe(61)
    expect(list.article('live').hasAttribute('aria-posinset')).toBe(false)
  })
})

describe('a transcript on paper', () => {
  it('shows all messages one after another, without the box they scroll in', async () => {
    const { list } = await long(150)
    await scrollBy(list, -6000)
    const reading = list.reading()
    const before = list.topOf(reading)
    window.dispatchEvent(new Event('beforeprint'))
    await cdp().send('Emulation.setEmulatedMedia', { media: 'print' })
    try {
      await painted()
      const articles = [...list.view.querySelectorAll('article')].map((article) => article.getBoundingClientRect())
      expect(articles).toHaveLength(300)
      expect(Math.max(...articles.slice(1).map((box, at) => box.top - (articles[at]?.bottom ?? 0)))).toBeLessThan(40)
      expect(list.view.scrollHeight).toBe(list.view.clientHeight)
    } finally {
      await cdp().send('Emulation.setEmulatedMedia', { media: '' })
      window.dispatchEvent(new Event('afterprint'))
    }
    await until(() => list.mounted < FEW)
    await painted(2)
    expect(Math.abs(list.topOf(reading) - before)).toBeLessThan(1)
  })
})
