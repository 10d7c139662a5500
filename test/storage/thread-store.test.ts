import { beforeEach, describe, expect, it } from 'vitest'
import type { Thread } from '../../src/state/thread.ts'
import type { FakeBrowser, FakeTab } from './fake-tabs.ts'
import { CONVERSATION, createFakeBrowser, createFakeDisk, rest } from './fake-tabs.ts'

let browser: FakeBrowser

beforeEach(() => {
  browser = createFakeBrowser()
})

async function openTab(options?: Parameters<FakeBrowser['openTab']>[0]): Promise<FakeTab> {
  const tab = browser.openTab(options)
  tab.store.subscribe(() => {})
  void tab.chat.resume()
  await rest()
  return tab
}

async function answer(text = 'So.'): Promise<void> {
  await rest()
  browser.peer.connection.say(1, text)
  browser.peer.connection.close(2)
  await rest()
}

const listed = (tab: FakeTab | undefined): readonly Thread[] => tab?.store.getSnapshot().threads ?? []
const titles = (tab: FakeTab): string[] => listed(tab).map(({ title }) => title)

describe('the list of threads', () => {
  it('says that it loads, then what there is, in every tab', async () => {
    const [first, second] = [await openTab(), await openTab()]
    const third = browser.openTab()
    expect(third.store.getSnapshot()).toEqual({ status: 'loading', threads: [], persistence: { where: 'opening' } })
    void first.chat.sendMessage('  Why do\n rivers meander? ')
    await rest()
    expect(titles(first)).toEqual(['Why do rivers meander?'])
    expect(titles(second)).toEqual(['Why do rivers meander?'])
    expect(second.store.getSnapshot()).toMatchObject({ status: 'ready', persistence: { where: 'disk' } })
    expect(listed(second)).toMatchObject([{ id: CONVERSATION, status: 'running', unread: false }])
    await answer()
    expect(listed(second)).toMatchObject([{ status: 'idle' }])
  })

  it('is the same object for every word of an answer', async () => {
    const tab = await openTab()
    void tab.chat.sendMessage('Why?')
    await rest()
    browser.peer.connection.say(1, 'Be')
    await rest()
    browser.environment.paint()
    await browser.environment.clock.advance(1500)
    const before = tab.store.getSnapshot()
    for (let seq = 2; seq < 8; seq += 1) {
      browser.peer.connection.say(seq, 'cause')
      await rest()
      browser.environment.paint()
      await browser.environment.clock.advance(1100)
    }
    expect(tab.store.getSnapshot()).toBe(before)
  })

  it('says which failed', async () => {
    const tab = await openTab()
    void tab.chat.sendMessage('Why?')
    await rest()
    browser.peer.connection.event(1, {
      type: 'stream-failed',
      streamId: 's1',
      error: browser.peer.protocol.createError({
        kind: 'runtime',
        code: 'agent_error',
        severity: 'FATAL',
        message: 'No.',
      }),
    })
    await rest()
    expect(listed(tab)).toMatchObject([{ status: 'failed' }])
  })

  it('cuts long beginnings, and no character in two', async () => {
    const tab = await openTab()
    void tab.chat.sendMessage(`${'a'.repeat(79)}😀${'b'.repeat(20)}`)
    await rest()
    expect(titles(tab)).toEqual([`${'a'.repeat(79)}…`])
  })

  it('knows that an unseen answer is unread, until it is looked at', async () => {
    const tab = await openTab()
    void tab.chat.sendMessage('Why?')
    await rest()
    browser.environment.hide()
    await answer()
    expect(listed(tab)).toMatchObject([{ unread: true }])
    browser.environment.show()
    await rest()
    expect(listed(tab)).toMatchObject([{ unread: false }])
  })

  it('does not call a run running that was left long ago', async () => {
    const tab = await openTab()
    void tab.chat.sendMessage('Why?')
    await rest()
    await tab.close()
    browser.environment.clock.sleep(3_600_000)
    const later = browser.openTab()
    later.store.subscribe(() => {})
    await rest()
    expect(listed(later)).toMatchObject([{ status: 'failed' }])
  })
})

