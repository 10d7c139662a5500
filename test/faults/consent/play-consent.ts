import type { AnswerResult } from '../../../src/state/chat-options.ts'
import type { Prompt } from '../../../src/seam/prompt.ts'
import type { ChatMessage } from '../../../src/state/turn.ts'
import { isUndecided, promptsOf } from '../../../src/state/prompts.ts'
import { createVirtualTime } from '../../storage/model/virtual-time.ts'
import { answerTo, foreignAnswer, isAnswering } from './answers-given.ts'
import { createAskingAgent } from './asking-agent.ts'
import { checkConfirmed, isConsent, type Given } from './check-answers.ts'
import { checkConsent, checkReply } from './check-consent.ts'
import { checkShown } from './check-shown.ts'
import { checkStops, type StopClaim } from './check-stops.ts'
import { carriesAnswersInRuns, loggedId } from './consent-clients.ts'
import { createConsentPages, type Page } from './consent-pages.ts'
import type { Answering, ConsentSchedule, ConsentStep, Elsewhere } from './consent-schedule.ts'
import { loadConsentOnDemand } from './load-on-demand.ts'
import { createLogWitness } from './log-witness.ts'
import { createRandom } from '../../support/create-random.ts'
import { promise } from './promise.ts'
import { rootOf } from './run-root.ts'
import { digestAtOnce } from './sync-digest.ts'
import { createVirtualNetwork } from './virtual-network.ts'
import { createVirtualServers } from './virtual-servers.ts'

await loadConsentOnDemand()

/** Long enough for every retry, restart and takeover to have ended. */
const REST_MS = 6_000
const MOST_RESTS = 20
const LONGEST_WRITE_MS = 4_000
/** Answers that a user tries in vain before they stop. */
const MOST_TRIES = 2
/** Long enough for all that is on its way. */
const LAST_MS = 16_000
const MOST_PAGES = 3

/** What a schedule did, so that a generator which no longer does something is noticed. */
export type Tally = ReadonlyMap<string, number>

/**
 * Plays a schedule with the real client, chat and storage, the real handler and the real event log, in virtual time. Rejects with the
 * promise that was broken.
 */
export async function playConsent(schedule: ConsentSchedule): Promise<Tally> {
  const restore = digestAtOnce()
  try {
    return await play(schedule)
  } finally {
    restore()
  }
}

