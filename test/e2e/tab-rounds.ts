import type { Browser, BrowserContext, Page } from 'playwright'
import { answerTo, answerWord, parseQuestion, questionText } from './named-answer.ts'
import { serveAgent } from './serve-storage.ts'
import type { RoundStep, TabRound } from './tab-round.ts'
import { MOST_TABS, planTabRounds } from './tab-round.ts'
import type { PageNews } from './tab-rounds-page.ts'

/** Only a hang takes so long: the longest busy times, one after the other, on a machine that has much else to do. */
const HANG_MS = 120_000
/** Nothing that happens in a round waits without an end but for a browser that no longer answers. */
const ROUND_MS = 300_000
/** Chromium sometimes never says that a page it was told to close while it loaded is closed. */
const CLOSE_MS = 10_000
const POLL_MS = 100
/** What still changes after everything was at rest is a fault: so long is waited for it. */
const AFTER_REST_MS = 500

export interface TabRoundsOptions {
  readonly browser: Browser
  readonly seed: number
  readonly count: number
  /** Browser contexts at once. */
  readonly atOnce: number
  /** Plays this one alone, counted from 0. */
  readonly only?: number | undefined
  onPlayed?(played: number): void
  onFailed?(failure: FailedRound): void
}

export interface FailedRound {
  /** Counted from 0. */
  readonly index: number
  readonly round: TabRound
  readonly words: string
}

export interface TabRoundsReport {
  readonly played: number
  /** How often each step and outcome was met. */
  readonly met: Readonly<Record<string, number>>
  readonly failures: readonly FailedRound[]
}

/** One load of a page: reloaded, it is another. */
interface Tab {
  readonly page: Page
  readonly load: number
  /** Sign-outs before it was loaded. */
  readonly generation: number
  /** Its script has run. */
  readonly ready: Promise<void>
}

/** A message a user has sent, by its text, which no other has. */
interface Sent {
  readonly text: string
  readonly tab: Tab
  outcome: 'pending' | 'settled' | 'refused'
  isStored: boolean
  isAnswerStored: boolean
}

interface Look {
  readonly lines: readonly string[]
  readonly persistence: string
}

interface Place {
  readonly origin: string
  readonly browser: Browser
  /** Request ids under which the agent was asked each question; one is there once for each run. */
  readonly asked: ReadonlyMap<string, readonly string[]>
  count(what: string): void
}

/** Plays rounds in a real browser against its own server, always the same ones for a seed. */
export async function playTabRounds({
  browser,
  seed,
  count,
  atOnce,
  only,
  onPlayed,
  onFailed,
}: TabRoundsOptions): Promise<TabRoundsReport> {
  const asked = new Map<string, string[]>()
  const server = await serveAgent('test/e2e/tab-rounds-page.ts', async function* answer(request, run) {
    const text = String(request.payload.payload['query'])
    asked.set(text, [...(asked.get(text) ?? []), run.requestId])
    const question = parseQuestion(text)
    for (let word = 1; word <= question.words; word += 1) {
      await run.sleep(question.everyMs)
      yield answerWord(question, word)
    }
  })
  const met: Record<string, number> = {}
  const failures: FailedRound[] = []
  const rounds = [...planTabRounds({ seed, count }).entries()].filter(([index]) => only === undefined || index === only)
  let played = 0

  const work = async (): Promise<void> => {
    for (let next = rounds.shift(); next !== undefined; next = rounds.shift()) {
      const [index, round] = next
      try {
        await playTabRound(index, round, {
          origin: server.origin,
          browser,
          asked,
          count: (what) => (met[what] = (met[what] ?? 0) + 1),
        })
      } catch (error) {
        const failure: FailedRound = { index, round, words: String(error) }
        failures.push(failure)
        onFailed?.(failure)
      }
      played += 1
      onPlayed?.(played)
    }
  }
  try {
    await Promise.all(Array.from({ length: atOnce }, work))
  } finally {
    server.close()
  }
  return { played, met, failures }
}

