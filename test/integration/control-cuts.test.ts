import { beforeEach, describe, expect, it } from 'vitest'
import type { Frames } from '../../src/base/ports/environment.ts'
import { CapClient } from '../../src/index.ts'
import type { Prompt } from '../../src/seam/prompt.ts'
import type { Agent, AgentRun } from '../../src/server.ts'
import { createAgentHandler, memoryEventLog, toNodeListener } from '../../src/server.ts'
import type { ChatInstance } from '../../src/state/chat.ts'
import type { ChatSnapshot } from '../../src/state/chat-snapshot.ts'
import { createChat } from '../../src/state/chat.ts'
import { promptsOf } from '../../src/state/prompts.ts'
import { serve } from '../server/peer.ts'
import type { CuttingProxy, Direction } from '../support/cutting-proxy.ts'
import { proxyCut } from '../support/cutting-proxy.ts'

/** Where the connections of one command are cut. */
interface Played {
  readonly direction: Direction
  /** Whether the connection is cut before the last byte of that direction. */
  readonly inside: boolean
  /** `one`: the command gets through when it is sent again. `all`: no connection gets further. */
  readonly connections: 'none' | 'one' | 'all'
}

const CONNECTIONS = { none: 0, one: 1, all: Number.POSITIVE_INFINITY }
/** A cancel, an answer or a word is sent so often at most. */
const ATTEMPTS = 2
const SOONEST: Frames = {
  next(callback) {
    const immediate = setImmediate(callback)
    return () => clearImmediate(immediate)
  },
}

let server: string
let proxy: CuttingProxy
let agent: Agent

beforeEach(async () => {
  const handler = createAgentHandler({ agent: (...given) => agent(...given), log: memoryEventLog() })
  const listener = toNodeListener(handler)
  server = await serve((request, response) => {
    // A connection that is kept for the next request and was closed meanwhile would cost that request an attempt nobody counted.
    response.setHeader('connection', 'close')
    listener(request, response)
  })
  proxy = await proxyCut(server)
})

/** A chat whose answers come as they are, and whose commands go through the proxy. */
function createCutChat(): ChatInstance {
  const client = new CapClient({
    baseUrl: server,
    fetch: (url, init) => fetch(url.includes('/runs/') ? url.replace(server, proxy.origin) : url, init),
    maxRetries: ATTEMPTS - 1,
    environment: { random: () => 0, frames: SOONEST },
  })
  return createChat({ client: () => client, conversationId: crypto.randomUUID() })
}

function until(chat: ChatInstance, is: (snapshot: ChatSnapshot) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (!is(chat.getSnapshot())) return
      leave()
      resolve()
    }
    const leave = chat.subscribe(look)
    look()
  })
}

/** Sends a command over connections that are cut; what it returns is done over whole ones. */
type Play = (played: Played) => Promise<() => Promise<void>>

/** Plays a command whole, to count its bytes, and then once for each place where its request and its response can be cut. */
async function cutAtEveryByte(play: Play): Promise<void> {
  proxy.cut(undefined)
  const finish = await play({ direction: 'request', inside: false, connections: 'none' })
  const { passed, cuts } = proxy
  expect(cuts).toBe(0)
  await finish()
  for (const direction of ['request', 'response'] as const) {
    expect(passed[direction]).toBeGreaterThan(100)
    for (const connections of ['one', 'all'] as const) {
      for (let afterBytes = 0; afterBytes <= passed[direction]; afterBytes++) {
        proxy.cut({ direction, afterBytes, times: CONNECTIONS[connections] })
        const finishCut = await play({ direction, inside: afterBytes < passed[direction], connections })
        expect(proxy.cuts).toBeGreaterThan(0)
        proxy.cut(undefined)
        await finishCut()
      }
    }
  }
}

/** The outcome of each kind of cut, as one line. */
function createOutcomes() {
  const seen = new Map<string, Set<string>>()
  return {
    add({ direction, inside, connections }: Played, outcome: string): void {
      const played =
        connections === 'none' ? 'whole' : `${direction}, ${connections}, ${inside ? 'inside' : 'after it'}`
      seen.set(played, new Set(seen.get(played)).add(outcome))
    },
    all: () => Object.fromEntries([...seen].map(([played, outcomes]) => [played, [...outcomes].toSorted()])),
  }
}

