import type { Environment } from '../../../src/base/ports/environment.ts'
import type { AgentClient } from '../../../src/session/agent-client.ts'
import { backoff } from '../../../src/base/backoff.ts'
import { type ChatInstance, loadCommandsModule } from '../../../src/state/chat.ts'
import type { PromptAnswer } from '../../../src/seam/prompt.ts'
import type { AnswerResult, SendResult } from '../../../src/state/chat-options.ts'
import { linesOf } from './lines-of.ts'
import { textOf } from '../../../src/state/turn.ts'
import { promptsOf } from '../../../src/state/prompts.ts'
import type { ThreadChange } from '../../../src/storage/records/thread-disk.ts'
import { type ThreadStore, createThreadStore } from '../../../src/storage/thread-store.ts'
import { createRandom } from '../../support/create-random.ts'
import type { Step, TabSchedule } from './tab-schedule.ts'
import { MOST_TABS } from './tab-schedule.ts'
import { checkConsent, createPromptWatch, type Given } from './check-consent.ts'
import { createVirtualAgent } from './virtual-agent.ts'
import { createVirtualBrowser } from './virtual-browser.ts'
import type { Thread } from './virtual-time.ts'
import { createVirtualTime } from './virtual-time.ts'

// Loaded on demand by chats, but not in virtual time.
await loadCommandsModule()

const CONVERSATION = 'c1'
/** What is sent in a tab that has not learned of a removal is removed with the rest. */
const LONGEST_BUSY_MS = 12_000
/** Long enough for every busy time, retry and takeover to have ended. */
const REST_MS = 45_000

interface Tab {
  readonly thread: Thread
  readonly store: ThreadStore
  readonly chat: ChatInstance
}

/** A message a user has sent, by its words, which no other has. */
interface Sent {
  readonly text: string
  readonly tab: Tab
  readonly at: number
  outcome: 'pending' | 'settled' | 'refused'
  isStored: boolean
}

/** What a schedule did, so that a generator which no longer does something is noticed. */
export type Tally = ReadonlyMap<string, number>

