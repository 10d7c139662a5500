import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { backoff } from '../../src/base/backoff.ts'
import type { CommandResult } from '../../src/seam/command.ts'
import type { AgentClient } from '../../src/session/agent-client.ts'
import type { CapturableChat } from '../../src/state/chat-options.ts'
import { createChat } from '../../src/state/chat.ts'
import { settle } from '../support/manual-clock.ts'
import type { ManualEnvironment } from '../support/manual-environment.ts'
import { createManualEnvironment } from '../support/manual-environment.ts'
import { createScriptedPeer, failure } from '../support/scripted-peer.ts'

let environment: ManualEnvironment
let chat: CapturableChat

beforeEach(() => {
  environment = createManualEnvironment()
})

afterEach(() => chat.dispose())

const clientOf = (peer: ReturnType<typeof createScriptedPeer>): AgentClient<string> => ({
  protocol: peer.protocol,
  retry: backoff({ maxAttempts: 5 }),
  timeoutMs: 60_000,
  environment,
  createRequest: ({ text }) => text,
})

async function begin(
  options: Parameters<typeof createScriptedPeer>[0],
): Promise<ReturnType<typeof createScriptedPeer>> {
  const peer = createScriptedPeer(options)
  const client = clientOf(peer)
  chat = createChat({ client: () => client, conversationId: 'c1' })
  void chat.sendMessage('Go')
  await settle()
  peer.connection.say(1, 'On my ')
  await settle()
  return peer
}

const answer = (): unknown => {
  const { status, stop } = chat.getSnapshot().messages[1] ?? {}
  return { status, stop }
}

describe('a stopped run', () => {
  it('has ended on the page at once, and cancelled when the agent confirms', async () => {
    let told = (_result: CommandResult): void => {}
    const peer = await begin({ canAct: true, onCommand: () => new Promise((resolve) => (told = resolve)) })
    const stopped = chat.stop()
    expect(answer()).toEqual({ status: 'stopped', stop: 'cancelling' })
    expect(peer.connection.aborted).toBe(true)
    expect(peer.commands).toMatchObject([{ type: 'cancel', handle: { lastEventId: 's1' } }])
    told({ result: 'accepted' })
    expect(await stopped).toBe('cancelled')
    expect(answer()).toEqual({ status: 'stopped', stop: 'cancelled' })
  })

  it('of an earlier page, which this page has not resumed, is cancelled at the agent too', async () => {
    let told = (_result: CommandResult): void => {}
    const peer = await begin({ canAct: true, onCommand: () => new Promise((resolve) => (told = resolve)) })
    const before = chat
    const client = clientOf(peer)
    chat = createChat({ client: () => client, conversationId: 'c1', initialState: before.capture() })
    void before.disconnect()
    const stopped = chat.stop()
    expect(answer()).toEqual({ status: 'stopped', stop: 'cancelling' })
    expect(peer.commands).toMatchObject([{ type: 'cancel', handle: { lastEventId: 's1' } }])
    told({ result: 'unsupported' })
    expect(await stopped).toBe('left')
    expect(answer()).toEqual({ status: 'stopped', stop: 'left' })
  })

  it('that had ended for the agent is cancelled: it works no longer', async () => {
    await begin({ canAct: true, onCommand: () => ({ result: 'too-late' }) })
    expect(await chat.stop()).toBe('cancelled')
  })

  it('is left where the agent has no such command', async () => {
    await begin({ canAct: false })
    expect(await chat.stop()).toBe('left')
    expect(answer()).toEqual({ status: 'stopped', stop: 'left' })
  })

  it('is left when the agent does not confirm, however often it was told', async () => {
    const peer = await begin({
      canAct: true,
      onCommand: () => {
        throw failure()
      },
    })
    const stopped = chat.stop()
    for (let round = 0; round < 20; round++) await environment.clock.advance(1_000)
    expect(await stopped).toBe('left')
    expect(peer.commands.length).toBeGreaterThan(1)
  })

  it('is cancelled by an attempt that arrives after others were lost', async () => {
    let attempts = 0
    await begin({
      canAct: true,
      onCommand: () => {
        if (++attempts < 3) throw failure()
        return { result: 'accepted' }
      },
    })
    const stopped = chat.stop()
    for (let round = 0; round < 14; round++) await environment.clock.advance(1_000)
    expect(await stopped).toBe('cancelled')
  })

  it('by another device is stopped here as well', async () => {
    const peer = await begin({ canAct: true })
    peer.connection.event(2, { type: 'stream-closed', streamId: 's1', outcome: 'cancelled' })
    await settle()
    expect(answer()).toEqual({ status: 'stopped', stop: 'cancelled' })
    expect(chat.getSnapshot().status).toBe('ready')
  })

  it('holds the queue, whoever stopped it', async () => {
    const peer = await begin({ canAct: true })
    await chat.sendMessage('Next', { whenBusy: 'queue' })
    peer.connection.event(2, { type: 'stream-closed', streamId: 's1', outcome: 'cancelled' })
    await settle()
    expect(peer.connections).toHaveLength(1)
    expect(chat.getSnapshot().queued).toHaveLength(1)
  })

  it('asks once however often the user stops it, and gives everyone the same answer', async () => {
    let told = (_result: CommandResult): void => {}
    const peer = await begin({ canAct: true, onCommand: () => new Promise((resolve) => (told = resolve)) })
    const all = [chat.stop(), chat.stop()]
    const stop = chat.subscribe(() => all.push(chat.stop()))
    told({ result: 'accepted' })
    await settle()
    stop()
    expect(new Set(await Promise.all([...all, chat.stop()]))).toEqual(new Set(['cancelled']))
    expect(peer.commands).toHaveLength(1)
  })
})

