import { describe, expect, it } from 'vitest'
import type { MessageListProps } from '../../src/components/message-list/message-list.tsx'
import type { ChatMessage } from '../../src/state/turn.ts'
import { answer, createFakeChat, said, text } from '../components/fake-chat.ts'
import type { FakeChat } from '../components/fake-chat.ts'
import type { Transcript } from './transcript.tsx'
import { painted, rested, scrollBy, showTranscript, thread, words } from './transcript.tsx'

const waiting = (id: string, requestId: string): ChatMessage => answer(id, [], { status: 'pending', requestId })

/** What a chat publishes when the user sends. */
function send(chat: FakeChat, words: string, id = 'new'): void {
  const messages = [
    ...chat.getSnapshot().messages,
    said(`u-${id}`, words, { status: 'sending', requestId: id }),
    waiting(`a-${id}`, id),
  ]
  chat.set({ status: 'submitted', messages })
}

const say = (chat: FakeChat, count: number, id = 'new'): void => {
  chat.change(`a-${id}`, { status: 'streaming', parts: [text(`Said: ${words(count)}`)] })
  if (chat.getSnapshot().status !== 'streaming') chat.set({ status: 'streaming' })
}

/** What a chat publishes when an answer is complete and a message waits, all in one moment. */
function goOut(chat: FakeChat): void {
  chat.set({ status: 'ready' })
  send(chat, 'And then?', 'next')
  chat.set({ queued: [] })
}

const SIZES = [
  { width: 800, height: 600 },
  { width: 320, height: 420 },
]

/** The view of a thread in which the user has just sent something. */
async function sent(
  size = SIZES[0],
  turns = 6,
  props: MessageListProps = {},
): Promise<{ chat: FakeChat; list: Transcript }> {
  const chat = createFakeChat({ messages: thread(turns) })
  const list = await showTranscript(chat, props, size)
  send(chat, 'And where does it go?')
  await painted()
  return { chat, list }
}

describe.each(SIZES)('what the user sends, in $width by $height', (size) => {
  it('goes near the top, with the end of the turn before still in view', async () => {
    const { list } = await sent(size)
    const before = list.article('a-5').getBoundingClientRect().bottom - list.view.getBoundingClientRect().top
    expect(before).toBeGreaterThan(40)
    expect(before).toBeLessThanOrEqual(80)
    expect(list.topOf('u-new')).toBeGreaterThan(before)
    expect(list.topOf('u-new')).toBeLessThan(size.height / 3)
    expect(list.gap()).toBe(0)
  })

  it('does not move while the answer grows, until that reaches the lower edge, which is then followed', async () => {
    const { chat, list } = await sent(size)
    const start = list.topOf('u-new')
    const lower = list.view.clientHeight
    const seen: { top: number; gap: number; full: boolean }[] = []
    for (let count = 1; count < 400; count += 3) {
      say(chat, count)
      await painted()
      const end = list.article('a-new').getBoundingClientRect().bottom - list.view.getBoundingClientRect().top
      seen.push({ top: list.topOf('u-new'), gap: list.gap(), full: end > lower - 40 })
    }
    const growing = seen.filter(({ full }) => !full)
    expect(growing.length).toBeGreaterThan(10)
    expect(new Set(growing.map(({ top }) => top))).toEqual(new Set([start]))
    expect(new Set(seen.map(({ gap }) => gap))).toEqual(new Set([0]))
    expect(seen.at(-1)?.top).toBeLessThan(start)
  })
})

