import { beforeEach, describe, expect, it } from 'vitest'
import { AgentError } from '../../../src/base/agent-error.ts'
import { type Connection, type Phase, idleConnection, CONNECTION_TRANSITIONS } from '../../../src/session/connection.ts'
import { isStoreMessage } from '../../../src/storage/records/stored-fields.ts'
import { isTabMessage, packConnection, unpackConnection } from '../../../src/storage/tabs/tab-message.ts'
import { errorOf, connectionAt } from '../../../stories/support/messages.ts'
import { createManualClock } from '../../support/manual-clock.ts'
import type { FakeBrowser, FakeTab } from '../fake-tabs.ts'
import { CONVERSATION, createFakeBrowser, rest } from '../fake-tabs.ts'

let browser: FakeBrowser

beforeEach(() => {
  browser = createFakeBrowser()
})

async function openTab(): Promise<FakeTab> {
  const tab = browser.openTab()
  tab.store.subscribe(() => {})
  void tab.chat.resume()
  await rest()
  return tab
}

const state = { term: 1, revision: 1, performed: [], order: ['a'], queued: [] }
const message = { id: 'a', role: 'user', status: 'sent', parts: [{ type: 'text', id: 't', text: 'Why?' }] }
const row = { id: CONVERSATION, title: 'Why?', named: false, status: 'idle', unread: false, createdAt: 1, updatedAt: 1 }

/** One of each kind, with all its fields. */
const FOR_TABS: Readonly<Record<string, object>> = {
  hello: { type: 'hello' },
  leads: { type: 'leads', term: 1 },
  state: {
    type: 'state',
    term: 1,
    count: 1,
    whole: true,
    state,
    messages: new Map([
      ['a', message],
      ['b', undefined],
    ]),
    unsaved: ['a'],
    status: 'ready',
    connection: idleConnection(Infinity),
  },
  call: {
    type: 'call',
    term: 1,
    id: 'c',
    call: { action: 'sendMessage', message: { text: 'Why?' }, options: {} },
    isRepeated: false,
  },
  acknowledged: { type: 'acknowledged', term: 1, id: 'c' },
  done: { type: 'done', term: 1, id: 'c' },
}
const FOR_STORES: Readonly<Record<string, object>> = {
  threads: { type: 'threads', threads: [row], generation: 'g' },
  removed: { type: 'removed', id: CONVERSATION, at: 1, generation: 'g' },
  restored: { type: 'restored', id: CONVERSATION, generation: 'g' },
  outdated: { type: 'outdated', id: CONVERSATION, generation: undefined },
  wiped: { type: 'wiped', generation: 'g' },
}
const CALLS: readonly object[] = [
  {
    action: 'sendMessage',
    message: { text: 'Why?', files: ['f1'], metadata: { a: 1 } },
    options: { whenBusy: 'queue' },
  },
  { action: 'edit', messageId: 'a', message: 'How?' },
  { action: 'edit', messageId: 'a', message: { text: 'How?' } },
  { action: 'regenerate', messageId: undefined },
  { action: 'retry', messageId: 'a' },
  { action: 'discard', messageId: 'a' },
  { action: 'prepend', messages: [message] },
  { action: 'stop', requestId: undefined },
  { action: 'resume' },
  { action: 'clearError' },
]
const NOTHING: readonly unknown[] = [
  null,
  undefined,
  0,
  42,
  '',
  'hello',
  true,
  [],
  ['hello'],
  new Map(),
  new Date(0),
  {},
  { type: null },
  { type: 'toString' },
  { type: ['hello'] },
  { type: 'next-year', term: 1 },
]

/** The message without each of its fields, and with each as something it never is. */
function damagesOf(whole: object): object[] {
  return Object.keys(whole).flatMap((key) => [
    { ...whole, [key]: Symbol.for('damaged') },
    { ...whole, [key]: null },
    { ...whole, [key]: [null] },
  ])
}

