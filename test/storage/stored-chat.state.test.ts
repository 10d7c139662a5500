import { expect, it } from 'vitest'
import { readSharedState } from '../../src/protocols/shared-state.ts'
import { statePart } from '../../src/protocols/state-part.ts'
import { createScriptedPeer } from '../support/scripted-peer.ts'
import type { FakeTab } from './fake-tabs.ts'
import { createFakeBrowser, rest } from './fake-tabs.ts'

function current({ chat }: FakeTab): unknown {
  const { messages, stateEdit } = chat.getSnapshot()
  return readSharedState(messages, stateEdit).current?.state
}

it('is the same in every tab, with what the user has changed in any of them, and after a reload', async () => {
  const browser = createFakeBrowser({ peer: createScriptedPeer({ sharesState: true }) })
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

it('is not changed in any tab where the protocol carries none', async () => {
  const browser = createFakeBrowser({ peer: createScriptedPeer() })
  const tab = browser.openTab()
  void tab.chat.resume()
  await rest()
  expect(tab.chat.changeState({ id: 'e1', value: 1 })).toBe(false)
  await rest()
  expect(tab.chat.getSnapshot().stateEdit).toBeUndefined()
})
