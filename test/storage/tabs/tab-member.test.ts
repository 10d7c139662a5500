import { beforeEach, describe, expect, it } from 'vitest'
import { idleConnection } from '../../../src/session/connection.ts'
import type { TabLocks } from '../../../src/storage/tabs/leader-election.ts'
import type { StoredMessage, StoredState } from '../../../src/storage/disk/stored-state.ts'
import type { ChatCall, TabMessage } from '../../../src/storage/tabs/tab-message.ts'
import type { FakeBrowser, FakeTab } from '../fake-tabs.ts'
import { CONVERSATION, createFakeBrowser, rest } from '../fake-tabs.ts'

let browser: FakeBrowser

beforeEach(() => {
  browser = createFakeBrowser()
})

async function openTab(options?: Parameters<FakeBrowser['openTab']>[0]): Promise<FakeTab> {
  const tab = browser.openTab(options)
  void tab.chat.resume()
  await rest()
  return tab
}

/** A tab that gets the lock when it is granted here, and not before. */
async function openFollower(): Promise<FakeTab & { grant(): void }> {
  let grant = (): void => {}
  const locks: TabLocks = {
    request: (_name, _options, held) =>
      new Promise(() => {
        grant = () => void held()
      }),
  }
  return { ...(await openTab({ ports: { locks } })), grant: () => grant() }
}

async function pass(ms = 150): Promise<void> {
  await rest()
  browser.environment.paint()
  await browser.environment.clock.advance(ms)
  await rest()
}

async function answer(): Promise<void> {
  await pass()
  browser.peer.connection.say(1, 'So.')
  browser.peer.connection.close(2)
  await pass()
}

function say(message: TabMessage): void {
  browser.say(message)
}

/** What was said of a type, oldest first. */
function heard<Type extends TabMessage['type']>(type: Type): (TabMessage & { readonly type: Type })[] {
  // Only the tabs of this test have spoken.
  return browser.said
    .map((text) => JSON.parse(text) as TabMessage)
    .filter((message): message is TabMessage & { readonly type: Type } => message.type === type)
}

const stateOf = (term: number, order: readonly string[] = []): StoredState => ({
  term,
  revision: browser.environment.clock.date(),
  performed: [],
  order,
  queued: [],
})
const message = (id: string): StoredMessage => ({
  id,
  role: 'user',
  status: 'sent',
  parts: [{ type: 'text', id: 't', text: id }],
})
const fill = (): void => void (browser.disk.refusal = new DOMException('full', 'QuotaExceededError'))
const empty = (): void => void (browser.disk.refusal = undefined)

/** A leader of term 9 writes, and nobody here learns of it. */
async function writeAsAnother(): Promise<void> {
  await browser.disk.write(
    new Map([
      [CONVERSATION, { term: 9, state: stateOf(9, ['other']), messages: new Map([['other', message('other')]]) }],
    ]),
  )
}

/** Waits for what the fake page still writes in this turn, which a full disk refuses. */
async function crash(tab: FakeTab): Promise<void> {
  tab.crash()
  await rest()
}

/** Whether a promise has settled. */
function watch(promise: Promise<unknown> | undefined): { isOver: boolean } {
  const watched = { isOver: false }
  const over = (): void => void (watched.isOver = true)
  promise?.then(over, over)
  return watched
}

