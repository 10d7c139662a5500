import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AgentError } from '../../../src/base/agent-error.ts'
import { textOf } from '../../../src/state/turn.ts'
import type { DamagedRecord, ThreadRecord } from '../../../src/storage/records/thread-disk.ts'
import type { FakeBrowser, FakeTab } from '../fake-tabs.ts'
import { CONVERSATION, createFakeBrowser, rest } from '../fake-tabs.ts'

const COUNT = 600
const SEED = 20_261_122

/** One damage: a place in a record, by numbers that are taken modulo what there is, and what is there from then on. */
interface Damage {
  readonly record: number
  readonly steps: readonly number[]
  readonly value: { readonly set: unknown } | 'delete'
}

const VALUES: readonly unknown[] = [
  null,
  undefined,
  Number.NaN,
  Infinity,
  -1,
  0,
  1.5,
  9e15,
  2 ** 53,
  8.64e15,
  '',
  'x',
  'streaming',
  'user',
  true,
  {},
  [],
  [null],
  new Map(),
  new Map([['a', null]]),
  1n,
  new Date(0),
]

const damages: fc.Arbitrary<readonly Damage[]> = fc.array(
  fc.record({
    record: fc.nat(),
    steps: fc.array(fc.nat(), { maxLength: 6 }),
    value: fc.oneof(
      { weight: 1, arbitrary: fc.constant('delete' as const) },
      { weight: 4, arbitrary: fc.record({ set: fc.constantFrom(...VALUES) }) },
      {
        weight: 1,
        arbitrary: fc.record({ set: fc.anything({ withMap: true, withBigInt: true, withDate: true, maxDepth: 2 }) }),
      },
    ),
  }),
  { minLength: 1, maxLength: 3 },
)

/** A conversation of everything a disk holds: an answer with parts, a failed one, one that was left in the middle, a queue, a draft. */
async function keepEverything(browser: FakeBrowser): Promise<void> {
  const error = new AgentError({
    kind: 'runtime',
    code: 'agent_error',
    severity: 'WARNING',
    message: 'Old data.',
    agentCode: 'stale',
  })
  const tab = await openTab(browser, [])
  void tab.chat.sendMessage({
    text: 'Why?',
    files: ['f1', { id: 'f2', name: 'a.txt', size: 3 }],
    metadata: { from: ['test'] },
  })
  await rest()
  const { connection } = browser.peer
  connection.say(1, 'Be')
  connection.event(2, { type: 'warning', error })
  connection.event(3, {
    type: 'part',
    streamId: 's1',
    partId: 'p1',
    part: { type: 'citations', citations: [{ sourceId: '1', uri: 'https://a.test', title: 'A', indices: [0] }] },
  })
  connection.event(4, {
    type: 'part',
    streamId: 's1',
    partId: 'p2',
    part: { type: 'progress', label: 'ResumePoint', status: 'running', fraction: 0.5 },
  })
  connection.event(5, {
    type: 'part',
    streamId: 's1',
    partId: 'p3',
    part: { type: 'tool-call', name: 'search', input: { q: [1] }, status: 'complete' },
  })
  connection.close(6)
  await rest()
  void tab.chat.sendMessage('And?')
  await rest()
  browser.peer.connection.event(1, { type: 'stream-failed', streamId: 's1', error })
  await rest()
  void tab.chat.sendMessage('How?')
  await rest()
  browser.peer.connection.say(1, 'Th')
  await rest()
  void tab.chat.sendMessage('And then?', { whenBusy: 'queue' })
  tab.store.writeDraft(CONVERSATION, 'Maybe')
  await rest()
  await tab.close()
  tab.store.close()
  await rest()
}

async function openTab(browser: FakeBrowser, damaged: DamagedRecord[]): Promise<FakeTab> {
  const tab = browser.openTab({ onDamaged: (found) => damaged.push(found) })
  tab.store.subscribe(() => {})
  void tab.chat.resume()
  await rest()
  return tab
}