describe('a turn', () => {
  it('of a thread from history has no space kept below it', async () => {
    const list = await showTranscript(createFakeChat({ messages: thread(6) }))
    expect(list.gap()).toBe(0)
    expect(
      list.view.getBoundingClientRect().bottom - list.article('a-5').getBoundingClientRect().bottom,
    ).toBeLessThanOrEqual(32)
  })

  it('that was under way before the page came has none either', async () => {
    const list = await showTranscript(
      createFakeChat({
        status: 'streaming',
        messages: [...thread(6), said('u-new', 'Where?', { requestId: 'new' }), waiting('a-new', 'new')],
      }),
    )
    expect(
      list.view.getBoundingClientRect().bottom - list.article('a-new').getBoundingClientRect().bottom,
    ).toBeLessThanOrEqual(32)
  })

  it('that is the first stays at the top, and nothing scrolls', async () => {
    const { chat, list } = await sent(SIZES[0], 0)
    const start = list.topOf('u-new')
    expect(start).toBeLessThan(64)
    expect(list.view.scrollHeight).toBe(list.view.clientHeight)
    say(chat, 120)
    await painted()
    expect(list.topOf('u-new')).toBe(start)
    expect(list.view.scrollTop).toBe(0)
  })

  it('brings a reader back from anywhere when the user begins it', async () => {
    const chat = createFakeChat({ messages: thread(12) })
    const list = await showTranscript(chat)
    await scrollBy(list, -2000)
    send(chat, 'And now?')
    await painted()
    expect(list.gap()).toBe(0)
    expect(list.topOf('u-new')).toBeLessThan(200)
  })

  it('does not move a reader who reads elsewhere when it waited and is sent automatically', async () => {
    const { chat, list } = await sent()
    say(chat, 600)
    chat.set({ queued: [{ id: 'next', message: { text: 'And then?' } }] })
    await painted()
    await scrollBy(list, -900)
    const reading = list.reading()
    const before = list.topOf(reading)
    goOut(chat)
    await rested()
    expect(list.topOf(reading)).toBe(before)
    // What the user sends after it is theirs again.
    chat.set({ status: 'ready' })
    send(chat, 'And now?', 'now')
    await painted()
    expect(list.gap()).toBe(0)
  })

  it('goes near the top for a reader at the end when it waited and is sent automatically', async () => {
    const { chat, list } = await sent()
    say(chat, 300)
    chat.set({ queued: [{ id: 'next', message: { text: 'And then?' } }] })
    await painted()
    goOut(chat)
    await painted()
    expect(list.gap()).toBe(0)
    expect(list.topOf('u-next')).toBeLessThan(200)
    expect(list.view.querySelector('[data-reserved]')?.contains(list.article('u-next'))).toBe(true)
  })

  it('moves no reader when it continues automatically: another answer, or the connection resumed', async () => {
    const { chat, list } = await sent()
    say(chat, 600)
    await painted()
    await scrollBy(list, -900)
    const reading = list.reading()
    const before = list.topOf(reading)
    chat.set({
      messages: [
        ...chat.getSnapshot().messages,
        answer('a-2', [text('Besides')], { status: 'streaming', requestId: 'new' }),
      ],
    })
    await painted()
    chat.set({ status: 'error' })
    await painted()
    chat.set({ status: 'streaming' })
    await rested()
    expect(list.topOf(reading)).toBe(before)
  })

  it('leaves a reader alone who reads above while the answer grows', async () => {
    const { chat, list } = await sent()
    await scrollBy(list, -300)
    const reading = list.reading()
    const before = list.topOf(reading)
    for (let count = 10; count < 600; count += 10) {
      say(chat, count)
      await painted()
      expect(list.topOf(reading)).toBe(before)
    }
  })

  it('gives its space up to the next one, which goes near the top as well', async () => {
    const { chat, list } = await sent()
    say(chat, 10)
    chat.set({ status: 'ready' })
    await painted()
    send(chat, 'And then?', 'second')
    await painted()
    const turns = [...list.view.querySelectorAll('[data-reserved]')]
    expect(turns).toHaveLength(1)
    expect(turns[0]?.contains(list.article('u-second'))).toBe(true)
    const before = list.article('a-new').getBoundingClientRect().bottom - list.view.getBoundingClientRect().top
    expect(before).toBeGreaterThan(40)
    expect(before).toBeLessThanOrEqual(80)
    expect(list.gap()).toBe(0)
  })

  it('goes near the top in each of six turns, below the turn before, without a button to jump', async () => {
    const { chat, list } = await sent()
    const tops = [list.topOf('u-new')]
    let last = 'new'
    for (let turn = 2; turn <= 6; turn++) {
      say(chat, 10, last)
      chat.set({ status: 'ready' })
      await painted()
      const before = last
      last = `turn-${turn}`
      send(chat, 'And then?', last)
      await painted()
      tops.push(list.topOf(`u-${last}`))
      const end = list.article(`a-${before}`).getBoundingClientRect().bottom - list.view.getBoundingClientRect().top
      expect(end).toBeGreaterThan(40)
      expect(end).toBeLessThanOrEqual(80)
      expect(list.gap()).toBe(0)
      expect(list.frame.querySelector('.cs-jump')).toBeNull()
    }
    expect(tops).toHaveLength(6)
  })

  it('keeps its space when the answer has ended, and when the window changes', async () => {
    const { chat, list } = await sent()
    say(chat, 10)
    chat.set({ status: 'ready' })
    await rested()
    const start = list.topOf('u-new')
    list.frame.style.height = '500px'
    await painted()
    expect(list.gap()).toBe(0)
    expect(Math.abs(list.topOf('u-new') - start)).toBeLessThanOrEqual(20)
  })

  it('is made again in its place when the user asks for another answer', async () => {
    const chat = createFakeChat({ messages: thread(6) })
    const list = await showTranscript(chat)
    chat.set({
      status: 'submitted',
      messages: [...chat.getSnapshot().messages.slice(0, -1), waiting('a-again', 'again')],
    })
    await painted()
    expect(list.gap()).toBe(0)
    expect(list.topOf('u-5')).toBeLessThan(200)
    expect(list.view.querySelectorAll('[data-reserved]')).toHaveLength(1)
  })

  it('keeps no space in a list anchored at its end', async () => {
    const { list } = await sent(SIZES[0], 6, { anchor: 'end' })
    expect(list.gap()).toBe(0)
    expect(
      list.view.getBoundingClientRect().bottom - list.article('a-new').getBoundingClientRect().bottom,
    ).toBeLessThanOrEqual(32)
  })

  it('of another conversation begins that again: its end, and no space', async () => {
    const { list } = await sent()
    await scrollBy(list, -400)
    await list.switchTo(Object.assign(createFakeChat({ messages: thread(8, 50) }), { conversationId: 'c-2' }))
    await painted()
    expect(document.querySelector('[data-reserved]')).toBeNull()
    const view = document.querySelector('.cs-list-view')
    expect(view && view.scrollHeight - view.clientHeight - view.scrollTop).toBe(0)
  })
})
