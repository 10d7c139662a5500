import { describe, expect, it, vi } from 'vitest'
import type { AgentEvent } from '../../src/seam/agent-event.ts'
import type { Conversation, ChatMessage, MessagePart } from '../../src/state/turn.ts'
import { applyEvent, hasBegun } from '../../src/state/conversation.ts'
import { createGrowingList } from '../../src/state/chat-store.ts'
import { failure } from '../support/scripted-peer.ts'

const SIZE = 1000

/** Objects with an `id` that counts how often it is looked at. */
function counted<Item extends { readonly id: string }>(
  make: (at: number) => Item,
): { readonly items: readonly Item[]; readonly visits: () => number } {
  let visits = 0
  const items = Array.from({ length: SIZE }, (_, at) => {
    const { id, ...rest } = make(at)
    // A getter in place of the property it was taken from.
    return Object.defineProperty(rest, 'id', {
      enumerable: true,
      get: () => {
        visits += 1
        return id
      },
    }) as Item
  })
  return { items, visits: () => visits }
}

/** Applies as many events as there are things already, and reads after every hundred, as frames do. */
function fold(conversation: Conversation, eventOf: (at: number) => AgentEvent): Conversation {
  let now = conversation
  for (let at = 0; at < SIZE; at += 1) {
    now = applyEvent(now, eventOf(at), 20)
    if (at % 100 === 99) expect(now.messages.length).toBeGreaterThan(0)
  }
  return now
}

/** How many entries are written into maps and weak maps while `work` is done; a map that is copied is written entry by entry. */
function writesOf(work: () => void): { readonly maps: number; readonly weakMaps: number } {
  const maps = vi.spyOn(Map.prototype, 'set')
  const weakMaps = vi.spyOn(WeakMap.prototype, 'set')
  try {
    work()
    return { maps: maps.mock.calls.length, weakMaps: weakMaps.mock.calls.length }
  } finally {
    maps.mockRestore()
    weakMaps.mockRestore()
  }
}

/** As {@link fold}, and asks with every reading whether the agent has begun, as a chat does. */
function foldReadOften(conversation: Conversation, eventOf: (at: number) => AgentEvent): Conversation {
  let now = conversation
  for (let at = 0; at < SIZE; at += 1) {
    now = applyEvent(now, eventOf(at), 20)
    if (at % 100 === 99 && (now.messages.length === 0 || !hasBegun(now))) throw new Error('Nothing was applied.')
  }
  return now
}

const EVENTS: Readonly<Record<string, (at: number) => AgentEvent>> = {
  texts: () => ({ type: 'text', streamId: 's', text: 'x' }),
  'parts with ids of their own': (at) => ({
    type: 'part',
    streamId: 's',
    partId: `n${at}`,
    part: { type: 'thought', text: 'x' },
  }),
  'parts that replace one': () => ({
    type: 'part',
    streamId: 's',
    partId: 'p0',
    part: { type: 'progress', label: 'x', status: 'running' },
  }),
  warnings: () => ({ type: 'warning', streamId: 's', error: failure() }),
  gaps: (at) => ({ type: 'diagnostic', diagnostic: { kind: 'gap', streamId: 's', after: at, before: at + 2 } }),
}

describe('what an event costs does not depend on what is there already', () => {
  it.each(Object.entries(EVENTS))('%s in a message of many parts', (_, eventOf) => {
    const { items, visits } = counted<MessagePart>((at) => ({
      type: 'progress',
      id: `p${at}`,
      label: 'x',
      status: 'running',
    }))
    const message: ChatMessage = { id: 'a', role: 'assistant', status: 'streaming', parts: items, requestId: 'r' }
    fold({ messages: [message], turn: { requestId: 'r', answerId: 'a', streams: new Map([['s', 'a']]) } }, eventOf)
    expect(visits()).toBeLessThanOrEqual(2 * SIZE)
  })

  it('texts of many streams', () => {
    const { items, visits } = counted<ChatMessage>((at) => ({
      id: `a-${at}`,
      role: 'assistant',
      status: 'streaming',
      parts: [],
      requestId: 'r',
      firstTextAt: 1,
    }))
    const streams = new Map(items.map(({ id }) => [`s-${id}`, id]))
    const before = visits()
    const after = fold({ messages: items, turn: { requestId: 'r', answerId: 'a-0', streams } }, (at) => ({
      type: 'text',
      streamId: `s-a-${at}`,
      text: 'x',
    }))
    expect(after.messages.every(({ parts }) => parts.length === 1)).toBe(true)
    expect(visits() - before).toBeLessThanOrEqual(4 * SIZE)
  })

  it.each([
    ...Object.entries(EVENTS),
    ['texts of new streams', (at: number): AgentEvent => ({ type: 'text', streamId: `s${at}`, text: 'x' })] as const,
  ])('%s write a bounded number of map entries each, and weak map entries only when they are read', (_, eventOf) => {
    const begun: Conversation = {
      messages: [{ id: 'a', role: 'assistant', status: 'pending', parts: [], requestId: 'r' }],
      turn: { requestId: 'r', answerId: 'a', streams: new Map() },
    }
    const { maps, weakMaps } = writesOf(() => foldReadOften(begun, eventOf))
    expect(maps).toBeLessThanOrEqual(4 * SIZE)
    expect(weakMaps).toBeLessThanOrEqual(SIZE / 10)
  })

  it('new streams', () => {
    const after = fold(
      {
        messages: [{ id: 'a', role: 'assistant', status: 'pending', parts: [], requestId: 'r' }],
        turn: { requestId: 'r', answerId: 'a', streams: new Map() },
      },
      (at) => ({ type: 'text', streamId: `s${at}`, text: `${at}` }),
    )
    expect(after.messages.map(({ id }) => id)).toEqual([
      'a',
      ...Array.from({ length: SIZE - 1 }, (_, at) => `a-${at + 2}`),
    ])
    expect(after.turn?.streams.size).toBe(SIZE)
  })
})