/** Plays a schedule over real stores in virtual tabs. Rejects with the promise that was broken. */
export async function playTabs({ seed, tabs: atFirst, steps, asks = false }: TabSchedule): Promise<Tally> {
  const random = createRandom(seed)
  const time = createVirtualTime(random)
  const agent = createVirtualAgent(time, random, asks ? createRandom(seed ^ 0x5eed) : undefined, seed % 2 === 1)
  const browser = createVirtualBrowser(time, random, noteStored)
  const tally = new Map<string, number>()
  const sent: Sent[] = []
  const given: Given[] = []
  const faults: Error[] = []
  let tabs: Tab[] = []
  let ids = 0
  let removedAt = -1

  function count(what: string): void {
    tally.set(what, (tally.get(what) ?? 0) + 1)
  }

  function noteStored(changes: ReadonlyMap<string, ThreadChange>): void {
    for (const { messages, state } of changes.values()) {
      const texts = [...(messages?.values() ?? [])].flatMap((message) =>
        message?.role === 'user' ? message.parts.map((part) => (part.type === 'text' ? part.text : '')) : [],
      )
      for (const known of sent)
        if (texts.includes(known.text) || state?.queued.some(({ message }) => message.text === known.text))
          known.isStored = true
    }
  }

  function openTab(): Tab {
    const thread = time.createThread()
    const environment: Environment = {
      clock: thread.clock,
      random,
      online: { isOnline: () => true, subscribe: () => () => {} },
      visibility: { isVisible: () => true, subscribe: () => () => {} },
      frames: { next: (callback) => thread.post('timer', 16, callback) },
      uuid: () => `id-${(ids += 1)}`,
      report: (cause) => void faults.push(new Error('A callback failed.', { cause })),
    }
    const client: AgentClient<string> = {
      protocol: agent.protocolOf(thread),
      retry: backoff({ maxAttempts: 50, baseMs: 200, capMs: 400 }),
      timeoutMs: 3_600_000,
      environment,
      createRequest: ({ text }) => text,
    }
    const store = createThreadStore({
      name: 'test',
      ports: browser.portsOf(thread),
      onDamaged: ({ kind, problem }) =>
        faults.push(new Error(`The library wrote a ${kind} that is damaged: ${problem}.`)),
    })
    const chat = store.open({ conversationId: CONVERSATION, client: () => client })
    store.subscribe(() => {})
    const watchPrompts = createPromptWatch()
    chat.subscribe(() => {
      checkPrefixes(chat)
      const problem = watchPrompts(chat.getSnapshot())
      if (problem !== undefined) faults.push(new Error(`At ${time.now}: ${problem}`))
    })
    void chat.resume()
    const tab: Tab = { thread, store, chat }
    tabs = [...tabs, tab]
    return tab
  }

  function checkPrefixes(chat: ChatInstance): void {
    for (const message of chat.getSnapshot().messages) {
      if (message.role !== 'assistant') continue
      const log = agent.logs.get(message.requestId ?? '')
      const said = log?.words.slice(0, log.length).join('') ?? ''
      const isRight =
        message.status === 'complete'
          ? textOf(message) === said
          : (log?.words.join('') ?? '').startsWith(textOf(message))
      if (!isRight)
        faults.push(
          new Error(
            `At ${time.now} a tab shows «${textOf(message)}» (${message.status}), and the agent said «${said}».`,
          ),
        )
    }
  }

  function send(tab: Tab, whenBusy: 'reject' | 'queue'): Sent {
    const message: Sent = { text: `m${sent.length + 1}`, tab, at: time.now, outcome: 'pending', isStored: false }
    sent.push(message)
    void outcomeOf(message, tab.chat.sendMessage(message.text, { whenBusy }))
    return message
  }

  async function outcomeOf(message: Sent, settled: Promise<SendResult>): Promise<void> {
    try {
      const result = await settled
      message.outcome = result.status === 'refused' ? 'refused' : 'settled'
      if (result.status === 'refused' && result.error.code !== 'busy')
        faults.push(new Error(`${message.text} was refused.`, { cause: result.error }))
    } catch (error) {
      faults.push(new Error(`${message.text} failed.`, { cause: error }))
    }
  }

  async function outcomeOfAnswer(own: Given, settled: Promise<AnswerResult>): Promise<void> {
    try {
      own.result = (await settled).status
      count(`answer ${own.result}`)
    } catch (cause) {
      faults.push(new Error('An answer failed.', { cause }))
    }
  }

  /** Answers what this tab shows as open, in front of its user. */
  function answer(tab: Tab, what: 'allow' | 'refuse' | 'decline'): void {
    const prompt = tab.chat
      .getSnapshot()
      .messages.flatMap(promptsOf)
      .find(({ state }) => state === 'open' || state === 'unconfirmed')
    if (prompt === undefined) return
    const own: Given = { promptId: prompt.id, what, result: undefined, tab }
    given.push(own)
    const said: PromptAnswer =
      what === 'decline'
        ? { type: 'decline' }
        : { type: 'option', optionId: what === 'allow' ? 'yes' : 'no', digest: prompt.subject?.digest }
    void outcomeOfAnswer(own, tab.chat.answer(prompt.id, said))
  }

  function leave(tab: Tab, isTold: boolean): void {
    browser.leave(tab.thread, isTold)
    void tab.chat.disconnect()
    tabs = tabs.filter((other) => other !== tab)
  }

  function act(step: Step): void {
    if (step.do === 'disk')
      return browser.breakDisk(step.fault === 'none' ? undefined : new DOMException('broken', step.fault))
    if (!('tab' in step)) {
      if (step.do === 'cut') agent.cut()
      else if (tabs.length < MOST_TABS) openTab()
      return
    }
    const tab = tabs[step.tab % Math.max(1, tabs.length)]
    if (tab === undefined) return
    if (step.do === 'block') return tab.thread.block(step.ms)
    if (step.do === 'close' || step.do === 'crash') return leave(tab, step.do === 'close')
    const { do: what } = step
    tab.thread.post('user', 0, () => actIn(tab, what))
  }

  function actIn(
    tab: Tab,
    what: Exclude<Extract<Step, { readonly tab: number }>['do'], 'block' | 'close' | 'crash'>,
  ): void {
    if (what === 'allow' || what === 'refuse' || what === 'decline') answer(tab, what)
    if (what === 'send' || what === 'queue') send(tab, what === 'queue' ? 'queue' : 'reject')
    if (what === 'stop') void tab.chat.stop()
    if (what === 'hide') void tab.chat.disconnect()
    if (what === 'show') void tab.chat.resume()
    if (what === 'remove') void remove(tab)
    if (what !== 'sign-out') return
    void signOut(tab)
  }

  async function remove(tab: Tab): Promise<void> {
    removedAt = Infinity
    await tab.store.remove(CONVERSATION)
    removedAt = time.now + LONGEST_BUSY_MS
  }

  async function signOut(tab: Tab): Promise<void> {
    await tab.store.wipe()
    // The page is loaded again, as after a sign-in.
    leave(tab, true)
    openTab()
  }

  while (tabs.length < atFirst) openTab()
  await time.runUntil(50)
  for (const step of steps) {
    await time.runUntil(time.now + step.after)
    count(step.do)
    act(step)
  }

  browser.breakDisk(undefined)
  await time.runUntil(time.now + REST_MS)
  for (const tab of tabs) if (tab.store.getSnapshot().persistence.where === 'nowhere') leave(tab, true)
  if (tabs.length === 0) openTab()
  for (const tab of tabs) void tab.chat.resume()
  await time.runUntil(time.now + REST_MS)
  const last = send(tabs[0] as Tab, 'queue')
  await time.runUntil(time.now + REST_MS)

  const shown = tabs.map((tab) => linesOf(tab.chat))
  const atLast = tabs
  for (const tab of atLast) leave(tab, true)
  await time.runUntil(time.now + 5000)
  const fresh = openTab()
  await time.runUntil(time.now + REST_MS)
  const kept = linesOf(fresh.chat)

  const [broken] = faults
  if (broken !== undefined) throw broken
  for (const lines of shown)
    if (lines.join('\n') !== kept.join('\n'))
      throw new Error(`A tab showed\n${lines.join('\n')}\nand after a reload there is\n${kept.join('\n')}`)
  if (!kept.some((line) => line.startsWith(`assistant complete ${last.text}.`)))
    throw new Error(`The last message has no answer: ${kept.join('; ')}`)
  if (agent.connections > 0) throw new Error(`${agent.connections} connections are left.`)
  for (const message of sent) checkMessage(message)
  checkConsent({
    agent,
    given,
    isOpen: (tab) => atLast.some((other) => other === tab),
    shown: fresh.chat.getSnapshot().messages,
    count,
  })
  return tally

  function checkMessage({ text, tab, at, outcome, isStored }: Sent): void {
    // One that a frozen leader had, and its page has gone, is there to be sent again.
    const times = kept.filter((line) => line === `user sent ${text}` || line === `user not-sent ${text}`).length
    const runs = [...agent.logs.values()].filter(({ question }) => question === text).length
    count(`message ${outcome}`)
    if (times > 1) throw new Error(`${text} is there ${times} times.`)
    if (runs > 1) throw new Error(`The agent was asked ${text} under ${runs} ids.`)
    if (browser.generationOf(tab.thread) !== browser.generation) {
      if (times > 0) throw new Error(`${text} of an earlier sign-in came back.`)
      return
    }
    if (outcome === 'refused') {
      if (times > 0) throw new Error(`${text} was refused, and is there.`)
      return
    }
    const isAlive = atLast.includes(tab)
    if (isAlive && outcome === 'pending') throw new Error(`The promise of ${text} never settles.`)
    if (at <= removedAt || times === 1) return
    if (isAlive || isStored)
      throw new Error(`${text} is lost (${outcome}${isStored ? ', it was stored' : ''}): ${kept.join('; ')}`)
    count('message gone with its page')
  }
}