/** The record of a conversation with one place of it damaged. Containers of records stay: a database has no others. */
function damage({ thread, state, draft, messages }: ThreadRecord, { record, steps, value }: Damage): ThreadRecord {
  const ids = [...messages.keys()]
  const place = record % (3 + ids.length)
  const changed = (before: unknown): unknown => damageIn(before, steps, value)
  // Nothing of it is what its type says from here on: that is what is tested.
  if (place === 0) return { thread: changed(thread), state, draft, messages } as ThreadRecord
  if (place === 1) return { thread, state: changed(state), draft, messages } as ThreadRecord
  if (place === 2) return { thread, state, draft: changed(draft), messages } as ThreadRecord
  const id = ids[place - 3] ?? ''
  return { thread, state, draft, messages: new Map([...messages, [id, changed(messages.get(id))]]) } as ThreadRecord
}

function damageIn(before: unknown, [step, ...steps]: readonly number[], value: Damage['value']): unknown {
  const entries: [unknown, unknown][] =
    before instanceof Map
      ? [...(before as Map<unknown, unknown>)]
      : typeof before === 'object' && before !== null
        ? Object.entries(before)
        : []
  const entry = step === undefined ? undefined : entries[step % entries.length]
  if (entry === undefined) return value === 'delete' ? undefined : value.set
  const [key, inner] = entry
  const kept = entries.filter((other) => other !== entry)
  const next =
    steps.length === 0 && value === 'delete' ? kept : [...kept, [key, damageIn(inner, steps, value)] as const]
  if (before instanceof Map) return new Map(next)
  if (Array.isArray(before)) return next.map(([, item]) => item)
  return Object.fromEntries(next.map(([name, item]) => [String(name), item]))
}

const lastTwo = (tab: FakeTab): string[] => tab.shown().slice(-2)

describe('a conversation with any damage to any of its records', () => {
  it(`opens, continues, is written and read again, over ${COUNT} damages`, { timeout: 120_000 }, async () => {
    const browser = createFakeBrowser()
    await keepEverything(browser)
    const whole = structuredClone(browser.disk.records.get(CONVERSATION))
    if (whole === undefined) throw new Error('Nothing was kept.')
    const met = new Set<string>()
    let changed = 0
    await fc.assert(
      fc.asyncProperty(damages, async (all) => {
        const own = createFakeBrowser()
        const damagedRecord = all.reduce(damage, whole)
        try {
          own.disk.records.set(CONVERSATION, structuredClone(damagedRecord))
        } catch {
          // No device can hold what cannot be cloned.
          return
        }
        changed += 1
        // Ids that were given before are not given again.
        for (let id = 0; id < 20; id += 1) own.environment.uuid()
        const found: DamagedRecord[] = []
        const tab = await openTab(own, found)
        for (const { kind } of found) met.add(kind)
        expect(typeof (await tab.store.readDraft(CONVERSATION))).toBe('string')
        // A run that was left continues; a user stops it to ask something else.
        await tab.chat.stop()
        await rest()
        expect(
          tab.chat.getSnapshot().messages.filter(({ status }) => ['sending', 'pending', 'streaming'].includes(status)),
        ).toEqual([])
        for (const queued of tab.chat.getSnapshot().queued) tab.chat.discard(queued.id)
        const before = tab.shown()
        void tab.chat.sendMessage('Still there?')
        await rest()
        own.peer.connection.say(1, 'Yes.')
        own.peer.connection.close(2)
        await rest()
        expect(lastTwo(tab)).toEqual(['user sent: Still there?', 'assistant complete: Yes.'])
        expect(tab.shown().slice(0, -2)).toEqual(before)
        expect(tab.store.getSnapshot()).toMatchObject({
          status: 'ready',
          persistence: { where: 'disk' },
          threads: [{ id: CONVERSATION, status: 'idle' }],
        })
        const shown = tab.shown()
        await tab.close()
        tab.store.close()
        const again = await openTab(own, [])
        expect(again.shown()).toEqual(shown)
        expect(again.chat.getSnapshot().messages.map(textOf)).toEqual(tab.chat.getSnapshot().messages.map(textOf))
        await again.close()
        again.store.close()
      }),
      { numRuns: COUNT, seed: SEED },
    )
    expect([...met].toSorted()).toEqual(['draft', 'message', 'state', 'thread'])
    expect(changed).toBeGreaterThan(COUNT / 2)
  })
})