describe.each([
  ['tabs of one conversation', isTabMessage, FOR_TABS],
  ['stores', isStoreMessage, FOR_STORES],
] as const)('a message between %s', (_, isMessage, kinds) => {
  it.each(Object.entries(kinds))(
    '%s is taken when it is whole, also with fields of a newer version',
    (_type, whole) => {
      expect(isMessage(whole)).toBe(true)
      expect(isMessage(structuredClone(whole))).toBe(true)
      expect(isMessage({ ...whole, added: { by: 'a newer version' } })).toBe(true)
    },
  )

  it.each(Object.entries(kinds))('%s is not taken with any field damaged', (_type, whole) => {
    expect(damagesOf(whole).filter((damaged) => isMessage(damaged))).toEqual([])
  })

  it('is nothing else', () => {
    expect(NOTHING.filter((value) => isMessage(value))).toEqual([])
  })
})

describe('the connection that a leader sends', () => {
  const clock = createManualClock()
  const phases = Object.keys(CONNECTION_TRANSITIONS) as Phase[] // the table's keys are exactly the phases
  const told = (connection: object): object => ({ ...FOR_TABS.state, connection })
  const connectionIn = (phase: Phase): Connection =>
    connectionAt({ phase, nextRetryAt: 5000, error: errorOf(), attempt: 2 })

  it.each(phases)('arrives in %s as it was, with the fields of its phase', (phase) => {
    const connection = connectionIn(phase)
    const packed = structuredClone(packConnection(connection, clock))
    expect(isTabMessage(told(packed))).toBe(true)
    const heard = unpackConnection(packed, clock, (init) => new AgentError(init), idleConnection(3))
    expect({ ...heard, error: heard.error?.message }).toEqual({ ...connection, error: connection.error?.message })
    expect(unpackConnection(packed, clock, (init) => new AgentError(init), connection)).toBe(connection)
  })

  it.each<[what: string, damaged: object]>([
    ['a wait without an end', { ...connectionIn('waiting'), nextRetryAt: undefined, error: undefined }],
    ['a failure without an error', { ...connectionIn('failed'), error: undefined }],
    ['a finished run with another attempt', { ...connectionIn('closed'), nextRetryAt: 5000 }],
    ['a phase that does not exist', { ...connectionIn('idle'), phase: 'toString' }],
  ])('is not taken as %s', (_, damaged) => {
    expect(isTabMessage(told(damaged))).toBe(false)
  })
})

describe('a call from another tab', () => {
  it.each(CALLS)('%j is taken whole, and not with any field damaged', (call) => {
    const of = (given: unknown): object => ({ ...FOR_TABS.call, call: given })
    expect(isTabMessage(of(call))).toBe(true)
    expect(damagesOf(call).filter((damaged) => isTabMessage(of(damaged)))).toEqual([])
  })

  it('of an action that only a newer version has is not taken', () => {
    expect(isTabMessage({ ...FOR_TABS.call, call: { action: 'translate', messageId: 'a' } })).toBe(false)
  })
})

describe('tabs and stores that hear what they do not know', () => {
  it('throw nothing, and continue as before', async () => {
    const tabs = [await openTab(), await openTab()]
    const foreign = [
      ...NOTHING,
      ...[...Object.values(FOR_TABS), ...Object.values(FOR_STORES)].flatMap((whole) =>
        Object.keys(whole).map((key) => ({ ...whole, [key]: null })),
      ),
    ]
    for (const value of foreign) browser.say(value)
    await rest()
    void tabs[1]?.chat.sendMessage('Why?')
    await rest()
    browser.peer.connection.say(1, 'So.')
    browser.peer.connection.close(2)
    await rest()
    await browser.environment.clock.advance(150)
    await rest()
    expect(tabs.map((tab) => tab.shown())).toEqual([0, 1].map(() => ['user sent: Why?', 'assistant complete: So.']))
    expect(tabs.map((tab) => tab.store.getSnapshot().threads.length)).toEqual([1, 1])
  })
})
