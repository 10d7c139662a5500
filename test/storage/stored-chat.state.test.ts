import { describe, expect, it } from 'vitest'
import { readSharedState } from '../../src/seam/shared-state.ts'
import { statePart } from '../../src/seam/state-part.ts'
import { createScriptedPeer } from '../support/scripted-peer.ts'
import type { FakeBrowser, FakeTab } from './fake-tabs.ts'
import { CONVERSATION, createFakeBrowser, rest } from './fake-tabs.ts'

function current({ chat }: FakeTab): unknown {
  const { messages, stateEdit } = chat.getSnapshot()
  return readSharedState(messages, stateEdit).current?.state
}

it('is the same in every tab, with what the user has changed in any of them, and after a reload', async () => {
  const browser = createFakeBrowser({ peer: createScriptedPeer({ sharesState: true, canAct: true }) })
  const { peer } = browser
  const open = async (): Promise<FakeTab> => {
    const tab = browser.openTab()
    void tab.chat.resume()
    await rest()
    return tab
  }
  const first = await open()
  void first.chat.sendMessage('Go')
  await rest()
  const part = statePart({ a: 1, b: 1 })
  peer.connection.event(1, { type: 'part', streamId: 's1', partId: 'state', part })
  peer.connection.close(2)
  await rest()
  const second = await open()
  expect([current(first), current(second)]).toEqual([
    { a: 1, b: 1 },
    { a: 1, b: 1 },
  ])
  expect(second.chat.changeState({ id: 'e1', base: { a: 1, b: 1 }, value: { a: 2, b: 1 } })).toBe(true)
  await rest()
  for (const tab of [first, second]) expect(current(tab)).toEqual({ a: 2, b: 1 })
  await first.close()
  await second.close()
  const third = await open()
  expect(current(third)).toEqual({ a: 2, b: 1 })
  third.chat.changeState(undefined)
  await rest()
  expect(current(third)).toEqual({ a: 1, b: 1 })
})

describe('an edit with every key that the user presses', () => {
  interface Typing {
    readonly browser: FakeBrowser
    readonly tabs: readonly FakeTab[]
    /** Writes of the conversation since the agent has ended its answer. */
    writes(): number
    /** What the disk had of it when the last request was made. */
    storedBeforeRequest: unknown
  }

  async function openTyping(count: number): Promise<Typing> {
    const createRequest = ({ text }: { readonly text: string }): string => {
      typing.storedBeforeRequest = stored(typing)
      return text
    }
    const browser = createFakeBrowser({ peer: createScriptedPeer({ sharesState: true }), client: { createRequest } })
    let before = 0
    const tabs = Array.from({ length: count }, () => browser.openTab())
    const typing: Typing = {
      browser,
      tabs,
      writes: () => browser.disk.writes.length - before,
      storedBeforeRequest: undefined,
    }
    for (const { chat } of tabs) {
      void chat.resume()
      await rest()
    }
    void tabs[0]?.chat.sendMessage('Go')
    await rest()
    browser.peer.connection.event(1, { type: 'part', streamId: 's1', partId: 'state', part: statePart({ a: '' }) })
    browser.peer.connection.close(2)
    await rest()
    await browser.environment.clock.advance(5000)
    before = browser.disk.writes.length
    return typing
  }

  async function type({ browser, tabs }: Typing, text: string): Promise<void> {
    for (let end = 1; end <= text.length; end += 1) {
      tabs.at(-1)?.chat.changeState({ id: `e${end}`, base: { a: '' }, value: { a: text.slice(0, end) } })
      await browser.environment.clock.advance(10)
      await rest()
    }
  }

  const stored = ({ browser }: Typing): unknown => browser.disk.records.get(CONVERSATION)?.state?.stateEdit

  it.each([1, 2])('is written once for a second of typing, in the last of %i tabs', async (count) => {
    const typing = await openTyping(count)
    await type(typing, 'twenty keys in a row')
    expect(typing.writes()).toBe(0)
    await typing.browser.environment.clock.advance(1000)
    await rest()
    expect(typing.writes()).toBe(1)
    expect(stored(typing)).toMatchObject({ value: { a: 'twenty keys in a row' } })
    await typing.browser.environment.clock.advance(10_000)
    expect(typing.writes()).toBe(1)
  })

  it('is written when the page goes, and before a request takes it along', async () => {
    const left = await openTyping(1)
    await type(left, 'gone')
    await left.tabs[0]?.close()
    expect([left.writes(), stored(left)]).toMatchObject([1, { value: { a: 'gone' } }])

    const sent = await openTyping(1)
    await type(sent, 'sent')
    void sent.tabs[0]?.chat.sendMessage('With it')
    await rest()
    expect(sent.storedBeforeRequest).toMatchObject({ value: { a: 'sent' } })
  })

  it('is not lost where the tab that leads freezes before it has written', async () => {
    const typing = await openTyping(2)
    await type(typing, 'frozen')
    typing.tabs[0]?.freeze()
    void typing.tabs[1]?.chat.sendMessage('With it')
    await rest()
    await typing.browser.environment.clock.advance(5000)
    await rest()
    expect(typing.browser.peer.connections).toHaveLength(2)
    expect(typing.storedBeforeRequest).toMatchObject({ value: { a: 'frozen' } })
  })
})

it('is not changed in any tab where the protocol carries none', async () => {
  const browser = createFakeBrowser({ peer: createScriptedPeer() })
  const tab = browser.openTab()
  void tab.chat.resume()
  await rest()
  expect(tab.chat.changeState({ id: 'e1', value: 1 })).toBe(false)
  await rest()
  expect(tab.chat.getSnapshot().stateEdit).toBeUndefined()
})