describe('a run whose connection has failed', () => {
  async function fail(
    options: Parameters<typeof createScriptedPeer>[0],
  ): Promise<ReturnType<typeof createScriptedPeer>> {
    const peer = await begin(options)
    peer.connection.fail(failure({ severity: 'FATAL', code: 'truncated' }))
    await settle()
    expect(answer()).toEqual({ status: 'incomplete', stop: undefined })
    return peer
  }

  it.each([
    [{ result: 'accepted' }, 'cancelled'],
    [{ result: 'unsupported' }, 'left'],
  ] as const)('is stopped at the agent, which answers %o', async (result, known) => {
    const peer = await fail({ canAct: true, onCommand: () => result })
    const stopped = chat.stop()
    expect(answer()).toEqual({ status: 'stopped', stop: 'cancelling' })
    expect(await stopped).toBe(known)
    expect(answer()).toEqual({ status: 'stopped', stop: known })
    expect(peer.commands).toMatchObject([{ type: 'cancel', handle: { lastEventId: 's1' } }])
    expect(chat.getSnapshot().status).toBe('ready')
    // What the user has stopped is not resumed.
    await chat.resume()
    expect(peer.connections).toHaveLength(1)
  })

  it('on an earlier page is stopped at the agent, whether or not it can be resumed', async () => {
    const peer = await fail({ canAct: true })
    const before = chat
    const client = clientOf(peer)
    const { run: _run, ...rest } = before.capture()
    for (const initialState of [before.capture(), rest]) {
      chat = createChat({ client: () => client, conversationId: 'c1', initialState })
      expect(await chat.stop()).toBe('cancelled')
      expect(answer()).toEqual({ status: 'stopped', stop: 'cancelled' })
    }
    expect(peer.commands).toHaveLength(2)
  })

  it('is not stopped at the agent by disposing of the chat: it may be resumed elsewhere', async () => {
    const peer = await fail({ canAct: true })
    await chat.dispose()
    expect(peer.commands).toEqual([])
  })
})

describe('a stop of a run that is not the latest, or is not known here', () => {
  it('is sent to the agent, and ends no other run', async () => {
    const peer = await begin({ canAct: true, onCommand: () => ({ result: 'unsupported' }) })
    expect(await chat.stopRun('unknown')).toBe('left')
    expect(peer.commands).toMatchObject([{ type: 'cancel', requestId: 'unknown' }])
    expect(answer()).toEqual({ status: 'streaming', stop: undefined })
  })

  it('of one that the agent has ended is cancelled, and sends nothing', async () => {
    const peer = await begin({ canAct: true })
    peer.connection.close(2)
    await settle()
    expect(await chat.stopRun(chat.getSnapshot().messages[1]?.requestId ?? '')).toBe('cancelled')
    expect(await chat.stop()).toBe('cancelled')
    expect(peer.commands).toEqual([])
  })

  it('of a queued message is left: it is sent when its turn comes', async () => {
    await begin({ canAct: true })
    await chat.sendMessage('Next', { whenBusy: 'queue' }, 'r2')
    expect(await chat.stopRun('r2')).toBe('left')
  })
})

describe('a message that is sent again under its id', () => {
  it('is cancelled at the agent when it is stopped before its request: the first may have arrived', async () => {
    const peer = createScriptedPeer({ canAct: true, onCommand: () => ({ result: 'unsupported' }) })
    const client = clientOf(peer)
    chat = createChat({ client: () => client, conversationId: 'c1' })
    void chat.sendMessage('Go')
    await settle()
    peer.connection.fail(failure({ severity: 'FATAL' }))
    await settle()
    expect(chat.getSnapshot().messages.map(({ status }) => status)).toEqual(['not-sent'])
    void chat.retry()
    expect(await chat.stop()).toBe('left')
    expect(peer.commands).toHaveLength(1)
  })
})

describe('a stop by a subscriber in the middle of another action', () => {
  /** Stops at every publication until one has ended the run. */
  function stopAt(publication: number): () => void {
    let published = 0
    return chat.subscribe(() => {
      published += 1
      if (published === publication) void chat.stop()
    })
  }

  it.each([1, 2])('ends the run of an edit, at publication %i', async (publication) => {
    const peer = await begin({ canAct: true })
    const unsubscribe = stopAt(publication)
    await chat.edit('user-' + (chat.getSnapshot().messages[0]?.requestId ?? ''), 'Go there')
    unsubscribe()
    await settle()
    expect(peer.connections).toHaveLength(1)
    expect(chat.getSnapshot().messages).toMatchObject([{ parts: [{ text: 'Go there' }] }, { status: 'stopped' }])
    expect(chat.getSnapshot().status).toBe('ready')
  })

  it.each(['regenerate', 'sendMessage'] as const)('ends the run of %s', async (action) => {
    const peer = await begin({ canAct: true })
    peer.connection.close(2)
    await settle()
    const unsubscribe = stopAt(1)
    await (action === 'regenerate' ? chat.regenerate() : chat.sendMessage('Next'))
    unsubscribe()
    await settle()
    expect(peer.connections).toHaveLength(1)
    expect(chat.getSnapshot().messages.at(-1)).toMatchObject({ status: 'stopped' })
  })

  it('ends the run that a retry resumes', async () => {
    const peer = await begin({ canAct: true })
    peer.connection.fail(failure({ severity: 'FATAL', code: 'truncated' }))
    await settle()
    const unsubscribe = stopAt(1)
    await chat.retry()
    unsubscribe()
    await settle()
    expect(peer.connections.filter(({ aborted }) => !aborted).length).toBeLessThan(2)
    expect(answer()).toEqual({ status: 'stopped', stop: 'cancelled' })
  })
})
