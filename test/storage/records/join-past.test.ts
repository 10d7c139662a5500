import { describe, expect, it } from 'vitest'
import { joinPast } from '../../../src/storage/records/join-past.ts'
import type { StoredMessage } from '../../../src/storage/records/stored-message.ts'
import type { StoredState } from '../../../src/storage/records/stored-state.ts'
import { promptOf } from '../../support/prompts.ts'
import type { ThreadRecord } from '../../../src/storage/records/thread-disk.ts'

const message = (id: string, status: StoredMessage['status'], text = id): StoredMessage => ({
  id,
  role: id.startsWith('u') ? 'user' : 'assistant',
  status,
  requestId: `r${id.slice(1)}`,
  parts: [{ type: 'text', id: 't', text }],
})
const asMap = (...messages: readonly StoredMessage[]): Map<string, StoredMessage> =>
  new Map(messages.map((each) => [each.id, each]))
const queued = (id: string): StoredState['queued'][number] => ({ id, message: { text: id } })

/** A run that is live, whose answer is that message. */
function runOf(answerId: string): NonNullable<StoredState['run']> {
  return {
    request: undefined,
    requestId: `r${answerId.slice(1)}`,
    turn: { requestId: `r${answerId.slice(1)}`, answerId, streams: new Map([['s', answerId]]) },
    reading: { streams: new Map([['s', { seq: 4, state: 'open' }]]) },
    ended: false,
  } as unknown as NonNullable<StoredState['run']> // only what is looked at
}

function recordOf(state: Partial<StoredState>, ...messages: readonly StoredMessage[]): ThreadRecord {
  return {
    draft: '',
    messages: asMap(...messages),
    state: { term: 2, revision: 7, queued: [], order: messages.map(({ id }) => id), ...state },
  }
}

function changeOf(
  state: Partial<StoredState>,
  ...messages: readonly StoredMessage[]
): { readonly term: number; readonly state: StoredState; readonly messages: Map<string, StoredMessage> } {
  return {
    term: 1,
    messages: asMap(...messages),
    state: { term: 1, revision: 9, queued: [], order: messages.map(({ id }) => id), ...state },
  }
}

describe('a change that was refused', () => {
  it('is written as it was where there is no state', () => {
    const joined = joinPast(
      { draft: '', messages: new Map() },
      changeOf({ run: runOf('a1') }, message('u1', 'sent'), message('a1', 'streaming')),
      5,
    )
    expect(joined.state).toMatchObject({ term: 5, order: ['u1', 'a1'], run: { ended: false } })
    expect(joined.messages?.get('a1')?.status).toBe('streaming')
  })

  it('names no message that does not exist', () => {
    const joined = joinPast(
      { draft: '', messages: new Map() },
      changeOf({ order: ['u1', 'a1', 'u2'], run: runOf('a1') }, message('u2', 'sent')),
      5,
    )
    expect(joined.state).toMatchObject({ order: ['u2'] })
    expect(joined.state?.run).toBeUndefined()
  })

  it('adds its messages behind those that are there, and changes none of them', () => {
    const record = recordOf({ performed: ['r1'] }, message('u1', 'sent'), message('a1', 'complete', 'the whole answer'))
    const joined = joinPast(
      record,
      changeOf(
        { performed: ['r1', 'r2'] },
        message('u1', 'sent'),
        message('a1', 'streaming', 'the wh'),
        message('u2', 'sent'),
        message('a2', 'complete'),
      ),
      5,
    )
    expect([...(joined.messages ?? [])].map(([id]) => id)).toEqual(['u2', 'a2'])
    expect(joined.state).toMatchObject({ order: ['u1', 'a1', 'u2', 'a2'], performed: ['r1', 'r2'], term: 5 })
  })

  it('is newer than the saved state, whatever its clock said', () => {
    expect(joinPast(recordOf({ revision: 70 }), changeOf({}, message('u2', 'sent')), 5).state?.revision).toBe(71)
  })

  it('lets its run continue where no other does', () => {
    const joined = joinPast(
      recordOf({}, message('u1', 'sent'), message('a1', 'complete')),
      changeOf({ run: runOf('a2') }, message('u2', 'sent'), message('a2', 'streaming')),
      5,
    )
    expect(joined.state?.run?.turn.answerId).toBe('a2')
    expect(joined.messages?.get('a2')?.status).toBe('streaming')
  })

  it('leaves the run of the later leader to continue, and ends its own', () => {
    const joined = joinPast(
      recordOf({ run: runOf('a1') }, message('u1', 'sent'), message('a1', 'streaming')),
      changeOf({ run: runOf('a2') }, message('u2', 'sending'), message('a2', 'pending'), message('a3', 'streaming')),
      5,
    )
    expect(joined.state?.run?.turn.answerId).toBe('a1')
    expect([...(joined.messages ?? [])].map(([id, kept]) => `${id} ${kept?.status}`)).toEqual([
      'u2 not-sent',
      'a3 incomplete',
    ])
  })

  it('withdraws what a run asked that it ends: nobody can hear the answer', () => {
    const asked: StoredMessage = {
      ...message('a2', 'streaming'),
      parts: [
        { type: 'prompt', id: 'p1', prompt: promptOf() },
        { type: 'prompt', id: 'p2', prompt: promptOf({ id: 'p2', state: 'answered' }) },
      ],
    }
    const statesAfter = (record: ThreadRecord) =>
      joinPast(record, changeOf({ run: runOf('a2') }, asked), 5)
        .messages?.get('a2')
        ?.parts.map((part) => part.type === 'prompt' && part.prompt.state)
    expect(statesAfter(recordOf({ run: runOf('a1') }, message('a1', 'streaming')))).toEqual(['withdrawn', 'answered'])
    // The control: where its run continues, the question does too.
    expect(statesAfter(recordOf({}))).toEqual(['open', 'answered'])
  })

  it('does not let its run continue from a text that has grown since', () => {
    const joined = joinPast(
      recordOf({}, message('u1', 'sent'), message('a1', 'complete', 'the whole answer')),
      changeOf({ run: runOf('a1') }, message('a1', 'streaming', 'the wh')),
      5,
    )
    expect(joined.state?.run).toBeUndefined()
    expect(joined.messages?.size).toBe(0)
  })

  it('queues only what was neither queued nor asked since', () => {
    const record = recordOf({ queued: [queued('r3')], performed: ['r4'] }, message('u5', 'sent'))
    expect(
      joinPast(record, changeOf({ queued: ['r3', 'r4', 'r5', 'r6'].map(queued) }), 5).state?.queued.map(({ id }) => id),
    ).toEqual(['r3', 'r6'])
  })
})
