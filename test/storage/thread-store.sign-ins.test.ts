import { beforeEach, describe, expect, it } from 'vitest'
import type { FakeBrowser, FakeTab } from './fake-tabs.ts'
import { createFakeBrowser, rest } from './fake-tabs.ts'

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

const titles = (tab: FakeTab): string[] => tab.store.getSnapshot().threads.map(({ title }) => title)

describe('a tab that did not learn of a sign-out', () => {
  it('does not keep the tabs of the next sign-in waiting, and receives nothing of them', async () => {
    const before = await openTab()
    await browser.disk.wipe()
    const after = await openTab()
    void after.chat.sendMessage('Why?')
    await rest()
    expect(browser.peer.connections).toHaveLength(1)
    expect(after.shown()).toEqual(['user sending: Why?', 'assistant pending: '])
    await openTab()
    expect([before.shown(), titles(before)]).toEqual([[], []])
  })

  it('is ignored by the tabs of the next sign-in', async () => {
    const before = await openTab()
    await browser.disk.wipe()
    const after = await openTab()
    void before.chat.sendMessage('Why?')
    await rest()
    expect(browser.said.some((message) => message.includes('"threads"'))).toBe(true)
    expect([after.shown(), titles(after)]).toEqual([[], []])
  })
})

describe('tabs that signed out', () => {
  it('work each by itself: none leads another, and none shows what is said in another', async () => {
    const tabs = [await openTab(), await openTab()]
    await tabs[1]?.store.wipe()
    await rest()
    browser.said.splice(0)
    for (const [index, tab] of tabs.entries()) {
      void tab.chat.sendMessage(`Why ${index}?`)
      await rest()
    }
    expect(tabs.map((tab) => tab.shown())).toEqual(
      [0, 1].map((index) => [`user sending: Why ${index}?`, 'assistant pending: ']),
    )
    expect(browser.peer.connections).toHaveLength(2)
    expect(browser.said).toEqual([])
  })
})
