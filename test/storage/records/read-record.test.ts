import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toPart } from '../../../src/protocols/cap/presentation/presentation-part.ts'
import type { ChatMessage } from '../../../src/state/turn.ts'
import { readRecord, versionOf } from '../../../src/storage/records/read-record.ts'
import { packMessage } from '../../../src/storage/records/stored-message.ts'
import type { DamagedRecord, ThreadRecord } from '../../../src/storage/records/thread-disk.ts'

function read(record: unknown): { record: ThreadRecord; damaged: DamagedRecord[] } {
  const damaged: DamagedRecord[] = []
  return { record: readRecord('c1', record, (found) => damaged.push(found)), damaged }
}

const NAMES = [
  'THOUGHT_TRACE',
  'CITATION_BLOCK',
  'CITATION',
  'PROGRESS_INDICATOR',
  'MEDIA_CAROUSEL',
  'MARKDOWN_BLOCK',
  'USER_ERROR',
  'ERROR_BLOCK',
  'DATA_BLOCK',
  'ARTIFACT',
  'TOOL_CALL',
  'OTHER',
]
const KEYS = [
  'thought',
  'content',
  'text',
  'citations',
  'items',
  'uri',
  'url',
  'title',
  'source_id',
  'confidence',
  'indices',
  'label',
  'status',
  'progress_percent',
  'message',
  'code',
  'retryable',
  'details',
  'data',
  'view_hint',
  'artifact_id',
  'name',
  'arguments',
  'result',
]
const value = fc.oneof(
  fc.string(),
  fc.double(),
  fc.boolean(),
  fc.constantFrom<unknown>(null, 'running', 'TABLE', Infinity, [{ url: '/a', title: 'A', indices: [1] }]),
  fc.jsonValue(),
)

describe('what the library keeps itself', () => {
  it('is read again without damage, whatever parts a server sends', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...NAMES),
        fc.dictionary(fc.constantFrom(...KEYS), value),
        fc.boolean(),
        (type, data, isFlat) => {
          const { part } = toPart(isFlat ? { type, ...data } : { type, data })
          const message: ChatMessage = {
            id: 'a',
            role: 'assistant',
            status: 'complete',
            parts: [{ ...part, id: 'p' }],
            createdAt: 1,
          }
          const stored = structuredClone(packMessage(message))
          const { record, damaged } = read({
            state: { order: ['a'], queued: [], revision: 1 },
            messages: new Map([['a', stored]]),
          })
          expect(damaged).toEqual([])
          expect(record.messages.get('a')).toBe(stored)
        },
      ),
      { numRuns: 2000, seed: 20_261_122 },
    )
  })

  it.each([new Date(0), [1], 'x', { toJSON: () => 7 }])(
    'is read again though the metadata are no plain object: %o',
    (metadata) => {
      // An app in plain JavaScript can pass anything.
      const message = packMessage({
        id: 'a',
        role: 'user',
        status: 'sent',
        parts: [],
        metadata: metadata as unknown as Record<string, unknown>,
      })
      const { damaged } = read({
        state: { order: ['a'], queued: [], revision: 1 },
        messages: new Map([['a', structuredClone(message)]]),
      })
      expect(damaged).toEqual([])
    },
  )
})

describe('the shared state', () => {
  const answer = {
    id: 'a',
    role: 'assistant',
    status: 'complete',
    parts: [{ type: 'state', id: 'state', state: { a: [1] }, edit: 'e1' }],
    createdAt: 1,
  }
  const messages = new Map([['a', answer]])
  const state = { order: ['a'], queued: [], revision: 1 }

  it('is read as it was kept, and so is what the user has made of it', () => {
    const kept = { ...state, stateEdit: { id: 'e2', base: { a: [1] }, value: null } }
    const { record, damaged } = read({ state: kept, messages })
    expect(record.state).toBe(kept)
    expect(record.messages.get('a')).toBe(answer)
    expect(damaged).toEqual([])
  })

  it.each([[5], [{ value: 1 }], [{ id: 5, value: 1 }]])(
    'loses what the user has made of it, and no message, where that is %j',
    (stateEdit) => {
      const { record, damaged } = read({ state: { ...state, stateEdit }, messages })
      expect(damaged).toMatchObject([{ kind: 'state', problem: 'stateEdit' }])
      expect(record.state?.stateEdit).toBeUndefined()
      expect(record.messages.get('a')).toBe(answer)
    },
  )
})

