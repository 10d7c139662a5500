import { describe, expect, it, vi } from 'vitest'
import { createFakeChat } from '../components/fake-chat.ts'
import { painted, rested, scrollBy, showTranscript, thread, until } from './transcript.tsx'

const LISTS = [
  { list: 'a list', windowAbove: 200 },
  { list: 'a list with a part of it mounted', windowAbove: 20 },
]

describe.each(LISTS)('a reader who comes to the start of $list', ({ windowAbove }) => {
  const start = async (turns = 30) => {
    const onReachStart = vi.fn()
    const chat = createFakeChat({ messages: thread(turns, 100) })
    const list = await showTranscript(chat, { onReachStart, windowAbove })
    if (windowAbove < turns * 2) await until(() => list.windowed)
    await painted(2)
    return { chat, list, onReachStart }
  }

  it('is called once, from one height of the view on', async () => {
    const { list, onReachStart } = await start()
    await scrollBy(list, -list.view.clientHeight)
    expect(onReachStart).not.toHaveBeenCalled()
    await scrollBy(list, 100 + list.view.clientHeight - list.view.scrollTop)
    expect(onReachStart).not.toHaveBeenCalled()
    for (const by of [-200, -300, -400]) await scrollBy(list, by)
    expect(onReachStart).toHaveBeenCalledTimes(1)
  })

  it('is called again when they have been away, and when older messages have come', async () => {
    const { chat, list, onReachStart } = await start()
    await scrollBy(list, -list.view.scrollTop)
    await scrollBy(list, 2000)
    expect(onReachStart).toHaveBeenCalledTimes(1)
    await scrollBy(list, -list.view.scrollTop)
    expect(onReachStart).toHaveBeenCalledTimes(2)
    chat.set({ messages: [...thread(25, 75), ...chat.getSnapshot().messages] })
    await rested()
    expect(onReachStart).toHaveBeenCalledTimes(2)
    await scrollBy(list, -list.view.scrollTop)
    expect(onReachStart).toHaveBeenCalledTimes(3)
  })

  it('is not called while the list is hidden', async () => {
    const { list, onReachStart } = await start()
    list.frame.style.display = 'none'
    await painted(2)
    list.frame.style.display = ''
    await rested()
    expect(onReachStart).not.toHaveBeenCalled()
    expect(list.gap()).toBe(0)
  })

  it('loads more until the messages fill the view', async () => {
    const { chat, onReachStart } = await start(1)
    expect(onReachStart).toHaveBeenCalledTimes(1)
    chat.set({ messages: [...thread(1, 99), ...chat.getSnapshot().messages] })
    await painted(2)
    expect(onReachStart).toHaveBeenCalledTimes(2)
    await rested()
    expect(onReachStart).toHaveBeenCalledTimes(2)
  })
})

describe('the row that says older messages are on their way', () => {
  it('moves nothing by its coming and going', async () => {
    const chat = createFakeChat({ messages: thread(30, 100) })
    const list = await showTranscript(chat)
    await scrollBy(list, -list.view.scrollTop)
    const before = list.topOf('u-100')
    await list.rerender({ start: <p>Loading earlier messages</p> })
    await painted()
    expect(list.topOf('u-100')).toBe(before)
    chat.set({ messages: [...thread(25, 75), ...chat.getSnapshot().messages] })
    await list.rerender({})
    await painted()
    expect(Math.abs(list.topOf('u-100') - before)).toBeLessThan(1)
  })
})

describe('a transcript that is empty', () => {
  it('has no start to come to', async () => {
    const onReachStart = vi.fn()
    await showTranscript(createFakeChat(), { onReachStart, empty: <p>Ask</p> })
    await rested()
    expect(onReachStart).not.toHaveBeenCalled()
  })
})
