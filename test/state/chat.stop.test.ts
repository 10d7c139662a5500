import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { backoff } from '../../src/base/backoff.ts'
import type { CommandResult } from '../../src/protocols/command.ts'
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
  it('is over on the page at once, and cancelled when the agent confirms', async () => {
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
})