describe('a run', () => {
  const question = { id: 'q', role: 'user', status: 'sent', parts: [], requestId: 'r', createdAt: 1 }
  const answer = {
    id: 'a',
    role: 'assistant',
    status: 'streaming',
    parts: [{ type: 'text', id: 't', text: 'Be' }],
    requestId: 'r',
    createdAt: 1,
  }
  const run = {
    turn: { requestId: 'r', answerId: 'a', streams: new Map([['s1', 'a']]) },
    reading: { streams: new Map([['s1', { seq: 1, state: 'open' }]]), attempts: 1 },
    ended: false,
  }
  const state = { order: ['q', 'a'], queued: [], revision: 1, run }

  it('that agrees with its messages continues', () => {
    const { record, damaged } = read({
      state,
      messages: new Map([
        ['q', question],
        ['a', answer],
      ]),
    })
    expect(record.state).toBe(state)
    expect(record.messages.get('a')?.status).toBe('streaming')
    expect(damaged).toEqual([])
  })

  it.each<readonly [what: string, state: object, messages: ReadonlyMap<string, object>]>([
    [
      'whose answer is damaged',
      state,
      new Map<string, object>([
        ['q', question],
        ['a', { ...answer, parts: 7 }],
      ]),
    ],
    [
      'whose question is damaged',
      state,
      new Map([
        ['q', { ...question, role: 'nobody' }],
        ['a', answer],
      ]),
    ],
    [
      'whose question is of nobody',
      state,
      new Map([
        ['q', { ...question, role: 'system' }],
        ['a', answer],
      ]),
    ],
    [
      'that has another answer',
      { ...state, run: { ...run, turn: { ...run.turn, answerId: 'b' } } },
      new Map([
        ['q', question],
        ['a', answer],
      ]),
    ],
    [
      'whose stream speaks in a message that is missing',
      { ...state, run: { ...run, turn: { ...run.turn, streams: new Map([['s1', 'b']]) } } },
      new Map([
        ['q', question],
        ['a', answer],
      ]),
    ],
    [
      'whose messages are of another one',
      { ...state, run: { ...run, turn: { ...run.turn, requestId: 'other' } } },
      new Map([
        ['q', question],
        ['a', answer],
      ]),
    ],
    [
      'whose cursor is no count',
      {
        ...state,
        run: { ...run, reading: { ...run.reading, streams: new Map([['s1', { seq: -1, state: 'open' }]]) } },
      },
      new Map([
        ['q', question],
        ['a', answer],
      ]),
    ],
  ])('%s has ended, and no answer of it streams for ever', (_, damagedState, messages) => {
    const { record, damaged } = read({ state: damagedState, messages })
    expect(record.state?.run).toBeUndefined()
    expect([...record.messages.values()].map(({ status }) => status)).not.toContain('streaming')
    expect(damaged.map(({ kind }) => kind)).toContain('state')
    const kept = record.messages.get('a')
    if (kept !== undefined)
      expect([kept.status, kept.error?.code, record.state?.error?.code]).toEqual([
        'incomplete',
        'truncated',
        'truncated',
      ])
  })
})

describe('the revision of a state', () => {
  it.each([
    [{ revision: 5 }, 5],
    [{ revision: Number.NaN }, 0],
    [{ revision: -1 }, 0],
    [{ revision: 0 }, 0],
    [{ revision: 1.5 }, 0],
    [{ revision: 9e15 }, 0],
    [{ revision: '5' }, 0],
    [null, 0],
    [undefined, 0],
  ])('of %o is %d', (record, revision) => {
    expect(versionOf(record)).toEqual({ term: 0, revision })
  })
})