describe('a leader', () => {
  it('follows when it is notified of a later leader, even if nothing else says that it was overtaken', async () => {
    const [first, second] = [await openTab(), await openTab()]
    void first.chat.sendMessage('Why?')
    await pass()
    expect(browser.peer.connections).toHaveLength(1)
    say({ type: 'leads', term: 9 })
    await pass()
    expect(browser.peer.connections.map(({ aborted }) => aborted)).toEqual([true, false])
    expect(heard('leads').at(-1)?.term).toBeGreaterThan(9)
    expect([first.shown(), second.shown()]).toEqual([second.shown(), second.shown()])
  })

  it('performs the calls that are meant for it, and none that was meant for the leader before', async () => {
    const tab = await openTab()
    const term = heard('leads')[0]?.term ?? 0
    const call: ChatCall = { action: 'sendMessage', message: { text: 'Why?' }, options: {} }
    say({ type: 'call', term: term - 1, id: 'r1', call, isRepeated: false })
    await pass()
    expect([tab.shown(), browser.peer.connections.length, heard('acknowledged')]).toEqual([[], 0, []])
    say({ type: 'call', term, id: 'r2', call, isRepeated: false })
    await pass()
    expect(tab.shown()).toEqual(['user sending: Why?', 'assistant pending: '])
    expect(heard('acknowledged')).toEqual([{ type: 'acknowledged', term, id: 'r2' }])
  })

  it('that was overtaken gives the next one its own call again, which it performed and could not store', async () => {
    const tab = await openTab()
    void tab.chat.sendMessage('Why?')
    await pass()
    await writeAsAnother()
    const queued = watch(tab.chat.sendMessage('Later', { whenBusy: 'queue' }))
    await pass()
    expect(heard('leads').at(-1)?.term).toBe(10)
    expect(tab.shown()).toEqual(['user sent: other', 'user sending: Why?', 'assistant pending: '])
    expect(tab.chat.getSnapshot().queued.map(({ message: { text } }) => text)).toEqual(['Later'])
    expect(queued.isOver).toBe(true)
  })

  it('that was overtaken does not say of a call of another tab that it is done, which the next one then says', async () => {
    const [first, second] = [await openTab(), await openFollower()]
    void first.chat.sendMessage('Why?')
    await pass()
    await writeAsAnother()
    const queued = watch(second.chat.sendMessage('Later', { whenBusy: 'queue' }))
    await pass()
    expect(heard('done').map(({ term }) => term)).toEqual([10])
    expect(queued.isOver).toBe(true)
    expect(first.chat.getSnapshot().queued).toHaveLength(1)
  })
})

describe('a follower', () => {
  it.each(['acknowledged', 'done'] as const)(
    'does not take a call for %s because the leader before says so',
    async (type) => {
      const [first, second, third] = [await openTab(), await openTab(), await openTab()]
      await first.close()
      await pass()
      const [before = 0, now = 0] = heard('leads').map(({ term }) => term)
      expect(before).toBeLessThan(now)
      second.freeze()
      const asked = watch(third.chat.sendMessage('Why?'))
      await pass()
      const id = heard('call')[0]?.id ?? ''
      say({ type, term: before, id })
      await pass()
      expect(asked.isOver).toBe(false)
      await pass(4000)
      expect(third.shown()).toEqual(['user sending: Why?', 'assistant pending: '])
    },
  )

  it('gives the next leader what the last one sent and had not saved, queued messages too', async () => {
    const [first, second] = [await openTab(), await openFollower()]
    fill()
    void first.chat.sendMessage('Why?')
    await answer()
    void first.chat.sendMessage('And?')
    await pass()
    void first.chat.sendMessage('Later', { whenBusy: 'queue' })
    await pass()
    const waiting = second.chat.getSnapshot().queued.map(({ id }) => id)
    expect(waiting).toHaveLength(1)
    await crash(first)
    empty()
    say({ type: 'leads', term: 9 })
    say({
      type: 'state',
      term: 9,
      count: 1,
      whole: true,
      state: stateOf(9),
      messages: new Map(),
      unsaved: [],
      status: 'ready',
      connection: idleConnection(1),
    })
    await pass()
    const given = heard('call').filter(({ term }) => term === 9)
    expect(given.map(({ call }) => call)).toMatchObject([
      {
        action: 'prepend',
        messages: [
          { role: 'user', parts: [{ text: 'Why?' }] },
          { role: 'assistant', parts: [{ text: 'So.' }] },
          { role: 'user', parts: [{ text: 'And?' }] },
        ],
      },
      { action: 'sendMessage', message: { text: 'Later' }, options: { whenBusy: 'queue' } },
    ])
    expect(given[1]?.id).toBe(waiting[0])
  })

  it('that leads next has what the last leader sent and had not saved, and what the one between wrote', async () => {
    const [first, second] = [await openTab(), await openFollower()]
    fill()
    void first.chat.sendMessage('Why?')
    await answer()
    await crash(first)
    empty()
    // It learns of the leader between, and not all that it says.
    say({
      type: 'state',
      term: 9,
      count: 7,
      whole: false,
      state: stateOf(9, ['other']),
      messages: new Map(),
      unsaved: [],
      status: 'ready',
      connection: idleConnection(1),
    })
    await writeAsAnother()
    second.grant()
    await pass()
    expect(second.shown()).toEqual(['user sent: Why?', 'assistant complete: So.', 'user sent: other'])
    expect(browser.disk.records.get(CONVERSATION)?.state?.order).toHaveLength(3)
  })

  it('that leads next after a removal does not bring back what the last leader had not saved', async () => {
    const [first, second] = [await openTab(), await openFollower()]
    fill()
    void first.chat.sendMessage('Why?')
    await pass()
    void first.chat.sendMessage('Later', { whenBusy: 'queue' })
    await pass()
    expect(second.chat.getSnapshot().queued).toHaveLength(1)
    await crash(first)
    empty()
    say({
      type: 'state',
      term: 9,
      count: 7,
      whole: false,
      state: stateOf(9, ['other']),
      messages: new Map(),
      unsaved: [],
      status: 'ready',
      connection: idleConnection(1),
    })
    browser.say({
      type: 'removed',
      id: CONVERSATION,
      at: browser.environment.clock.date(),
      generation: browser.disk.generation,
    })
    second.grant()
    await pass()
    expect([second.shown(), second.chat.getSnapshot().queued]).toEqual([[], []])
  })

  it('that leads next shows nothing of a conversation that was removed, without a message about it', async () => {
    const [first, second] = [await openTab(), await openFollower()]
    void first.chat.sendMessage('Why?')
    await answer()
    expect(second.shown()).toHaveLength(2)
    first.crash()
    await browser.disk.write(new Map([[CONVERSATION, { removed: browser.environment.clock.date() }]]))
    second.grant()
    await pass(2000)
    expect(second.shown()).toEqual([])
    expect(browser.disk.records.get(CONVERSATION)?.state).toBeUndefined()
  })
})