describe('a conversation that was not read yet', () => {
  const begun: Conversation = {
    messages: [{ id: 'a', role: 'assistant', status: 'pending', parts: [], requestId: 'r' }],
    turn: { requestId: 'r', answerId: 'a', streams: new Map() },
  }
  const say = (text: string, streamId = 's'): AgentEvent => ({ type: 'text', streamId, text })
  const texts = ({ messages }: Conversation): unknown =>
    messages.map(({ parts }) => parts.map((part) => part.type === 'text' && part.text))

  it('is the same whatever came after it', () => {
    const one = applyEvent(begun, say('one'), 1)
    const two = applyEvent(one, say(' two'), 2)
    const other = applyEvent(one, say(' other'), 2)
    expect(texts(two)).toEqual([['one two']])
    expect(texts(other)).toEqual([['one other']])
    expect(texts(one)).toEqual([['one']])
    expect(texts(begun)).toEqual([[]])
  })

  it('continues from a value that was read, more than once', () => {
    const one = applyEvent(
      begun,
      { type: 'part', streamId: 's', partId: 'p', part: { type: 'thought', text: 'one' } },
      1,
    )
    expect(one.messages).toHaveLength(1)
    const put = (text: string, partId: string): Conversation =>
      applyEvent(one, { type: 'part', streamId: 's', partId, part: { type: 'thought', text } }, 2)
    const thoughts = ({ messages }: Conversation): unknown =>
      messages[0]?.parts.map((part) => part.type === 'thought' && part.text)
    expect(thoughts(put('two', 'q'))).toEqual(['one', 'two'])
    expect(thoughts(put('three', 'r'))).toEqual(['one', 'three'])
    expect(thoughts(put('four', 'p'))).toEqual(['four'])
    expect(thoughts(one)).toEqual(['one'])
  })

  it('has the streams of its turn, whichever other values continued from it', () => {
    const streams = ({ turn }: Conversation): unknown => turn && [...turn.streams]
    const one = applyEvent(begun, say('one', 's1'), 1)
    expect(hasBegun(begun)).toBe(false)
    expect(hasBegun(one)).toBe(true)
    const two = applyEvent(one, say('two', 's2'), 2)
    expect(two.messages).toHaveLength(2)
    const other = applyEvent(one, say('other', 's3'), 2)
    expect(other.messages).toHaveLength(2)
    const again = applyEvent(one, say(' again', 's1'), 2)
    expect(again.messages).toHaveLength(1)
    const late = applyEvent(one, say('late', 's2'), 2)
    expect(texts(late)).toEqual([['one'], ['late']])
    expect(streams(one)).toEqual([['s1', 'a']])
    expect(streams(two)).toEqual([
      ['s1', 'a'],
      ['s2', 'a-2'],
    ])
    expect(streams(other)).toEqual([
      ['s1', 'a'],
      ['s3', 'a-2'],
    ])
    expect(streams(again)).toEqual([['s1', 'a']])
    expect(structuredClone(two.turn)).toEqual({
      requestId: 'r',
      answerId: 'a',
      streams: new Map([
        ['s1', 'a'],
        ['s2', 'a-2'],
      ]),
    })
  })

  it('gives the same lists each time it is read, and the old ones when nothing changed', () => {
    const one = applyEvent(begun, say('one'), 1)
    expect(one.messages).toBe(one.messages)
    const closed = applyEvent(
      applyEvent(one, { type: 'stream-failed', streamId: 's', error: failure() }, 2),
      { type: 'stream-closed', streamId: 's' },
      3,
    )
    const { messages } = closed
    expect(applyEvent(closed, { type: 'stream-closed', streamId: 's' }, 4).messages).toBe(messages)
  })

  it('splits a text at a thought only where a paragraph has ended, whenever the thought came', () => {
    const thought = (id: string): AgentEvent => ({
      type: 'part',
      streamId: 's',
      partId: id,
      part: { type: 'thought', text: 'hm' },
    })
    const conversation = [say('a'), thought('t'), say('\n\n'), say('b'), thought('u'), say('c')].reduce(
      (all, event) => applyEvent(all, event, 1),
      begun,
    )
    expect(texts(conversation)).toEqual([['a\n\n', false, 'bc', false]])
  })
})

describe('a growing list', () => {
  it('is copied when it is read, not when an item comes', () => {
    let visits = 0
    const initial = new Proxy([1, 2], {
      get: (target, key, self) => {
        if (key === Symbol.iterator) visits += 1
        return Reflect.get(target, key, self) as unknown
      },
    })
    const list = createGrowingList(initial)
    expect(list.items).toBe(initial)
    for (let at = 0; at < SIZE; at += 1) list.push(at)
    expect(visits).toBe(0)
    const { items } = list
    expect(visits).toBe(1)
    expect(items).toHaveLength(SIZE + 2)
    expect(list.items).toBe(items)
    list.push(1)
    expect(items).toHaveLength(SIZE + 2)
    expect(list.items).toHaveLength(SIZE + 3)
  })
})