describe('a thread', () => {
  it('keeps the title its user gave it, over reloads, and has its own words back without one', async () => {
    const tab = await openTab()
    void tab.chat.sendMessage('Why?')
    await answer()
    tab.store.rename(CONVERSATION, '  Rivers ')
    await rest()
    void tab.chat.sendMessage('And then?')
    await answer()
    expect(titles(tab)).toEqual(['Rivers'])
    await tab.close()
    const again = await openTab()
    expect(titles(again)).toEqual(['Rivers'])
    again.store.rename(CONVERSATION, ' ')
    await rest()
    expect(titles(again)).toEqual(['Why?'])
  })

  it('that is deleted is gone from the disk and every tab, its run ended', async () => {
    const [first, second] = [await openTab(), await openTab()]
    void first.chat.sendMessage('Why?')
    await rest()
    browser.peer.connection.say(1, 'Be')
    await rest()
    await second.store.remove(CONVERSATION)
    await rest()
    expect(browser.disk.records.size).toBe(0)
    expect([titles(first), titles(second)]).toEqual([[], []])
    expect([first.shown(), second.shown()]).toEqual([[], []])
    expect(browser.peer.connections.every(({ aborted }) => aborted)).toBe(true)
    browser.environment.paint()
    await browser.environment.clock.advance(5000)
    expect(browser.disk.records.size).toBe(0)
  })

  it('that is deleted can be put back as it was', async () => {
    const [first, second] = [await openTab(), await openTab()]
    void first.chat.sendMessage('Why?')
    await answer()
    first.store.writeDraft(CONVERSATION, 'And')
    await browser.environment.clock.advance(500)
    const before = structuredClone(browser.disk.records.get(CONVERSATION))
    const undo = await second.store.remove(CONVERSATION)
    await rest()
    await undo()
    await rest()
    const after = browser.disk.records.get(CONVERSATION)
    // Under its own term: no leader of before may write over it.
    expect(after?.state?.term).toBeGreaterThan(before?.state?.term ?? 0)
    expect({ ...after, state: { ...after?.state, term: before?.state?.term } }).toEqual(before)
    expect([titles(first), titles(second)]).toEqual([['Why?'], ['Why?']])
    expect([first.shown(), second.shown()]).toEqual([
      ['user sent: Why?', 'assistant complete: So.'],
      ['user sent: Why?', 'assistant complete: So.'],
    ])
  })

  it('keeps its draft', async () => {
    const tab = await openTab()
    for (const text of ['A', 'An', 'And']) tab.store.writeDraft(CONVERSATION, text)
    await browser.environment.clock.advance(500)
    expect(browser.disk.writes).toHaveLength(1)
    await tab.close()
    const again = await openTab()
    expect(await again.store.readDraft(CONVERSATION)).toBe('And')
    again.store.writeDraft(CONVERSATION, '')
    await again.close()
    expect(browser.disk.records.size).toBe(0)
  })
})

describe('a user who signs out', () => {
  it('leaves nothing behind in any tab, and nothing is kept after that', async () => {
    const [first, second] = [await openTab(), await openTab()]
    void first.chat.sendMessage('Why?')
    await rest()
    browser.peer.connection.say(1, 'Be')
    await rest()
    first.store.writeDraft(CONVERSATION, 'And')
    await second.store.wipe()
    await rest()
    expect(browser.disk.records.size).toBe(0)
    for (const tab of [first, second]) {
      expect(tab.shown()).toEqual([])
      expect(tab.store.getSnapshot()).toEqual({ status: 'ready', threads: [], persistence: { where: 'nowhere' } })
    }
    expect(browser.peer.connections.every(({ aborted }) => aborted)).toBe(true)
    void first.chat.sendMessage('Still there?')
    first.store.writeDraft(CONVERSATION, 'And')
    await browser.environment.clock.advance(5000)
    await rest()
    expect(first.shown()).toEqual(['user sending: Still there?', 'assistant pending: '])
    expect(browser.disk.records.size).toBe(0)
  })
})