describe('a leader whose writes the disk refused', () => {
  it('gives the next leader what it could not store, queued messages too, when it wakes', async () => {
    const first = await openTab()
    fill()
    void first.chat.sendMessage('Why?')
    await answer()
    void first.chat.sendMessage('Now?')
    await pass()
    await first.chat.sendMessage('Later', { whenBusy: 'queue' })
    first.freeze()
    empty()
    const second = await openTab()
    void second.chat.sendMessage('And?')
    await pass(4000)
    expect(second.shown()).toEqual(['user sending: And?', 'assistant pending: '])
    first.thaw()
    await pass()
    expect(second.shown()).toEqual([
      'user sent: Why?',
      'assistant complete: So.',
      'user sending: And?',
      'assistant pending: ',
    ])
    expect(second.chat.getSnapshot().queued.map(({ message: { text } }) => text)).toEqual(['Now?', 'Later'])
    expect(first.shown()).toEqual(second.shown())
  })

  it('does not pass on a message that the next leader has refused', async () => {
    const first = await openTab()
    fill()
    const term = heard('leads')[0]?.term ?? 0
    const call: TabMessage & { readonly type: 'call' } = {
      type: 'call',
      term,
      id: 'r1',
      call: { action: 'sendMessage', message: { text: 'Why?' }, options: {} },
      isRepeated: false,
    }
    say(call)
    await pass()
    expect(first.shown()).toEqual(['user sending: Why?', 'assistant pending: '])
    first.freeze()
    empty()
    const second = await openTab()
    void second.chat.sendMessage('Now?')
    await pass(4000)
    say({ ...call, term: heard('leads').at(-1)?.term ?? 0 })
    await pass()
    expect(heard('done')).toMatchObject([{ id: 'r1', error: { code: 'busy' } }])
    first.thaw()
    await pass()
    expect(second.shown()).toEqual(['user sending: Now?', 'assistant pending: '])
    expect(first.shown()).toEqual(second.shown())
  })

  it('begins again when the conversation was removed before the disk gave it a term', async () => {
    const before = await openTab()
    void before.chat.sendMessage('Why?')
    await answer()
    await before.close()
    fill()
    const tab = await openTab()
    expect(tab.shown()).toHaveLength(2)
    empty()
    await browser.disk.write(new Map([[CONVERSATION, { removed: browser.environment.clock.date() }]]))
    await pass(6000)
    expect(tab.shown()).toEqual([])
    expect(browser.disk.records.get(CONVERSATION)?.state).toBeUndefined()
  })
})