describe('a cancel that is cut at any byte', () => {
  it('is cancelled where the agent was stopped, and left where nobody knows', async () => {
    let run: AgentRun | undefined
    agent = async function* (_request, running) {
      run = running
      yield 'I count. '
      await new Promise((_resolve, reject) => {
        running.signal.addEventListener('abort', reject)
      })
    }
    const outcomes = createOutcomes()
    await cutAtEveryByte(async (played) => {
      const chat = createCutChat()
      const done = chat.sendMessage('Count')
      await until(chat, ({ status }) => status === 'streaming')
      const stopped = await chat.stop()
      outcomes.add(played, `${stopped}, the agent ${run?.signal.aborted ? 'has stopped' : 'works on'}`)
      return async () => {
        await done
        expect(chat.getSnapshot().messages[1]).toMatchObject({ status: 'stopped', stop: stopped })
      }
    })
    expect(outcomes.all()).toEqual({
      whole: ['cancelled, the agent has stopped'],
      'request, one, inside': ['cancelled, the agent has stopped'],
      'request, one, after it': ['cancelled, the agent has stopped'],
      'request, all, inside': ['left, the agent works on'],
      // The agent may learn of it a moment later than the page gives up.
      'request, all, after it': expect.toBeOneOf([['left, the agent has stopped'], ['left, the agent works on']]),
      'response, one, inside': ['cancelled, the agent has stopped'],
      'response, one, after it': ['cancelled, the agent has stopped'],
      'response, all, inside': ['cancelled, the agent has stopped', 'left, the agent has stopped'],
      'response, all, after it': ['cancelled, the agent has stopped'],
    })
  }, 120_000)
})

describe('an answer that is cut at any byte', () => {
  it('is done once where it was accepted, and otherwise unconfirmed until it is given again', async () => {
    let executed = 0
    agent = async function* (_request, run) {
      const answer = await run.ask({
        kind: 'approval',
        message: 'Send it?',
        subject: { name: 'send', input: { to: 'Ann' } },
      })
      if (answer.type === 'allowed') executed += 1
      yield 'Sent.'
    }
    const outcomes = createOutcomes()
    await cutAtEveryByte(async (played) => {
      executed = 0
      const chat = createCutChat()
      const prompt = (): Prompt | undefined => chat.getSnapshot().messages.flatMap(promptsOf)[0]
      const done = chat.sendMessage('Write to Ann')
      await until(chat, ({ status }) => status === 'awaiting-input')
      const { id = '', options, subject } = prompt() ?? {}
      const answer = { type: 'option', optionId: options?.[0]?.id ?? '', digest: subject?.digest } as const
      const { status } = await chat.answer(id, answer)
      outcomes.add(played, `${status}, done ${executed}`)
      return async () => {
        // Who is told that it is not known may simply answer again.
        const again = await chat.answer(id, answer)
        expect(['accepted', 'too-late']).toContain(again.status)
        await done
        expect(prompt()?.state).toBe('answered')
        expect(executed).toBe(1)
      }
    })
    expect(outcomes.all()).toEqual({
      whole: ['accepted, done 1'],
      'request, one, inside': ['accepted, done 1'],
      'request, one, after it': ['accepted, done 1'],
      'request, all, inside': ['unconfirmed, done 0'],
      // The events of the run confirm what its response could not.
      'request, all, after it': expect.toBeOneOf([['unconfirmed, done 0'], ['accepted, done 1']]),
      'response, one, inside': ['accepted, done 1'],
      'response, one, after it': ['accepted, done 1'],
      'response, all, inside': ['accepted, done 1'],
      'response, all, after it': ['accepted, done 1'],
    })
  }, 120_000)
})

describe('a word that is cut at any byte', () => {
  it('is sent where the agent has heard it', async () => {
    let heard: string[] = []
    let release = (): void => {}
    agent = async function* (_request, run) {
      yield 'North and south. '
      await new Promise<void>((resolve) => {
        release = resolve
      })
      heard.push(...run.inbox.take().map(({ text }) => text))
      yield 'That is all.'
    }
    const outcomes = createOutcomes()
    await cutAtEveryByte(async (played) => {
      heard = []
      const chat = createCutChat()
      const said = (): readonly string[] =>
        chat
          .getSnapshot()
          .messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'said' ? [part.status] : [])))
      const done = chat.sendMessage('Where?')
      await until(chat, ({ status }) => status === 'streaming')
      expect(await chat.say('Only the north')).toEqual({ status: 'accepted' })
      return async () => {
        release()
        await done
        outcomes.add(played, `${said().join()}, heard ${heard.length}`)
      }
    })
    expect(outcomes.all()).toEqual({
      whole: ['sent, heard 1'],
      'request, one, inside': ['sent, heard 1'],
      'request, one, after it': ['sent, heard 1'],
      'request, all, inside': ['not-sent, heard 0'],
      'request, all, after it': expect.toBeOneOf([['sent, heard 1'], ['not-sent, heard 0']]),
      'response, one, inside': ['sent, heard 1'],
      'response, one, after it': ['sent, heard 1'],
      'response, all, inside': ['sent, heard 1'],
      'response, all, after it': ['sent, heard 1'],
    })
  }, 120_000)
})
