import { beforeEach, describe, expect, it } from 'vitest'
import type { CommandResult } from '../../src/seam/command.ts'
import type { PromptAnswer } from '../../src/seam/prompt.ts'
import { promptsOf } from '../../src/state/prompts.ts'
import { promptOf } from '../support/prompts.ts'
import { createScriptedPeer, failure } from '../support/scripted-peer.ts'
import type { FakeBrowser, FakeTab } from './fake-tabs.ts'
import { CONVERSATION, createFakeBrowser, rest } from './fake-tabs.ts'

const YES: PromptAnswer = { type: 'option', optionId: 'yes', digest: 'd1' }

let browser: FakeBrowser
let onCommand = (): void => {}
let results: (CommandResult | Error | Promise<CommandResult>)[]

beforeEach(() => {
  results = []
  onCommand = () => {}
  browser = createFakeBrowser({
    peer: createScriptedPeer({
      canAct: true,
      onCommand: () => {
        onCommand()
        const result = results.shift() ?? { result: 'accepted' }
        if (result instanceof Error) throw result
        return result
      },
    }),
  })
})

async function openTab(): Promise<FakeTab> {
  const tab = browser.openTab()
  void tab.chat.resume()
  await rest()
  return tab
}

/** A tab in which the agent has asked for something. */
async function asked(): Promise<FakeTab> {
  const tab = await openTab()
  void tab.chat.sendMessage('Go')
  await rest()
  browser.peer.connection.event(1, {
    type: 'prompt',
    prompt: promptOf({ subject: { name: 'send', input: { to: 'Ann' }, digest: 'd1' } }),
  })
  await rest()
  return tab
}

const states = (tab: FakeTab): unknown[] =>
  tab.chat.getSnapshot().messages.flatMap((message) => promptsOf(message).map(({ state }) => state))
const answers = (): unknown[] =>
  browser.peer.commands.flatMap((command) => (command.type === 'answer' ? [command.answerId] : []))

const listed = (tab: FakeTab): unknown => tab.store.getSnapshot().threads.map(({ status }) => status)

describe('the thread of a chat with a prompt', () => {
  it('waits for the user, in every tab, until the prompt is answered', async () => {
    const leader = await asked()
    const follower = await openTab()
    expect([listed(leader), listed(follower)]).toEqual([['awaiting-input'], ['awaiting-input']])
    await leader.chat.answer('p1', YES)
    await rest()
    expect([listed(leader), listed(follower)]).toEqual([['running'], ['running']])
    browser.peer.connection.close(2)
    await rest()
    expect([listed(leader), listed(follower)]).toEqual([['idle'], ['idle']])
  })

  it.each([
    ['command', 'failed'],
    ['next-run', 'awaiting-input'],
  ] as const)('that was left long ago with a prompt answered by %s is %s', async (answeredBy, status) => {
    const tab = await openTab()
    void tab.chat.sendMessage('Go')
    await rest()
    browser.peer.connection.event(1, { type: 'prompt', prompt: promptOf({ answeredBy }) })
    if (answeredBy === 'next-run')
      browser.peer.connection.event(2, { type: 'stream-closed', streamId: 's1', outcome: 'awaiting-input' })
    await rest()
    await tab.close()
    browser.environment.clock.sleep(3_600_000)
    const later = browser.openTab()
    later.store.subscribe(() => {})
    await rest()
    expect(listed(later)).toEqual([status])
  })
})

