import { beforeEach, describe, expect, it } from 'vitest'
import type { FakeBrowser, FakeTab } from '../fake-tabs.ts'
import { createFakeBrowser, rest } from '../fake-tabs.ts'

let browser: FakeBrowser

beforeEach(() => {
  browser = createFakeBrowser()
})

async function openTabs(count: number): Promise<FakeTab[]> {
  const tabs: FakeTab[] = []
  for (let index = 0; index < count; index += 1) {
    const tab = browser.openTab()
    void tab.chat.resume()
    await rest()
    tabs.push(tab)
  }
  return tabs
}

/** Lets a frame be painted, and the other tabs be told. */
async function pass(ms = 150): Promise<void> {
  await rest()
  browser.environment.paint()
  await browser.environment.clock.advance(ms)
  await rest()
}

const live = (): number => browser.peer.connections.filter(({ aborted }) => !aborted).length
const all = (tabs: readonly FakeTab[]): string[] => [...new Set(tabs.map((tab) => tab.shown().join(' | ')))]

describe('seven tabs with one conversation', () => {
  it('have one connection between them, and show the same', async () => {
    const tabs = await openTabs(7)
    void tabs[0]?.chat.sendMessage('Why?')
    await pass()
    browser.peer.connection.say(1, 'Be')
    await pass()
    browser.peer.connection.say(2, 'cause')
    await pass()
    expect(browser.peer.connections).toHaveLength(1)
    expect(all(tabs)).toEqual(['user sent: Why? | assistant streaming: Because'])
    expect(new Set(tabs.map(({ chat }) => chat.getSnapshot().status))).toEqual(new Set(['streaming']))
    browser.peer.connection.close(3)
    await pass()
    expect(all(tabs)).toEqual(['user sent: Why? | assistant complete: Because'])
    expect(browser.peer.connections).toHaveLength(1)
  })

  it('let each of them ask, and answer it once', async () => {
    const tabs = await openTabs(7)
    const asked = tabs[4]?.chat.sendMessage('Why?')
    await pass()
    expect(all(tabs)).toEqual(['user sending: Why? | assistant pending: '])
    browser.peer.connection.say(1, 'So.')
    browser.peer.connection.close(2)
    await pass()
    await asked
    expect(browser.peer.connections).toHaveLength(1)
    expect(all(tabs)).toEqual(['user sent: Why? | assistant complete: So.'])
  })

  it('let each of them stop it', async () => {
    const tabs = await openTabs(7)
    void tabs[0]?.chat.sendMessage('Why?')
    await pass()
    browser.peer.connection.say(1, 'Be')
    await pass()
    await Promise.all([tabs[5]?.chat.stop(), pass()])
    expect(all(tabs)).toEqual(['user sent: Why? | assistant stopped: Be'])
    expect(live()).toBe(0)
    expect(browser.peer.commands).toHaveLength(1)
  })

  it('refuse what the one that leads refuses, with its error', async () => {
    const tabs = await openTabs(2)
    void tabs[0]?.chat.sendMessage('Why?')
    await pass()
    const refused = tabs[1]?.chat.sendMessage('And?')
    const here = tabs[0]?.chat.sendMessage(' ')
    await pass()
    expect(await refused).toMatchObject({ status: 'refused', error: { code: 'busy' } })
    expect(await here).toMatchObject({ status: 'refused', error: { code: 'invalid_request' } })
  })

  it('say of a message whether it waits or has been answered, whichever leads', async () => {
    const tabs = await openTabs(2)
    const asked = tabs[1]?.chat.sendMessage('Why?')
    await pass()
    const queued = tabs.map(({ chat }) => chat.sendMessage('And?', { whenBusy: 'queue' }))
    await pass()
    expect(await Promise.all(queued)).toEqual([{ status: 'queued' }, { status: 'queued' }])
    await Promise.all([tabs[0]?.chat.stop(), pass()])
    expect(await asked).toEqual({ status: 'accepted' })
  })

  it('let each of them take back what waits', async () => {
    const tabs = await openTabs(2)
    void tabs[0]?.chat.sendMessage('Why?')
    await pass()
    await Promise.all([tabs[1]?.chat.sendMessage({ text: 'And?', files: ['f1'] }, { whenBusy: 'queue' }), pass()])
    const [waiting] = tabs[1]?.chat.getSnapshot().queued ?? []
    expect(tabs[1]?.chat.discard(waiting?.id ?? '')).toEqual({ text: 'And?', files: ['f1'], metadata: undefined })
    await pass()
    expect(tabs.map(({ chat }) => chat.getSnapshot().queued)).toEqual([[], []])
  })

  it('leave the messages that did not change the same objects', async () => {
    const tabs = await openTabs(2)
    void tabs[0]?.chat.sendMessage('Why?')
    await pass()
    browser.peer.connection.say(1, 'Be')
    await pass()
    const before = tabs[1]?.chat.getSnapshot()
    browser.peer.connection.say(2, 'cause')
    await pass()
    const after = tabs[1]?.chat.getSnapshot()
    expect(after?.messages[0]).toBe(before?.messages[0])
    expect(after?.messages[1]).not.toBe(before?.messages[1])
    expect(after?.queued).toBe(before?.queued)
    expect(after?.connection).toBe(before?.connection)
    await openTabs(1)
    expect(tabs[1]?.chat.getSnapshot()).toBe(after)
  })
})

