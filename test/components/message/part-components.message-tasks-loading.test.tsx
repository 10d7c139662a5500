// @vitest-environment jsdom
import { act, screen } from '@testing-library/react'
import type { MockInstance } from 'vitest'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { stepOfTask } from '../../../src/components/message/part-components.tsx'
import { Message } from '../../../src/components/message/message.tsx'
import { taskComponents } from '../../../src/components/lazy-tasks.ts'
import type { TaskStatus } from '../../../src/seam/agent-event.ts'
import type { MessagePart } from '../../../src/state/turn.ts'
import { answer, createFakeChat, text } from '../fake-chat.ts'
import { show } from '../show.tsx'

// The code of the cards never comes.
let get: MockInstance
beforeEach(() => {
  get = vi.spyOn(taskComponents, 'get').mockReturnValue(undefined)
})
afterEach(() => get.mockRestore())

const task = (status: TaskStatus, change: object = {}): Extract<MessagePart, { readonly type: 'task' }> => ({
  type: 'task',
  id: `task-${status}`,
  title: 'Survey the north',
  status,
  ...change,
})
const rows = (): string[] => screen.getAllByRole('listitem').map((row) => row.textContent ?? '')
const states = (): (string | undefined)[] => screen.getAllByRole('listitem').map((row) => row.dataset['state'])

describe('a task of the agent whose card is being fetched', () => {
  it.each([
    ['submitted', 'pending', 'Waiting'],
    ['working', 'running', 'Running'],
    ['input-required', 'waiting', 'Waiting for you'],
    ['auth-required', 'waiting', 'Waiting for you'],
    ['completed', 'complete', 'Done'],
    ['canceled', 'cancelled', 'Cancelled'],
    ['failed', 'failed', 'Failed'],
    ['rejected', 'rejected', 'Declined by the assistant'],
    ['unknown', 'unknown', 'Unknown'],
  ] as const)('that is %s is a row with state %s and the words %j', (status, state, words) => {
    const messages = [answer('a', [task(status)], { status: 'streaming' })]
    const isAsking = state === 'waiting'
    show(createFakeChat({ status: isAsking ? 'awaiting-input' : 'streaming', messages }), <Message messageId="a" />)
    expect(states()).toEqual([state])
    expect(rows()).toEqual([`Survey the north${words}`])
  })

  it('has a name where the agent gives none, and says what it is doing', () => {
    const part = task('working', { title: undefined, detail: 'Reading notes' })
    show(createFakeChat({ messages: [answer('a', [part], { status: 'streaming' })] }), <Message messageId="a" />)
    expect(rows()[0]).toBe('Task Reading notesRunning')
  })

  it('shares the list with its parts, and steps next to it have their own', () => {
    const parts: readonly MessagePart[] = [
      task('working'),
      task('completed', { id: 'sub', title: 'Read notes', parentId: 'task-working' }),
      { type: 'progress', id: 'p', label: 'Draw a map', status: 'running' },
    ]
    show(createFakeChat({ messages: [answer('a', parts, { status: 'streaming' })] }), <Message messageId="a" />)
    expect(screen.getAllByRole('list')).toHaveLength(2)
    expect(states()).toEqual(['running', 'complete', 'running'])
  })

  it('that waits for the user waits on after its run, as long as the chat awaits input', () => {
    const messages = [answer('a', [task('input-required')])]
    const chat = createFakeChat({ status: 'awaiting-input', messages })
    show(chat, <Message messageId="a" />)
    expect(states()).toEqual(['waiting'])
    act(() => chat.set({ status: 'ready' }))
    expect(states()).toEqual(['unfinished'])
  })

  it('no longer waits for the user once the answer is on its way', () => {
    const messages = [answer('a', [task('input-required')], { status: 'streaming' })]
    const chat = createFakeChat({ status: 'awaiting-input', messages })
    show(chat, <Message messageId="a" />)
    expect(states()).toEqual(['waiting'])
    act(() => chat.set({ status: 'streaming' }))
    expect(states()).toEqual(['pending'])
  })

  it('that works shows so itself, and no dots below', () => {
    const messages = [answer('a', [text('I begin.'), task('working')], { status: 'streaming' })]
    const chat = createFakeChat({ status: 'streaming', messages })
    show(chat, <Message messageId="a" />)
    expect(screen.queryByRole('img', { name: 'Waiting for a response' })).toBeNull()
    expect(document.querySelector('.cs-caret')).toBeNull()
  })

  it('keeps its row while its part is the same', () => {
    const part = task('working')
    expect(stepOfTask(part, 'Task')).toBe(stepOfTask(part, 'Task'))
    expect(stepOfTask({ ...part }, 'Task')).not.toBe(stepOfTask(part, 'Task'))
    const untitled = task('working', { title: undefined })
    expect([stepOfTask(untitled, 'Task').label, stepOfTask(untitled, 'Aufgabe').label]).toEqual(['Task', 'Aufgabe'])
  })
})

describe('an artifact part whose content cannot be shown yet', () => {
  const artifact = (state: 'growing' | 'complete'): MessagePart => ({
    type: 'artifact',
    id: 'f',
    name: 'north.md',
    state,
    version: 2,
    size: 3400,
    text: '# North',
  })

  it('is written while it grows, can be saved when it is whole, and says when it never became whole', () => {
    const chat = createFakeChat({
      status: 'streaming',
      messages: [answer('a', [artifact('growing')], { status: 'streaming' })],
    })
    const { container } = show(chat, <Message messageId="a" />)
    const card = (): string | null | undefined => container.querySelector('.cs-artifact')?.textContent
    expect(card()).toBe('north.mdVersion 2 · 3.4 kBWriting')
    act(() => chat.change('a', { status: 'stopped' }))
    expect(card()).toBe('north.mdVersion 2 · 3.4 kBNot finishedDownload')
    act(() => chat.change('a', { status: 'complete', parts: [artifact('complete')] }))
    expect(card()).toBe('north.mdVersion 2 · 3.4 kBDownload')
  })
})