describe('a prompt over tabs and reloads', () => {
  it('is still open after a reload, and can be answered', async () => {
    const first = await asked()
    await first.close()
    const second = await openTab()
    expect(states(second)).toEqual(['open'])
    expect(second.chat.getSnapshot().status).toBe('awaiting-input')
    expect(await second.chat.answer('p1', YES)).toEqual({ status: 'accepted' })
    expect(states(second)).toEqual(['answered'])
    expect(answers()).toHaveLength(1)
  })

  it('is answered in a tab that follows, by the one that leads, once', async () => {
    const leader = await asked()
    const follower = await openTab()
    expect(states(follower)).toEqual(['open'])
    const answered = follower.chat.answer('p1', YES)
    await rest()
    expect(await answered).toEqual({ status: 'accepted' })
    // The tab shows what its call has returned.
    expect(states(follower)).toEqual(['answered'])
    expect(states(leader)).toEqual(['answered'])
    expect(states(follower)).toEqual(['answered'])
    expect(answers()).toHaveLength(1)
  })

  it('answered in two tabs at once is answered once, and the other tab is told', async () => {
    const leader = await asked()
    const follower = await openTab()
    const both = [leader.chat.answer('p1', YES), follower.chat.answer('p1', { type: 'decline' })]
    await rest()
    const [here, there] = await Promise.all(both)
    expect(here).toEqual({ status: 'accepted' })
    expect(there?.status === 'too-late' || there?.status === 'refused').toBe(true)
    expect(answers()).toHaveLength(1)
  })

  it('has its answer on the disk before the agent hears it', async () => {
    const tab = await asked()
    let stored: unknown
    onCommand = () => {
      const [, message] = [...(browser.disk.records.get(CONVERSATION)?.messages.values() ?? [])]
      stored = message?.parts
    }
    await tab.chat.answer('p1', YES)
    expect(stored).toMatchObject([{ prompt: { state: 'sending', answer: YES } }])
  })

  it('whose answer was on its way when the page went is answered under the same id by the next', async () => {
    results = [new Promise(() => {}), { result: 'accepted' }]
    const first = await asked()
    void first.chat.answer('p1', YES)
    await rest()
    first.crash()
    const second = await openTab()
    await rest()
    expect(states(second)).toEqual(['answered'])
    expect(answers()).toHaveLength(2)
    expect(new Set(answers()).size).toBe(1)
  })

  it('is answered by the next leader under the same id when the one that had the answer crashed', async () => {
    results = [new Promise(() => {}), { result: 'accepted' }]
    const leader = await asked()
    const follower = await openTab()
    const answered = follower.chat.answer('p1', YES)
    await rest()
    leader.crash()
    await rest()
    await browser.environment.clock.advance(60_000)
    await rest()
    expect(await answered).toEqual({ status: 'accepted' })
    expect(states(follower)).toEqual(['answered'])
    expect(new Set(answers()).size).toBe(1)
  })

  it('tells a tab that follows what the agent refused', async () => {
    const errors = [{ path: '', message: 'Not like that' }]
    results = [{ result: 'invalid', errors }]
    await asked()
    const follower = await openTab()
    const answered = follower.chat.answer('p1', YES)
    await rest()
    expect(await answered).toEqual({ status: 'invalid', errors })
    expect(states(follower)).toEqual(['open'])
  })

  it('tells a tab that follows that nobody knows', async () => {
    results = [failure(), failure()]
    await asked()
    const follower = await openTab()
    const answered = follower.chat.answer('p1', YES)
    await rest()
    for (let round = 0; round < 3; round++) {
      await browser.environment.clock.advance(10_000)
      await rest()
    }
    expect(await answered).toMatchObject({ status: 'unconfirmed', error: { code: 'network_error' } })
    expect(states(follower)).toEqual(['unconfirmed'])
  })
})

describe('an answer whose chat is disposed of before the agent confirms it', () => {
  it('is not called accepted', async () => {
    results = [new Promise(() => {}), new Promise(() => {})]
    const tab = await asked()
    const answered = tab.chat.answer('p1', YES)
    await rest()
    void tab.chat.dispose()
    expect(await answered).toMatchObject({ status: 'unconfirmed', error: { code: 'app_error' } })
  })
})