async function play(schedule: ConsentSchedule): Promise<Tally> {
  const { seed, log, tabs, wire, asks, commands, steps } = schedule
  const random = createRandom(seed)
  const time = createVirtualTime(random)
  const witness = createLogWitness(() => time.now)
  const agent = createAskingAgent(asks, () => time.now)
  const servers = createVirtualServers(time, random, log, agent, witness)
  const tally = new Map<string, number>()
  const given: Given[] = []
  let claims: readonly StopClaim[] = []
  /** Runs that a user has stopped. */
  const left = new Set<string>()
  /** What is unique in the text that was sent from a page last. */
  const sent = new WeakMap<Page, string>()
  let fault: Error | undefined
  /** The page whose subscribers an edit calls. */
  let editing: Page | undefined
  let foreign = 0
  let words = 0
  const network = createVirtualNetwork(time, random, servers, commands, (reply) => {
    count(`${reply.name} ${reply.status}`)
    try {
      checkReply(reply, witness)
    } catch (error) {
      // Only a broken promise is thrown there.
      fault ??= error as Error
    }
  })
  const pages = createConsentPages({
    schedule,
    time,
    random,
    network,
    onCancelled(requestId, page) {
      claims = [...claims, { requestId, at: time.now, by: 'a message', page }]
    },
    fault(error) {
      fault ??= error
    },
  })
  count(`wire: ${wire ?? 'cap'}`)
  count(`tabs: ${tabs}`)

  function count(what: string): void {
    tally.set(what, (tally.get(what) ?? 0) + 1)
  }

  const promptsIn = (page: Page): readonly Prompt[] => page.chat.getSnapshot().messages.flatMap(promptsOf)
  const waitingIn = (page: Page): readonly Prompt[] =>
    promptsIn(page).filter(({ state }) => state === 'open' || state === 'unconfirmed')

  function answer(page: Page, prompt: Prompt | undefined, what: Answering): void {
    if (prompt === undefined) return
    const own: Given = { promptId: prompt.id, answer: answerTo(prompt, what), page, result: undefined, at: 0 }
    given.push(own)
    count(`${what} ${prompt.kind}`)
    void outcomeOf(own, page.chat.answer(prompt.id, own.answer))
  }

  async function outcomeOf(own: Given, settles: Promise<AnswerResult>): Promise<void> {
    try {
      const outcome = await settles
      own.result = outcome.status
      own.at = time.now
    } catch (cause) {
      fault ??= new Error('An answer rejected.', { cause })
    }
  }

  async function stop(page: Page): Promise<void> {
    // A tab that opened just now stops what the others show, which need not have reached the agent yet.
    const others = tabs === 'stored' ? pages.open : []
    const [shown = tabs === 'stored' ? witness.runs.at(-1)?.requestId : undefined] = [page, ...others]
      .map(({ chat }) => rootOf(chat.getSnapshot().messages))
      .filter((id) => id !== undefined)
    // What was sent just now, and is not shown yet, is what is stopped, as is what an edit is about to begin.
    const requestId = isPending(page) || editing === page ? undefined : shown
    // Should its page go before the agent has learned of it, the agent continues.
    if (requestId !== undefined) left.add(requestId)
    const by = isIdle(page) ? 'stop without a run' : 'stop'
    const result = await page.chat.stop()
    count(`${by} ${result}`)
    if (result === 'cancelled' && requestId !== undefined)
      claims = [...claims, { requestId, at: time.now, by: 'stop()', page }]
  }

  /** Whether a page does not show yet what was sent from it. */
  function isPending(page: Page): boolean {
    const { messages, queued } = page.chat.getSnapshot()
    const text = sent.get(page)
    return text !== undefined && !JSON.stringify([messages, queued]).includes(text)
  }

  /** A page that goes before the disk has what it shows is like one that never showed it. */
  function forgetLatest(page: Page): void {
    claims = claims.filter(
      ({ by, at, page: own }) => by === 'stop()' || own !== page || at < time.now - LONGEST_WRITE_MS,
    )
  }

  function leave(page: Page, isTold: boolean): void {
    pages.leave(page, isTold)
    forgetLatest(page)
  }

  /** What the page does not show when the call settles, it never will. */
  async function send(page: Page, call: () => Promise<unknown>): Promise<void> {
    const text = String(time.now)
    sent.set(page, text)
    await call()
    if (sent.get(page) === text) sent.delete(page)
  }

  /** Asks the last question again. What a subscriber stops meanwhile is stopped when the call returns. */
  function edit(page: Page): void {
    const question = page.chat.getSnapshot().messages.findLast(({ role }) => role === 'user')
    if (question === undefined) return
    if (question.requestId !== undefined) {
      left.add(question.requestId)
      page.watch.edits(question.requestId)
    }
    const isStopping = page.atNextPublish !== undefined
    editing = page
    void send(page, () => page.chat.edit(question.id, `And ${time.now} instead?`))
    editing = undefined
    const isStopped = isStopping && page.atNextPublish === undefined
    if (tabs === 'plain' && isStopped) {
      count('stop inside edit')
      if (!isIdle(page)) fault ??= new Error('A stop inside edit() did not stop what it began.')
    }
  }

  /** Runs that nobody follows: stopped before their page had read the chat, or gone with a page that had not stored them. */
  function noteLeft(): void {
    const messages = pages.open.flatMap(({ chat }) => chat.getSnapshot().messages)
    let root: string | undefined
    for (const { role, stop: known, status, requestId } of messages) {
      if (role === 'user') root = requestId
      // A run that only carries answers continues the run of the question at the agent.
      if (known === 'left' || isBroken(status)) left.add(requestId ?? '').add(root ?? '')
    }
    for (const { requestId } of witness.runs)
      if (messages.every((message) => message.requestId !== requestId)) left.add(requestId)
  }

  /** Another device, or somebody who knows the ids and not what is asked. */
  function elsewhere(what: Elsewhere): void {
    const prompt = [...witness.prompts.values()].at(-1)
    // Another device speaks CAP.
    if (prompt === undefined || (carriesAnswersInRuns(wire) && what !== 'cancel-run')) return
    count(`elsewhere ${what}`)
    const { requestId } = prompt.run
    if (what === 'cancel-run') return network.command(requestId, 'cancel', {})
    const again = network.sent.at(-1)
    if (what === 'again')
      return again === undefined ? undefined : network.command(again.requestId, 'answer', again.body)
    const said = foreignAnswer(prompt, what, [...witness.prompts.values()])
    if (what === 'allow' && said.type === 'option')
      given.push({ promptId: prompt.id, answer: said, page: undefined, result: undefined, at: 0 })
    foreign += 1
    const { type } = said
    const body =
      said.type === 'option' ? { type, option_id: said.optionId, digest: said.digest, edits: said.edits } : said
    network.command(requestId, 'answer', { prompt_id: prompt.id, answer_id: `foreign-${foreign}`, answer: body })
  }

  function act(step: ConsentStep): void {
    switch (step.do) {
      case 'cut':
        return network.cut()
      case 'log-down':
        return servers.failNextWrite()
      case 'kill':
        return servers.kill(step.process)
      case 'server-block':
        return servers.block(step.tab, step.ms)
      case 'set-server-clock':
        return servers.setClock(step.ms)
      case 'elsewhere':
        return elsewhere(step.what)
      case 'outage':
        return network.fail(step)
      case 'open':
        if (pages.open.length < MOST_PAGES) pages.add()
        return
      default:
        return actIn(step)
    }
  }

  function actIn(step: Extract<ConsentStep, { readonly tab: number }>): void {
    const page = pages.open[step.tab % Math.max(1, pages.open.length)]
    if (page === undefined) return
    const { thread, chat } = page
    switch (step.do) {
      case 'block':
        return thread.block(step.ms)
      case 'set-clock':
        return page.setClock(step.ms)
      case 'close':
        // What a page alone knows is left with it.
        if (tabs === 'plain') for (const { requestId } of chat.getSnapshot().messages) left.add(requestId ?? '')
        return leave(page, true)
      case 'crash':
        if (tabs === 'plain') for (const { requestId } of chat.getSnapshot().messages) left.add(requestId ?? '')
        return leave(page, false)
      case 'reload':
        forgetLatest(page)
        return void pages.reload(page)
      default: {
        const { do: what } = step
        thread.post('user', 0, () => {
          if (what === 'send') void send(page, () => chat.sendMessage(`And ${time.now}?`, { whenBusy: 'queue' }))
          else if (what === 'say') void chat.say(`word ${(words += 1)}`)
          else if (what === 'stop') void stop(page)
          else if (what === 'edit') edit(page)
          else if (what === 'stop-at-publish') page.atNextPublish = () => void stop(page)
          else if (what === 'hide') void chat.disconnect()
          else if (what === 'show') void chat.resume()
          else if (isAnswering(what)) answer(page, waitingIn(page)[0], what)
        })
      }
    }
  }

  void pages.add().chat.sendMessage('Please begin.')
  for (const step of steps) {
    await time.runUntil(time.now + step.after)
    count(step.do)
    act(step)
    if (fault !== undefined) throw fault
  }

  network.heal()
  servers.heal()
  if (pages.open.length === 0) pages.add()
  for (let rest = 0; rest < MOST_RESTS; rest += 1) {
    for (const page of pages.open) void page.chat.resume()
    await time.runUntil(time.now + (rest === 0 ? LAST_MS : REST_MS))
    noteLeft()
    const areOver = witness.runs.every((run) => run.isLost || run.closed !== undefined || left.has(run.requestId))
    const areDecided = pages.open.every((page) => !promptsIn(page).some(isUndecided))
    if (areDecided && areOver && pages.open.every(isIdle)) break
    // A run that has ended with its question, and is gone by now, takes no answer any more: the user gives it up.
    if (carriesAnswersInRuns(wire) && rest > MOST_TRIES) for (const page of pages.open) void stop(page)
    else for (const page of pages.open) for (const prompt of waitingIn(page)) answer(page, prompt, 'decline')
  }
  if (tabs === 'stored') pages.add()
  await time.runUntil(time.now + LAST_MS)

  if (fault !== undefined) throw fault
  const isOpen = (page: unknown): boolean => pages.open.some((own) => own === page)
  // A page that was left before it had sent an answer, or heard how a prompt was settled, has it stored as begun.
  const abandoned = given
    .filter(({ page, result }) => (page !== undefined && !isOpen(page) && isUnknown(result)) || result === 'too-late')
    .map(({ promptId }) => loggedId(promptId))
  for (const page of pages.open) {
    const foreign =
      tabs === 'plain'
        ? [
            ...given
              .filter((own) => own.page !== page && isConsent(own.answer))
              .map(({ promptId }) => loggedId(promptId)),
            ...pages.open.filter((other) => other !== page).flatMap(({ takenOver }) => [...takenOver]),
          ]
        : []
    promise(isIdle(page), () => `A chat is still ${page.chat.getSnapshot().status} when everything has ended.`)
    for (const prompt of promptsIn(page)) {
      count(`shown ${prompt.state}`)
      const unsure = new Set([...network.unsure, ...page.takenOver, ...abandoned])
      checkShown(prompt, wire, witness, unsure, new Set(foreign))
      for (const own of given) if (tabs === 'stored' || own.page === page) checkConfirmed(own, prompt)
    }
  }
  checkConsent({ agent, witness, given, left, deaths: servers.deaths, count })
  checkStops(claims, agent, witness, servers.deaths)
  promise(network.streams === 0, () => `${network.streams} connections are left.`)
  return tally
}

function isIdle({ chat }: Page): boolean {
  const { status } = chat.getSnapshot()
  return status === 'ready' || status === 'error'
}

function isUnknown(result: Given['result']): boolean {
  return result === undefined || result === 'unconfirmed'
}

/** Whether an answer has ended without the agent's own end. */
function isBroken(status: ChatMessage['status']): boolean {
  return status === 'incomplete' || status === 'failed' || status === 'not-sent'
}
