import { beforeEach, describe, expect, it } from 'vitest'
import type { CommandResult } from '../../src/seam/command.ts'
import type { PromptAnswer } from '../../src/seam/prompt.ts'
import { promptsOf } from '../../src/state/prompts.ts'
import type { ThreadRecord } from '../../src/storage/disk/thread-disk.ts'
import { promptOf } from '../support/prompts.ts'
import { createScriptedPeer } from '../support/scripted-peer.ts'
import type { FakeBrowser, FakeTab } from './fake-tabs.ts'
import { CONVERSATION, createFakeBrowser, rest } from './fake-tabs.ts'

const YES: PromptAnswer = { type: 'option', optionId: 'yes', digest: 'd1' }
/** More messages than any of these tests needs: an exchange without end fails instead of keeping the test busy for ever. */
const MOST_MESSAGES = 500

let browser: FakeBrowser
let results: CommandResult[]

beforeEach(() => {
  results = []
  browser = createFakeBrowser({
    peer: createScriptedPeer({ canAct: true, onCommand: () => results.shift() ?? { result: 'accepted' } }),
  })
  const push = browser.said.push.bind(browser.said)
  browser.said.push = (...messages) => {
    if (browser.said.length >= MOST_MESSAGES) throw new Error(`The tabs have sent ${MOST_MESSAGES} messages.`)
    return push(...messages)
  }
})

async function openTab(): Promise<FakeTab> {
  const tab = browser.openTab()
  void tab.chat.resume()
  await rest()
  return tab
}

const states = (tab: FakeTab): unknown[] =>
  tab.chat.getSnapshot().messages.flatMap((message) => promptsOf(message).map(({ state }) => state))

/** How many messages of a type the tabs have sent; of calls, those of an action. */
function count(type: string, action?: string): number {
  return browser.said
    .map((text) => JSON.parse(text) as { readonly type: string; readonly call?: { readonly action: string } })
    .filter((message) => message.type === type && message.call?.action === action).length
}

async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    await browser.environment.clock.advance(1000)
    await rest()
  }
}

interface Scene {
  readonly leader: FakeTab
  readonly followers: readonly FakeTab[]
  /** Puts the records back to the moment at which the prompt was open. */
  rollBack(): void
}

/** A leader and followers that show a prompt as answered, and a disk that has it open. */
async function answered(followerCount: number): Promise<Scene> {
  const leader = await openTab()
  void leader.chat.sendMessage('Go')
  await rest()
  browser.peer.connection.event(1, {
    type: 'prompt',
    prompt: promptOf({ subject: { name: 'send', input: { to: 'Ann' }, digest: 'd1' } }),
  })
  await rest()
  const older = structuredClone(browser.disk.records.get(CONVERSATION))
  const followers: FakeTab[] = []
  while (followers.length < followerCount) followers.push(await openTab())
  expect(await leader.chat.answer('p1', YES)).toEqual({ status: 'accepted' })
  await rest()
  // It was stored: this test takes it back.
  const rollBack = (): void => void browser.disk.records.set(CONVERSATION, structuredClone(older) as ThreadRecord)
  rollBack()
  return { leader, followers, rollBack }
}

/** A tab that knows only the disk takes the lead from one that is frozen. */
async function takeLead(): Promise<FakeTab> {
  const tab = await openTab()
  expect(states(tab)).toEqual(['open'])
  void tab.chat.sendMessage('More', { whenBusy: 'queue' })
  await pass(6)
  return tab
}

