import { isAgentError } from '../../../src/base/agent-error.ts'
import type { EventLog } from '../../../src/server/event-log/event-log.ts'
import { createManualClock, type ManualClock } from '../../support/manual-clock.ts'
import { post } from '../peer.ts'
import { createGate, serveAgent } from '../serve-agent.ts'

/** What everybody concerned sees of a store that fails in the middle of an answer. */
export interface Seen {
  /** `stopped`: the signal of the run was aborted. */
  readonly agent: 'stopped' | 'finished'
  /** How the connection of the first reader ended, and on what text. */
  readonly reader: string
  /** Status and code for the same request while the store fails: as a client that reconnects sends it. */
  readonly reconnect: string
  /** The same for another question. */
  readonly next: string
  /** The same for the first question again, as a client that reconnects sends it, after the repair. */
  readonly repaired: string
  /** Codes of what went to `onError`, each once, in order. */
  readonly operator: readonly string[]
  /** Longest time that anybody waited for a byte, on the clock of the server. */
  readonly longestSilenceMs: number
}

/** A heartbeat is due after so long. */
export const LONGEST_SILENCE_MS = 15_000

/** What is seen of most failures: no part of an answer is kept as the whole, and nothing runs until the store works. */
export const LOST: Omit<Seen, 'operator' | 'longestSilenceMs'> = {
  agent: 'stopped',
  reader: 'broken off after "one"',
  reconnect: '409 log_expired',
  next: '503 log_unavailable',
  repaired: '409 log_expired',
}

export interface StoreFailure {
  /** The log, on the clock of the server. */
  open(clock: ManualClock): EventLog
  /** Lets the store fail, while the agent is silent. */
  fail(): Promise<void> | void
  /** Absent: nothing can be repaired. */
  repair?(): Promise<void> | void
  /** What the agent says to a store that fails. @default ' two' */
  readonly words?: string
  /** The agent says nothing more until time has passed. @default false */
  readonly isQuiet?: boolean
}

const NEXT_ID = '0b7e7c52-6f0a-4d0e-9d6e-0f5d3a2c1b11'
const STEP_MS = 1_000
/** Real time for bytes to arrive before the clock of the server moves on: so many looks, so many milliseconds apart. */
const LOOKS = 30
const LOOK_MS = 10

/** Plays a failure against a real server over HTTP. Time passes only while somebody waits. */
export async function meetStoreFailure(failure: StoreFailure): Promise<Seen> {
  const clock = createManualClock()
  const failed = createGate()
  const agentEnded = createGate()
  let agent: Seen['agent'] = 'finished'
  const { url, errors } = await serveAgent(
    async function* (_request, run) {
      yield 'one'
      await failed.opened
      run.signal.addEventListener('abort', () => {
        agent = 'stopped'
        agentEnded.open()
      })
      if (failure.isQuiet === true) await run.sleep(6_000)
      yield failure.words ?? ' two'
      await run.write(' three')
      agentEnded.open()
    },
    { log: failure.open(clock), clock },
  )
  let longestSilenceMs = 0
  const listen = async <Value>(waiting: Promise<Value>): Promise<Value> => {
    const since = clock.now()
    try {
      return await passTime(clock, waiting)
    } finally {
      longestSilenceMs = Math.max(longestSilenceMs, clock.now() - since)
    }
  }
  const ask = async (posting: Parameters<typeof post>[1]): Promise<string> => statusOf(await listen(post(url, posting)))

  const response = await post(url)
  const stream = response.body?.getReader()
  let text = ''
  const decoder = new TextDecoder()
  const read = async (): Promise<boolean> => {
    const { done, value } = (await stream?.read()) ?? { done: true, value: undefined }
    text += decoder.decode(value, { stream: true })
    return !done
  }
  while (!text.includes('"one"')) await read()
  await failure.fail()
  failed.open()
  let ending = 'complete'
  try {
    for (let isOpen = true; isOpen;) isOpen = await listen(read())
  } catch {
    ending = 'broken off'
  }
  await passTime(clock, agentEnded.opened)
  const reconnect = await ask({ headers: { 'last-event-id': 'any' } })
  const next = await ask({ requestId: NEXT_ID, query: 'Why else?' })
  await failure.repair?.()
  const repaired = await ask({ headers: { 'last-event-id': 'any' } })
  const operator = errors.map((error) => (isAgentError(error) ? error.code : String(error)))
  return {
    agent,
    reader: `${ending} after ${JSON.stringify(wordsIn(text))}`,
    reconnect,
    next,
    repaired,
    operator: [...new Set(operator)],
    longestSilenceMs,
  }
}

/** Moves the clock while a promise is pending. */
async function passTime<Value>(clock: ManualClock, waiting: Promise<Value>): Promise<Value> {
  let isSettled = false
  const settle = (): void => {
    isSettled = true
  }
  waiting.then(settle, settle)
  for (let looks = 1; !isSettled; looks++) {
    await new Promise((resolve) => {
      setTimeout(resolve, LOOK_MS)
    })
    if (!isSettled && looks % LOOKS === 0) await clock.advance(STEP_MS)
  }
  return waiting
}

async function statusOf(response: Response): Promise<string> {
  if (response.status === 200) {
    await response.body?.cancel().catch(() => {})
    return '200'
  }
  const { code } = (await response.json()) as { readonly code?: string }
  return `${response.status} ${code}`
}

function wordsIn(text: string): string {
  return [...text.matchAll(/"op":"DELTA","t":"[^"]*","p":"([^"]*)"/g)].map(([, word]) => word?.slice(0, 10)).join('')
}