describe('storage that is blocked', () => {
  it('leaves a chat that works, and says that nothing is kept', async () => {
    const tab = await openTab({
      ports: { openDisk: () => Promise.reject(new DOMException('denied', 'SecurityError')) },
    })
    void tab.chat.sendMessage('Why?')
    await answer()
    expect(tab.shown()).toEqual(['user sent: Why?', 'assistant complete: So.'])
    expect(titles(tab)).toEqual(['Why?'])
    expect(tab.store.getSnapshot().persistence).toEqual({ where: 'memory', reason: 'unavailable' })
    await tab.chat.disconnect()
    void tab.chat.resume()
    await rest()
    expect(tab.shown()).toEqual(['user sent: Why?', 'assistant complete: So.'])
  })

  it('in the middle, because it is full, loses nothing that is shown', async () => {
    const disk = createFakeDisk()
    const tab = await openTab({ ports: { openDisk: async () => disk } })
    void tab.chat.sendMessage('Why?')
    await answer()
    disk.refusal = new DOMException('no space', 'QuotaExceededError')
    void tab.chat.sendMessage('And then?')
    await answer('More.')
    expect(tab.shown()).toHaveLength(4)
    expect(tab.store.getSnapshot().persistence).toEqual({ where: 'memory', reason: 'full' })
  })
})

describe('a disk that is full while an answer comes', () => {
  async function fillWhileAnswering(): Promise<FakeTab> {
    const tab = await openTab()
    browser.disk.refusal = new DOMException('full', 'QuotaExceededError')
    void tab.chat.sendMessage('Why?')
    await answer()
    expect(tab.store.getSnapshot().persistence).toEqual({ where: 'memory', reason: 'full' })
    expect(browser.disk.records.size).toBe(0)
    browser.disk.refusal = undefined
    return tab
  }

  it.each<[when: string, act: (tab: FakeTab) => Promise<void>]>([
    ['some seconds after there is space again', async () => browser.environment.clock.advance(60_000)],
    [
      'when the page is shown again',
      async () => {
        browser.disk.refusal = new DOMException('full', 'QuotaExceededError')
        browser.environment.hide()
        await rest()
        browser.disk.refusal = undefined
        browser.environment.show()
      },
    ],
    ['when the page is hidden', async () => browser.environment.hide()],
    ['when the page is left', async (tab) => tab.close()],
    ['when the store is closed', async (tab) => tab.store.close()],
  ])('gets the whole of it %s', async (_, act) => {
    const tab = await fillWhileAnswering()
    await act(tab)
    await rest()
    const record = browser.disk.records.get(CONVERSATION)
    expect(record?.state?.order).toHaveLength(2)
    expect(record?.thread?.title).toBe('Why?')
    expect(tab.store.getSnapshot().persistence).toEqual({ where: 'disk' })
    await tab.close()
    const again = await openTab()
    expect(again.shown()).toEqual(['user sent: Why?', 'assistant complete: So.'])
  })
})

describe('a disk whose reading fails at first', () => {
  it('loses nothing: the list comes when it works again, and what was kept stays before what is new', async () => {
    const before = await openTab()
    void before.chat.sendMessage('Why?')
    await answer()
    await before.close()
    browser.disk.readRefusal = new DOMException('broken', 'UnknownError')
    const tab = await openTab()
    expect(titles(tab)).toEqual([])
    void tab.chat.sendMessage('How?')
    await answer('Thus.')
    browser.disk.readRefusal = undefined
    await browser.environment.clock.advance(60_000)
    expect(tab.store.getSnapshot().persistence).toEqual({ where: 'disk' })
    await tab.close()
    const again = await openTab()
    expect(again.shown()).toEqual([
      'user sent: Why?',
      'assistant complete: So.',
      'user sent: How?',
      'assistant complete: Thus.',
    ])
    expect(titles(again)).toEqual(['Why?'])
  })
})