describe('a leader that knows less of a prompt than its followers', () => {
  it('learns how it has ended from each follower once, and no tab shows it as open again', async () => {
    const { leader, followers } = await answered(2)
    const shown = followers.map((tab) => {
      const seen = new Set<unknown>()
      tab.chat.subscribe(() => states(tab).forEach((state) => seen.add(state)))
      return seen
    })
    leader.freeze()
    const next = await takeLead()
    for (const tab of [next, ...followers]) expect(states(tab)).toEqual(['answered'])
    for (const seen of shown) expect([...seen]).toEqual(['answered'])
    expect(count('call', 'settlePrompts')).toBe(2)
    expect(count('done')).toBe(2)
    const sent = browser.said.length
    await pass(60)
    expect(browser.said).toHaveLength(sent)
  })

  it('is asked once more by the leader that was frozen, and then all tabs are silent', async () => {
    const { leader, followers } = await answered(1)
    leader.freeze()
    const next = await takeLead()
    leader.thaw()
    await pass(6)
    for (const tab of [leader, next, ...followers]) expect(states(tab)).toEqual(['answered'])
    expect(count('call', 'settlePrompts')).toBe(2)
    const sent = browser.said.length
    await pass(60)
    expect(browser.said).toHaveLength(sent)
  })

  it('is followed by one that knows it, when it crashes and the disk loses it again', async () => {
    const { leader, followers, rollBack } = await answered(2)
    leader.freeze()
    const next = await takeLead()
    const calls = count('call', 'settlePrompts')
    rollBack()
    next.crash()
    leader.crash()
    await rest()
    const third = await openTab()
    await pass(6)
    for (const tab of [third, ...followers]) expect(states(tab)).toEqual(['answered'])
    expect(count('call', 'settlePrompts')).toBe(calls)
    const sent = browser.said.length
    await pass(60)
    expect(browser.said).toHaveLength(sent)
  })

  it('is given each outcome in one call, however many leaders follow before one has settled it', async () => {
    const { leader, followers } = await answered(1)
    const [follower] = followers
    leader.freeze()
    // A call is settled once it is stored: each of these takes the lead, and freezes before that.
    browser.disk.write = () => new Promise(() => {})
    for (let round = 0; round < 3; round += 1) {
      const tab = await openTab()
      void tab.chat.sendMessage('More', { whenBusy: 'queue' })
      await browser.environment.clock.advance(3100)
      await rest()
      expect(states(tab)).toEqual(['answered'])
      tab.freeze()
    }
    expect(count('leads')).toBe(4)
    expect(follower && states(follower)).toEqual(['answered'])
    const ids = new Set(
      browser.said.flatMap((text) => {
        const { type, id, call } = JSON.parse(text) as { type: string; id: string; call?: { action: string } }
        return type === 'call' && call?.action === 'settlePrompts' ? [id] : []
      }),
    )
    expect(ids.size).toBe(1)
  })
})

describe('an answer that is being stored when the user stops its run', () => {
  it('is not sent', async () => {
    const tab = await openTab()
    void tab.chat.sendMessage('Go')
    await rest()
    browser.peer.connection.event(1, { type: 'prompt', prompt: promptOf() })
    await rest()
    browser.disk.write = () => new Promise(() => {})
    const given = tab.chat.answer('p1', { type: 'option', optionId: 'yes' })
    await rest()
    expect(states(tab)).toEqual(['sending'])
    const stopped = tab.chat.stop()
    await pass(3)
    expect(await stopped).toBe('cancelled')
    expect(await given).toMatchObject({ status: 'refused', error: { code: 'app_error' } })
    expect(states(tab)).toEqual(['withdrawn'])
    expect(browser.peer.commands.map(({ type }) => type)).toEqual(['cancel'])
  })
})

describe('a run that is stopped before the agent has it', () => {
  it('is not reported as cancelled while the disk may still send it', async () => {
    const tab = await openTab()
    browser.disk.write = () => new Promise(() => {})
    void tab.chat.sendMessage('Go')
    const stopped = tab.chat.stop()
    await pass(3)
    expect(await stopped).toBe('left')
    expect(browser.peer.connections).toEqual([])
  })

  it('is cancelled once that is written', async () => {
    const tab = await openTab()
    void tab.chat.sendMessage('Go')
    expect(await tab.chat.stop()).toBe('cancelled')
    expect(browser.peer.connections).toEqual([])
  })
})

describe('an answer that is on its way when its tab is left', () => {
  it.each(['the tab that leads', 'another tab'])(
    'is stored with what the agent replies, given in %s',
    async (where) => {
      let reply = (_result: CommandResult): void => {}
      browser = createFakeBrowser({
        peer: createScriptedPeer({
          canAct: true,
          onCommand: ({ type }) =>
            type === 'answer' ? new Promise((resolve) => (reply = resolve)) : { result: 'accepted' },
        }),
      })
      const leader = await openTab()
      void leader.chat.sendMessage('Go')
      await rest()
      browser.peer.connection.event(1, { type: 'prompt', prompt: promptOf() })
      await rest()
      const tab = where === 'another tab' ? await openTab() : leader
      void tab.chat.answer('p1', { type: 'option', optionId: 'yes' })
      await rest()
      void leader.chat.disconnect()
      await rest()
      reply({ result: 'accepted' })
      await rest()
      await tab.close()
      expect(states(await openTab())).toEqual(['answered'])
      expect(browser.peer.commands).toHaveLength(1)
    },
  )
})
