import { describe, expect, it } from 'vitest'
import type { StoragePorts } from '../../src/storage/tabs/chat-storage.ts'
import { createWriteAhead } from '../../src/storage/tabs/write-ahead.ts'
import { backoff } from '../../src/base/backoff.ts'
import { createManualClock, settle } from '../support/manual-clock.ts'
import { createManualEnvironment } from '../support/manual-environment.ts'
import { createScriptedPeer } from '../support/scripted-peer.ts'
import type { FakeBrowser, FakeTab } from './fake-tabs.ts'
import { CONVERSATION, createFakeBrowser, rest } from './fake-tabs.ts'

const denied = (): never => {
  throw new DOMException('The operation is insecure.', 'SecurityError')
}

async function openTab(browser: FakeBrowser, ports: Partial<StoragePorts>): Promise<FakeTab> {
  const tab = browser.openTab({ ports })
  tab.store.subscribe(() => {})
  void tab.chat.resume()
  await rest()
  return tab
}

async function ask(browser: FakeBrowser, tab: FakeTab): Promise<void> {
  void tab.chat.sendMessage('Why?')
  await rest()
  browser.peer.connection.say(1, 'So.')
  browser.peer.connection.close(2)
  await rest()
}

const WHOLE = ['user sent: Why?', 'assistant complete: So.']

describe.each<[what: string, ports: Partial<StoragePorts>, isKept: boolean]>([
  ['BroadcastChannel throws', { openChannel: denied }, true],
  ['locks throw', { locks: { request: denied } }, true],
  ['locks reject', { locks: { request: async () => denied() } }, true],
  ['locks never settle', { locks: { request: () => new Promise(() => {}) } }, true],
  ['locks and BroadcastChannel throw', { openChannel: denied, locks: { request: denied } }, true],
  ['pagehide cannot be observed', { onLeave: denied }, true],
  ['IndexedDB rejects', { openDisk: async () => denied() }, false],
  ['IndexedDB throws', { openDisk: denied }, false],
  ['IndexedDB never answers', { openDisk: () => new Promise(() => {}) }, false],
])('a page where %s', (_, ports, isKept) => {
  it('sends a message, shows the whole answer, and keeps it where the disk works', async () => {
    const browser = createFakeBrowser()
    const tab = await openTab(browser, ports)
    void tab.chat.sendMessage('Why?')
    // A disk that does not answer holds a message up for a limited time.
    for (let second = 0; second < 8 && browser.peer.connections.length === 0; second += 1) {
      await browser.environment.clock.advance(1000)
      await rest()
    }
    browser.peer.connection.say(1, 'So.')
    browser.peer.connection.close(2)
    await rest()
    expect(tab.shown()).toEqual(WHOLE)
    expect(browser.disk.records.has(CONVERSATION)).toBe(isKept)
    if (isKept) expect(tab.store.getSnapshot().persistence).toEqual({ where: 'disk' })
  })
})

describe('two tabs that cannot talk because BroadcastChannel throws', () => {
  it('do not wait for each other: both can send, and a reload shows what was kept', async () => {
    const browser = createFakeBrowser()
    const first = await openTab(browser, { openChannel: denied })
    await ask(browser, first)
    const second = await openTab(browser, { openChannel: denied })
    expect(second.shown()).toEqual(WHOLE)
    await ask(browser, second)
    expect(second.shown()).toEqual([...WHOLE, ...WHOLE])
    await second.close()
    const again = await openTab(browser, { openChannel: denied })
    expect(again.shown()).toEqual([...WHOLE, ...WHOLE])
  })
})

describe('a save before a request', () => {
  it('that rejects does not hold the request up', async () => {
    const clock = createManualClock()
    const peer = createScriptedPeer()
    const client = {
      protocol: peer.protocol,
      retry: backoff({ maxAttempts: 1 }),
      timeoutMs: 1000,
      environment: createManualEnvironment(),
      createRequest: ({ text }: { text: string }) => text,
    }
    const ahead = createWriteAhead({
      clock,
      save: () => Promise.reject(new Error('The disk failed.')),
      isStopped: () => false,
    })
    const made: unknown[] = []
    void Promise.resolve(ahead(client).createRequest({ text: 'Why?', conversationId: 'c', requestId: 'r' })).then(
      (request) => made.push(request),
    )
    await settle()
    expect(made).toEqual(['Why?'])
    expect(clock.now()).toBe(0)
  })
})
