import { describe, expect, it } from 'vitest'
import { type Slice, statusSliceOf, type ChatSnapshot } from '../../src/state/chat-snapshot.ts'
import type { ChatMessage, MessagePart } from '../../src/state/turn.ts'
import { createFakeChat } from '../components/fake-chat.ts'
import { connectionAt } from '../../stories/support/messages.ts'
import { promptOf } from '../support/prompts.ts'

const text = (words: string, id = 'text-1'): MessagePart => ({ type: 'text', id, text: words })
const answerOf = (...parts: readonly MessagePart[]): ChatMessage => ({
  id: 'a1',
  role: 'assistant',
  status: 'streaming',
  parts,
})
const question: ChatMessage = { id: 'q1', role: 'user', status: 'sent', parts: [text('Why?')] }
const prompt: MessagePart = { type: 'prompt', id: 'p1', prompt: promptOf({ id: 'p1' }) }
const call: MessagePart = { type: 'tool-call', id: 't1', name: 'send_mail', status: 'preparing' }

function open(...parts: readonly MessagePart[]) {
  const chat = createFakeChat({ status: 'streaming', messages: [question, answerOf(...parts)] })
  return { chat, status: statusSliceOf(chat) }
}

/** Counts the notifications of a slice. */
function listen({ subscribe }: Slice<unknown>): { readonly count: number; stop(): void } {
  let count = 0
  const stop = subscribe(() => {
    count += 1
  })
  return {
    get count() {
      return count
    },
    stop,
  }
}

describe('the status slice', () => {
  it('stays the same object while texts and thoughts grow in place', () => {
    const thought = (words: string): MessagePart => ({ type: 'thought', id: 'h1', text: words })
    const { chat, status } = open(thought('H'), text('R'))
    const before = status.getSnapshot()
    const heard = listen(status)
    chat.change('a1', { parts: [thought('Hm'), text('Rivers')] })
    expect(status.getSnapshot()).toBe(before)
    expect(heard.count).toBe(0)
    chat.change('a1', { parts: [thought('Hmm'), text('Rivers bend')] })
    expect(status.getSnapshot()).toBe(before)
  })

  it('keeps nothing of the chat after its last listener has left', () => {
    const { chat, status } = open(text('R'))
    const [first, second] = [listen(status), listen(status)]
    const before = status.getSnapshot()
    first.stop()
    chat.change('a1', { parts: [text('Rivers')] })
    expect(status.getSnapshot()).toBe(before)
    second.stop()
    expect(status.getSnapshot()).toBe(chat.getSnapshot())
  })

  it.each<[change: string, apply: (chat: ReturnType<typeof createFakeChat>) => void]>([
    ['a new part', (chat) => chat.change('a1', { parts: [text('R'), call, text('b', 'text-2')] })],
    ['a part less', (chat) => chat.change('a1', { parts: [text('R')] })],
    [
      'another state of a tool call',
      (chat) => chat.change('a1', { parts: [text('R'), { ...call, status: 'running' }] }),
    ],
    ['a prompt instead of a part', (chat) => chat.change('a1', { parts: [text('R'), prompt] })],
    ['another text', (chat) => chat.change('a1', { parts: [text('R', 'other'), call] })],
    ['another status of a message', (chat) => chat.change('a1', { status: 'complete' })],
    ['a field that the message had not', (chat) => chat.change('a1', { stop: 'cancelling' })],
    ['more text of an answer that is complete', (chat) => chat.change('q1', { parts: [text('Why not?')] })],
    ['a message less', (chat) => chat.set({ messages: [question] })],
    ['a message more', (chat) => chat.set({ messages: [...chat.getSnapshot().messages, { ...question, id: 'q2' }] })],
    ['another connection', (chat) => chat.set({ connection: connectionAt({ phase: 'offline' }) })],
    ['another status', (chat) => chat.set({ status: 'awaiting-input' })],
    ['a field that the snapshot had not', (chat) => chat.set({ stateEdit: { id: 'e1', value: {} } })],
  ])('is current and notifies once after %s', (_change, apply) => {
    const { chat, status } = open(text('R'), call)
    const heard = listen(status)
    apply(chat)
    expect(status.getSnapshot()).toBe(chat.getSnapshot())
    expect(heard.count).toBe(1)
  })

  it('notifies of a change that somebody has read before the notification', () => {
    const { chat, status } = open(text('R'))
    const read: ChatSnapshot[] = []
    chat.subscribe(() => read.push(status.getSnapshot()))
    const heard = listen(status)
    chat.set({ status: 'ready' })
    expect(read).toEqual([chat.getSnapshot()])
    expect(heard.count).toBe(1)
  })

  it('knows what has changed since the last growth', () => {
    const { chat, status } = open(text('R'))
    chat.change('a1', { parts: [text('Ri')] })
    status.getSnapshot()
    chat.change('a1', { parts: [text('Ri'), call] })
    expect(status.getSnapshot()).toBe(chat.getSnapshot())
  })
})

describe('statusSliceOf', () => {
  it('subscribes to the chat once, while there is a listener', () => {
    const { chat, status } = open(text('R'))
    expect(chat.listeners).toBe(0)
    const heard = [listen(status), listen(status)]
    expect(chat.listeners).toBe(1)
    expect(statusSliceOf(chat)).toBe(status)
    for (const { stop } of [...heard, ...heard]) stop()
    expect(chat.listeners).toBe(0)
    // Changes without a listener are not reported.
    chat.change('a1', { error: undefined, restarted: true })
    const later = listen(status)
    chat.change('a1', { parts: [text('Rivers')] })
    expect(later.count).toBe(0)
    expect(status.getSnapshot().messages[1]?.restarted).toBe(true)
  })
})