describe('prompts that a run has ended with', () => {
  async function ended(): Promise<FakeTab> {
    const tab = await openTab()
    void tab.chat.sendMessage('Go')
    await rest()
    browser.peer.connection.event(1, { type: 'prompt', prompt: promptOf({ answeredBy: 'next-run' }) })
    browser.peer.connection.event(2, { type: 'stream-closed', streamId: 's1', outcome: 'awaiting-input' })
    await rest()
    return tab
  }

  it('are still open after a reload, and nothing is sent before they are answered', async () => {
    await (await ended()).close()
    const second = await openTab()
    expect(second.chat.getSnapshot().status).toBe('awaiting-input')
    expect(await second.chat.sendMessage('More')).toMatchObject({ status: 'refused', error: { code: 'busy' } })
    expect(browser.peer.connections).toHaveLength(1)
    void second.chat.answer('p1', { type: 'option', optionId: 'yes' })
    await rest()
    expect(browser.peer.connections).toHaveLength(2)
  })

  it('are answered with one run when two tabs answer at once', async () => {
    const leader = await ended()
    const follower = await openTab()
    void leader.chat.answer('p1', { type: 'option', optionId: 'yes' })
    void follower.chat.answer('p1', { type: 'option', optionId: 'yes' })
    await rest()
    expect(browser.peer.connections).toHaveLength(2)
  })

  it('are cancelled after a reload', async () => {
    await (await ended()).close()
    const second = await openTab()
    expect(await second.chat.stop()).toBe('cancelled')
    expect(states(second)).toEqual(['cancelled'])
    expect(second.chat.getSnapshot().status).toBe('ready')
  })
})

describe('a stop over tabs', () => {
  it('in a tab that follows says what the agent said', async () => {
    results = [{ result: 'unsupported' }]
    const leader = await openTab()
    void leader.chat.sendMessage('Go')
    await rest()
    browser.peer.connection.say(1, 'On my way')
    await rest()
    const follower = await openTab()
    const stopped = follower.chat.stop()
    await rest()
    expect(await stopped).toBe('left')
    expect(leader.chat.getSnapshot().messages[1]).toMatchObject({ status: 'stopped', stop: 'left' })
  })

  it('is about the run that is displayed, also in the tab whose own message that run has replaced', async () => {
    const leader = await openTab()
    const follower = await openTab()
    void follower.chat.sendMessage('Go')
    await rest()
    browser.peer.connection.say(1, 'On my way')
    await rest()
    const stopped = new Promise((resolve) => {
      const leave = follower.chat.subscribe(() => {
        const [question] = follower.chat.getSnapshot().messages
        if (question?.parts[0]?.type !== 'text' || question.parts[0].text !== 'Stay') return
        leave()
        void follower.chat.stop().then(resolve)
      })
    })
    void leader.chat.edit(leader.chat.getSnapshot().messages[0]?.id ?? '', 'Stay')
    await rest()
    expect(await stopped).toBe('cancelled')
    expect(leader.chat.getSnapshot()).toMatchObject({ status: 'ready', messages: [{}, { status: 'stopped' }] })
  })

  it('that the page did not see confirmed is told as left after a reload', async () => {
    results = [new Promise(() => {})]
    const first = await openTab()
    void first.chat.sendMessage('Go')
    await rest()
    browser.peer.connection.say(1, 'On my way')
    await rest()
    void first.chat.stop()
    await rest()
    await first.close()
    const second = await openTab()
    expect(second.chat.getSnapshot().messages[1]).toMatchObject({ status: 'stopped', stop: 'left' })
  })
})

describe('a run that an earlier version stored', () => {
  it('is resumed with the id of its last event as its handle', async () => {
    const first = await openTab()
    void first.chat.sendMessage('Why?')
    await rest()
    browser.peer.connection.say(1, 'Be')
    await rest()
    await first.close()
    const record = browser.disk.records.get(CONVERSATION)
    const { state } = record ?? {}
    if (record === undefined || state?.run === undefined) throw new Error('nothing was stored')
    const { handle: _, ...reading } = state.run.reading
    browser.disk.records.set(CONVERSATION, {
      ...record,
      state: { ...state, run: { ...state.run, reading: { ...reading, lastEventId: 'event-7' } } },
    })
    await openTab()
    expect(browser.peer.connection.opening.handle).toEqual({ lastEventId: 'event-7' })
  })
})