async function playTabRound(index: number, round: TabRound, { origin, browser, asked, count }: Place): Promise<void> {
  const context: BrowserContext = await browser.newContext()
  context.setDefaultTimeout(HANG_MS)
  const address = `${origin}/?conversation=${crypto.randomUUID()}`
  const sent = new Map<string, Sent>()
  const faults: string[] = []
  /** What was begun and is not over, by what it is. */
  const underWay = new Map<Promise<unknown>, string>()
  let tabs: Tab[] = []
  let loads = 0
  let generation = 0

  context.on('weberror', (error) => faults.push(`A page has an error: ${String(error.error())}`))
  await context.exposeFunction('tell', hear)
  let limit: ReturnType<typeof setTimeout> | undefined
  const overdue = new Promise<never>((_resolve, reject) => {
    limit = setTimeout(
      () =>
        reject(
          new Error(
            `The round is not over after ${ROUND_MS / 1000} s: under way in ${tabs.length} tabs: ${[...underWay.values()].join(', ')}`,
          ),
        ),
      ROUND_MS,
    )
  })
  try {
    await Promise.race([play(), overdue])
  } finally {
    clearTimeout(limit)
    await Promise.race([context.close(), sleep(HANG_MS)])
  }

  function hear({ what, text, code }: PageNews): void {
    const message =
      what === 'answer stored' ? [...sent.values()].find((known) => answerTo(known.text) === text) : sent.get(text)
    if (message === undefined) return void faults.push(`Nobody sent what is ${what}: «${text}».`)
    if (what === 'stored') message.isStored = true
    else if (what === 'answer stored') message.isAnswerStored = true
    else message.outcome = what
    if (what === 'refused' && code !== 'busy') faults.push(`${text} was refused with code ${code}.`)
  }

  /** A page that goes in the midst of it ends it with an error, which says nothing. */
  function later(what: string, promise: Promise<unknown>): void {
    const over: Promise<unknown> = promise.catch(() => {}).finally(() => underWay.delete(over))
    underWay.set(over, what)
  }

  async function allOver(): Promise<void> {
    while (underWay.size > 0) await Promise.all(underWay.keys())
  }

  function load(page: Page, navigated: Promise<unknown>): Tab {
    loads += 1
    const own = loads
    const begin = async (): Promise<void> => {
      await navigated
      await page.waitForFunction(() => window.round !== undefined, undefined, { polling: 10 })
      await page.evaluate((given) => {
        if (window.round !== undefined) window.round.load = given
      }, own)
    }
    const ready = begin()
    later('load', ready)
    const tab: Tab = { page, load: own, generation, ready }
    tabs = [...tabs, tab]
    return tab
  }

  async function openTab(): Promise<Tab> {
    const page = await context.newPage()
    return load(page, page.goto(address, { waitUntil: 'commit' }))
  }

  function forget(tab: Tab): void {
    tabs = tabs.filter((other) => other !== tab)
  }

  function reload(tab: Tab): Tab {
    forget(tab)
    return load(
      tab.page,
      tab.ready.then(() => tab.page.reload({ waitUntil: 'commit' })),
    )
  }

  function close(tab: Tab): void {
    forget(tab)
    later('close', Promise.race([tab.page.close(), sleep(CLOSE_MS)]))
  }

  function send(tab: Tab, whenBusy: 'reject' | 'queue', words: number, everyMs: number): Sent {
    const text = questionText({ name: `r${index}m${sent.size + 1}`, words, everyMs })
    const message: Sent = { text, tab, outcome: 'pending', isStored: false, isAnswerStored: false }
    sent.set(text, message)
    later(
      'send',
      tab.ready.then(() =>
        tab.page.evaluate((request) => window.round?.send(request), { load: tab.load, text, whenBusy }),
      ),
    )
    return message
  }

  async function signOut(tab: Tab): Promise<void> {
    // A page that is on its way belongs to no sign-in yet.
    await Promise.all(tabs.map(({ ready }) => ready))
    // In a tab that has been signed out already a user can only sign in.
    if (tab.generation === generation) {
      await tab.page.evaluate(() => window.round?.signOut())
      generation += 1
    }
    await reload(tab).ready
  }

  async function act(step: RoundStep): Promise<void> {
    if (step.do === 'open') {
      if (tabs.length < MOST_TABS) await openTab()
      return
    }
    const tab = tabs[step.tab % Math.max(1, tabs.length)]
    if (tab === undefined) return
    count(step.do)
    switch (step.do) {
      case 'send':
      case 'queue':
        return void send(tab, step.do === 'send' ? 'reject' : 'queue', step.words, step.everyMs)
      case 'block':
        return later(
          'block',
          tab.ready.then(() => tab.page.evaluate(beBusy, step.ms)),
        )
      case 'stop':
        return later(
          'stop',
          tab.ready.then(() => tab.page.evaluate(() => window.round?.stop())),
        )
      case 'close':
        return close(tab)
      case 'reload':
        return void reload(tab)
      case 'sign-out':
        return signOut(tab)
    }
  }

  function look(tab: Tab): Promise<Look> {
    return tab.page.evaluate(() => window.round?.look() ?? { lines: [], persistence: 'opening' })
  }

  /** Looks at the open tabs until it is as wanted; then a moment later again, when nothing may have changed. */
  async function untilAll(what: string, isWanted: (looks: readonly Look[]) => boolean): Promise<readonly Look[]> {
    const deadline = performance.now() + HANG_MS
    let looks = await Promise.all(tabs.map(look))
    while (!isWanted(looks)) {
      if (faults.length > 0) throw new Error(faults[0])
      if (performance.now() > deadline)
        throw new Error(
          `It never happens that ${what}: ${JSON.stringify({ looks, sent: [...sent.values()].map(({ text, outcome, isStored }) => ({ text, outcome, isStored })) })}`,
        )
      await sleep(POLL_MS)
      looks = await Promise.all(tabs.map(look))
    }
    await sleep(AFTER_REST_MS)
    const again = await Promise.all(tabs.map(look))
    if (JSON.stringify(again) !== JSON.stringify(looks))
      throw new Error(`Something changed after ${what}: ${JSON.stringify(looks)}, then ${JSON.stringify(again)}`)
    return again
  }

  function isAtRest(looks: readonly Look[]): boolean {
    const isPending = [...sent.values()].some(({ tab, outcome }) => tabs.includes(tab) && outcome === 'pending')
    // What is passed on to another leader may be on its way.
    const isOnItsWay = [...sent.values()].some(
      ({ tab, text, outcome }) =>
        outcome === 'settled' &&
        !looks[tabs.indexOf(tab)]?.lines.some((line) => line.endsWith(` ${text}`)) &&
        tabs.includes(tab),
    )
    return (
      !isPending &&
      !isOnItsWay &&
      looks.every(
        ({ lines, persistence }) =>
          persistence === 'disk' &&
          lines.join('\n') === looks[0]?.lines.join('\n') &&
          !lines.some((line) => /^\w+ (sending|pending|streaming) /.test(line)),
      )
    )
  }

  /** Tabs that were signed out from elsewhere are on their own, and keep nothing. */
  async function leaveSignedOut(): Promise<void> {
    const current = tabs.filter((tab) => tab.generation === generation)
    tabs = tabs.filter((tab) => tab.generation !== generation)
    const own = tabs
    const isOver = (looks: readonly Look[]): boolean =>
      looks.every(
        ({ lines, persistence }) =>
          persistence === 'nowhere' && !lines.some((line) => /^\w+ (sending|pending|streaming) /.test(line)),
      )
    const looks = await untilAll('tabs of an earlier sign-in know that it is over', isOver)
    looks.forEach(({ lines }, at) => {
      count('tab signed out from elsewhere')
      const foreign = [...sent.values()].find(
        ({ text, tab }) => tab !== own[at] && lines.some((line) => line.endsWith(text)),
      )
      if (foreign !== undefined)
        throw new Error(`A tab that was signed out shows ${foreign.text} of another tab: ${lines.join('; ')}`)
    })
    for (const tab of own) close(tab)
    tabs = current
  }

  async function play(): Promise<void> {
    while (tabs.length < round.tabs) await openTab()
    for (const step of round.steps) {
      await sleep(step.after)
      if (step.do === 'open') count('open')
      await act(step)
    }
    await allOver()
    await leaveSignedOut()
    if (tabs.length === 0) await openTab()
    await Promise.all(tabs.map(({ ready }) => ready))
    await untilAll('all tabs show the same, and nothing runs', isAtRest)
    // What is queued when a run was stopped waits for the next one that is complete.
    const last = send(tabs[0] as Tab, 'queue', 3, 10)
    const isAnswered = ({ lines }: Look): boolean =>
      lines.includes(`assistant complete ${answerTo(last.text)}`) && !lines.some((line) => line.startsWith('queued '))
    const shown = await untilAll('the last message is answered', (looks) => isAtRest(looks) && looks.every(isAnswered))
    const open = tabs
    for (const tab of open) close(tab)
    await allOver()
    const fresh = await openTab()
    await fresh.ready
    const [kept] = await untilAll(
      'a new tab shows all that was shown',
      (looks) => looks[0]?.lines.join('\n') === shown[0]?.lines.join('\n'),
    )
    if (faults.length > 0) throw new Error(faults[0])
    for (const message of sent.values()) checkMessage(message, kept?.lines ?? [], open)
  }

  function checkMessage(
    { text, tab, outcome, isStored, isAnswerStored }: Sent,
    kept: readonly string[],
    open: readonly Tab[],
  ): void {
    const all = `: ${kept.join('; ')}`
    // One that a frozen leader had, and its page has gone, is there to be sent again.
    const times = kept.filter((line) => line === `user sent ${text}` || line === `user not-sent ${text}`).length
    const named = kept.filter((line) => line.endsWith(` ${text}`)).length
    const answers = kept.filter(
      (line) => line.startsWith('assistant ') && line.includes(` ${parseQuestion(text).name}.`),
    )
    const runs = asked.get(text) ?? []
    count(`message ${outcome}`)
    if (isStored) count('message stored')
    if (runs.length > 1) throw new Error(`The agent was asked ${text} ${runs.length} times (${runs.join(', ')}).`)
    if (named > 1 || answers.length > 1)
      throw new Error(`${text} is there ${named} times and has ${answers.length} answers${all}`)
    if (tab.generation !== generation) {
      count('message of an earlier sign-in')
      if (named + answers.length > 0) throw new Error(`${text} of an earlier sign-in came back${all}`)
      return
    }
    if (outcome === 'refused') {
      if (named + answers.length > 0) throw new Error(`${text} was refused, and is there${all}`)
      return
    }
    if (times === 0) {
      if (open.includes(tab) || isStored)
        throw new Error(`${text} is lost (${outcome}${isStored ? ', it was stored' : ''})${all}`)
      return count('message gone with its page')
    }
    const isWhole = answers[0] === `assistant complete ${answerTo(text)}`
    const isStopped = answers.length === 0 || (answers[0]?.startsWith('assistant stopped ') ?? false)
    const mayBeStopped = round.steps.some((step) => step.do === 'stop') && !isAnswerStored
    if (isWhole) return count('answer complete')
    if (!mayBeStopped || !isStopped)
      throw new Error(
        `The answer to ${text} is ${answers[0] ?? 'not there'}${isAnswerStored ? ', and was stored whole' : ''}${all}`,
      )
    count('answer stopped')
  }
}

/** Runs in the page. */
function beBusy(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
