// @vitest-environment jsdom
import { act, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { DictionaryProvider } from '../../../src/components/dictionary/dictionary-context.tsx'
import { chinese } from '../../../src/strings/chinese.ts'
import { Message } from '../../../src/components/message/message.tsx'
import type { TaskStatus } from '../../../src/seam/agent-event.ts'
import type { MessagePart } from '../../../src/state/turn.ts'
import { answer, createFakeChat, text } from '../fake-chat.ts'
import { show } from '../show.tsx'

const task = (status: TaskStatus, change: object = {}): MessagePart => ({
  type: 'task',
  id: `task-${status}`,
  title: 'Survey the north',
  status,
  ...change,
})
const cards = (): HTMLElement[] => screen.getAllByRole('group').filter((each) => each.matches('.cs-task'))
const words = (): (string | null)[] => cards().map(({ textContent }) => textContent)

function showLive(...parts: readonly MessagePart[]) {
  const chat = createFakeChat({ status: 'streaming', messages: [answer('a', parts, { status: 'streaming' })] })
  show(chat, <Message messageId="a" />)
  return chat
}

describe('a task of an answer', () => {
  it('is a card of one row with its state, and its own stop while it works', async () => {
    const chat = showLive(task('working', { detail: 'Reading notes' }))
    expect(words()).toEqual(['WorkingSurvey the northReading notesStop task'])
    expect(cards()[0]?.dataset['compact']).toBe('')
    await act(async () => screen.getByRole('button', { name: 'Stop task' }).click())
    expect(chat.used).toEqual([['stop']])
    act(() => chat.change('a', { status: 'complete', parts: [task('completed', { id: 'task-working' })] }))
    expect(words()).toEqual(['CompletedSurvey the north'])
  })

  it('has those that belong to it below it, in one card', () => {
    showLive(
      task('working'),
      task('completed', { id: 'sub', title: 'Read notes', parentId: 'task-working' }),
      task('submitted', { id: 'other', title: 'Draw a map' }),
    )
    expect(cards()).toHaveLength(2)
    expect(within(cards()[0] as HTMLElement).getByRole('list', { name: 'Subtasks' }).textContent).toBe(
      'CompletedRead notes',
    )
    expect(words()[1]).toContain('Draw a map')
  })

  it('that waits for the user waits on after its run, as long as the chat awaits input', () => {
    const chat = createFakeChat({ status: 'awaiting-input', messages: [answer('a', [task('input-required')])] })
    show(chat, <Message messageId="a" />)
    expect(words()).toEqual(['Input neededSurvey the northStop task'])
    act(() => chat.set({ status: 'ready' }))
    expect(words()).toEqual(['Not finishedSurvey the north'])
  })

  it('of an answer that has ended without it is not finished', () => {
    show(
      createFakeChat({ messages: [answer('a', [task('working')], { status: 'stopped' })] }),
      <Message messageId="a" />,
    )
    expect(words()).toEqual(['Not finishedSurvey the north'])
  })

  it('that works shows so itself, and no dots below', () => {
    showLive(text('I begin.'), task('working'))
    expect(screen.queryByRole('img', { name: 'Waiting for a response' })).toBeNull()
    expect(document.querySelector('.cs-caret')).toBeNull()
  })

  it('can be shown by the app', () => {
    const chat = createFakeChat({ messages: [answer('a', [task('working')], { status: 'streaming' })] })
    show(chat, <Message messageId="a" renderPart={(part) => (part.type === 'task' ? <i>mine</i> : undefined)} />)
    expect(screen.getByText('mine')).toBeTruthy()
    expect(document.querySelector('.cs-task')).toBeNull()
  })

  it('is steps until the words of its language are here', async () => {
    const chat = createFakeChat({ messages: [answer('a', [task('working')], { status: 'streaming' })] })
    show(
      chat,
      <DictionaryProvider strings={chinese}>
        <Message messageId="a" />
      </DictionaryProvider>,
    )
    expect(document.querySelector('.cs-steps')).not.toBeNull()
    expect(await screen.findByText('处理中')).toBeTruthy()
    expect(document.querySelector('.cs-steps')).toBeNull()
  })
})

describe('an artifact of an answer', () => {
  const artifact = (state: 'growing' | 'complete', change: object = {}): MessagePart => ({
    type: 'artifact',
    id: 'f',
    name: 'north.md',
    state,
    text: '# North',
    ...change,
  })

  it('shows what is in it while it grows and when it is whole', () => {
    const chat = showLive(artifact('growing'))
    const view = (): HTMLElement | null => document.querySelector('.cs-artifact-view')
    expect(view()?.dataset['state']).toBe('writing')
    expect(view()?.querySelector('.cs-artifact-window')?.textContent).toBe('# North')
    act(() => chat.change('a', { status: 'stopped' }))
    expect(view()?.dataset['state']).toBe('unfinished')
    act(() => chat.change('a', { status: 'complete', parts: [artifact('complete', { text: '# North\n\nDone' })] }))
    expect(view()?.dataset['state']).toBe('ready')
    expect(view()?.querySelector('.cs-artifact-window')?.textContent).toBe('# North\n\nDone')
  })

  it('with an address alone stays the card it was', () => {
    showLive(artifact('complete', { text: undefined, url: 'https://files.example/a.md' }))
    expect(document.querySelector('.cs-artifact-view')).toBeNull()
    expect(document.querySelector('.cs-artifact')).not.toBeNull()
  })
})
