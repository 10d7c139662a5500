import { beforeEach, describe, expect, it } from 'vitest'
import type { AcquiredTerm, ThreadDisk } from '../../../src/storage/records/thread-disk.ts'
import type { FakeBrowser, FakeTab } from '../fake-tabs.ts'
import { createFakeBrowser, rest } from '../fake-tabs.ts'

let browser: FakeBrowser

beforeEach(() => {
  browser = createFakeBrowser()
})

async function pass(ms = 500): Promise<void> {
  await browser.environment.clock.advance(ms)
  await rest()
}

/** Asks in a tab, and answers. */
async function ask(tab: FakeTab, question: string, answer: string): Promise<void> {
  const connections = browser.peer.connections.length
  const asked = tab.chat.sendMessage(question)
  await pass()
  expect(browser.peer.connections).toHaveLength(connections + 1)
  browser.peer.connection.say(1, answer)
  browser.peer.connection.close(2)
  await pass()
  await asked
}

async function open(tab: FakeTab): Promise<FakeTab> {
  void tab.chat.resume()
  await pass()
  return tab
}

/** A tab for which the database opens only once it is let. */
function openLateTab(): { readonly tab: FakeTab; openDatabase(): void } {
  let isOpen = false
  const openDisk = async (_name: string, events: { onDeleted(): void }): Promise<ThreadDisk> => {
    if (isOpen) return browser.disk.open(events)
    throw new DOMException('Not now.', 'AbortError')
  }
  return {
    tab: browser.openTab({ ports: { openDisk } }),
    openDatabase() {
      isOpen = true
    },
  }
}

describe('a tab whose database opens late', () => {
  it('passes what was said before on to the tabs that have it, and shows what they show', async () => {
    const late = openLateTab()
    await open(late.tab)
    await ask(late.tab, 'Early?', 'Early.')
    const other = await open(browser.openTab())
    await ask(other, 'Why?', 'So.')
    late.openDatabase()
    await pass(10_000)
    const both = ['user sent: Early?', 'assistant complete: Early.', 'user sent: Why?', 'assistant complete: So.']
    expect(late.tab.shown()).toEqual(both)
    expect(other.shown()).toEqual(both)
    const fresh = await open(browser.openTab())
    expect(fresh.shown()).toEqual(both)
  })

  it('joins no group when its data has no name, and works', async () => {
    // A disk of before there were generations and terms.
    const openDisk = async (_name: string, events: { onDeleted(): void }): Promise<ThreadDisk> => ({
      ...browser.disk.open(events),
      generation: undefined as unknown as string, // what such a disk has
      acquireTerm: () => Promise.reject(new TypeError('It gives no terms out.')),
    })
    const tab = await open(browser.openTab({ ports: { openDisk } }))
    await ask(tab, 'Why?', 'So.')
    expect(tab.shown()).toEqual(['user sent: Why?', 'assistant complete: So.'])
    expect(browser.disk.records.get('c1')?.messages.size).toBe(2)
  })

  it('follows a leader whose term is lower than those of tabs without a database', async () => {
    const first = openLateTab()
    const second = openLateTab()
    await open(first.tab)
    await open(second.tab)
    await first.tab.close()
    await pass()
    const other = await open(browser.openTab())
    second.openDatabase()
    await pass(10_000)
    const before = browser.said.length
    await ask(other, 'Why?', 'So.')
    expect(second.tab.shown()).toEqual(['user sent: Why?', 'assistant complete: So.'])
    expect(browser.said.slice(before).filter((said) => said.includes('"hello"'))).toEqual([])
  })
})

describe('a leader that has no term of the disk', () => {
  const full = new DOMException('No space.', 'QuotaExceededError')

  /** Leads alone, with locks and its own channel, as in another browser that has the same disk. */
  function openStranger(): FakeTab {
    return browser.openTab({ ports: { locks: undefined, openChannel: undefined } })
  }

  it('leaves nothing behind when its page goes after its writes were refused', async () => {
    let isHeld = false
    const held = async (): Promise<AcquiredTerm> => new Promise(() => {})
    const tab = browser.openTab({
      ports: {
        openDisk: async (_name, events) => {
          const disk = browser.disk.open(events)
          return { ...disk, acquireTerm: (id, atLeast) => (isHeld ? held() : disk.acquireTerm(id, atLeast)) }
        },
      },
    })
    browser.disk.refusal = full
    await open(tab)
    await ask(tab, 'Early?', 'Early.')
    browser.disk.refusal = undefined
    isHeld = true
    const stranger = await open(openStranger())
    await ask(stranger, 'Why?', 'So.')
    await pass(2000)
    void tab.chat.disconnect()
    isHeld = false
    await pass(30_000)
    const fresh = await open(openStranger())
    expect(fresh.shown().toSorted()).toEqual(
      ['user sent: Early?', 'assistant complete: Early.', 'user sent: Why?', 'assistant complete: So.'].toSorted(),
    )
  })

  it('does not write what it has passed on when there is space again', async () => {
    let acquisitions = 0
    const openDisk = async (_name: string, events: { onDeleted(): void }): Promise<ThreadDisk> => {
      const disk = browser.disk.open(events)
      return {
        ...disk,
        async acquireTerm(id, atLeast) {
          const acquired = await disk.acquireTerm(id, atLeast)
          acquisitions += 1
          return acquired
        },
      }
    }
    browser.disk.refusal = full
    const first = await open(browser.openTab({ ports: { openDisk } }))
    const second = await open(browser.openTab())
    await ask(first, 'Early?', 'Early.')
    first.freeze()
    const asked = second.chat.sendMessage('Why?')
    await pass(4000)
    browser.peer.connection.say(1, 'So.')
    browser.peer.connection.close(2)
    await pass()
    await asked
    first.thaw()
    await pass()
    browser.disk.refusal = undefined
    await pass(120_000)
    expect(acquisitions).toBe(0)
    expect(first.shown()).toEqual(second.shown())
    expect(first.shown()).toHaveLength(4)
  })
})