describe('the tab that leads', () => {
  it.each(['close', 'crash'] as const)(
    'may %s in the middle: the next continues, and nothing is doubled',
    async (how) => {
      const tabs = await openTabs(7)
      void tabs[0]?.chat.sendMessage('Why?')
      await pass()
      browser.peer.connection.say(1, 'Be')
      await pass()
      const { requestId } = browser.peer.connection.opening
      await tabs[0]?.[how]()
      await pass()
      expect(browser.peer.connections).toHaveLength(2)
      expect(live()).toBe(1)
      expect(browser.peer.connection.opening).toMatchObject({ requestId, cursors: [{ streamId: 's1', seq: 1 }] })
      browser.peer.connection.say(1, 'Be')
      browser.peer.connection.say(2, 'cause')
      browser.peer.connection.close(3)
      await pass()
      expect(all(tabs.slice(1))).toEqual(['user sent: Why? | assistant complete: Because'])
    },
  )

  it('sends nothing while it is alone', async () => {
    const [tab] = await openTabs(1)
    void tab?.chat.sendMessage('Why?')
    await pass()
    browser.peer.connection.say(1, 'Because')
    await pass()
    expect(browser.said.filter((message) => message.includes('Because'))).toEqual([])
  })

  it('that is frozen is overtaken when a call is made, and follows when it wakes', async () => {
    const tabs = await openTabs(3)
    tabs[0]?.freeze()
    const asked = tabs[1]?.chat.sendMessage('Why?')
    await pass(4000)
    expect(browser.peer.connections).toHaveLength(1)
    browser.peer.connection.say(1, 'So.')
    browser.peer.connection.close(2)
    await pass()
    await asked
    tabs[0]?.thaw()
    await pass()
    expect(all(tabs)).toEqual(['user sent: Why? | assistant complete: So.'])
    void tabs[0]?.chat.sendMessage('And?')
    await pass()
    expect(browser.peer.connections).toHaveLength(2)
    expect(all(tabs)).toEqual(['user sent: Why? | assistant complete: So. | user sending: And? | assistant pending: '])
  })

  it('that goes before it received a message loses none', async () => {
    const tabs = await openTabs(2)
    const asked = tabs[1]?.chat.sendMessage('Why?')
    tabs[0]?.crash()
    await pass()
    browser.peer.connection.say(1, 'So.')
    browser.peer.connection.close(2)
    await pass()
    await asked
    expect(tabs[1]?.shown()).toEqual(['user sent: Why?', 'assistant complete: So.'])
  })

  it('that goes after it took a message leaves the promise of it to the run', async () => {
    const tabs = await openTabs(2)
    let over = false
    const wait = async (): Promise<void> => {
      await tabs[1]?.chat.sendMessage('Why?')
      over = true
    }
    void wait()
    await pass()
    await tabs[0]?.close()
    await pass()
    expect(over).toBe(false)
    browser.peer.connection.say(1, 'So.')
    browser.peer.connection.close(2)
    await pass()
    expect(over).toBe(true)
    expect(tabs[1]?.shown()).toEqual(['user sent: Why?', 'assistant complete: So.'])
  })

  it('gives its lead to the next when nothing shows the chat there any more, and takes it up again', async () => {
    const tabs = await openTabs(2)
    const asked = tabs[0]?.chat.sendMessage('Why?')
    await pass()
    await tabs[0]?.chat.disconnect()
    await pass()
    expect(live()).toBe(1)
    browser.peer.connection.say(1, 'So.')
    browser.peer.connection.close(2)
    await pass()
    expect(tabs[1]?.shown()[1]).toBe('assistant complete: So.')
    void tabs[0]?.chat.resume()
    await pass()
    await asked
    expect(all(tabs)).toEqual(['user sent: Why? | assistant complete: So.'])
    expect(browser.peer.connections).toHaveLength(2)
  })
})

describe('tabs in a browser without locks', () => {
  it('have a connection each to one run, and do not disturb each other', async () => {
    browser = createFakeBrowser({ hasLocks: false })
    const [first] = await openTabs(1)
    void first?.chat.sendMessage('Why?')
    await pass()
    const [second] = await openTabs(1)
    expect(browser.peer.connections.map(({ opening }) => opening.requestId)).toEqual([
      browser.peer.connection.opening.requestId,
      browser.peer.connection.opening.requestId,
    ])
    expect(live()).toBe(2)
    for (const connection of browser.peer.connections) {
      connection.say(1, 'So.')
      connection.close(2)
    }
    await pass()
    for (const tab of [first, second]) expect(tab?.shown()).toEqual(['user sent: Why?', 'assistant complete: So.'])
    void second?.chat.sendMessage('And?')
    await pass()
    expect(live()).toBe(1)
  })

  it('lead where it refuses to give any', async () => {
    const tab = browser.openTab({
      ports: { locks: { request: () => Promise.reject(new DOMException('denied', 'SecurityError')) } },
    })
    void tab.chat.sendMessage('Why?')
    await pass()
    expect(browser.peer.connections).toHaveLength(1)
  })
})
