import { beforeEach, describe, expect, it } from 'vitest'
import { DRAIN_MS } from '../../src/seam/drain.ts'
import type { AgentClient } from '../../src/session/agent-client.ts'
import { backoff } from '../../src/base/backoff.ts'
import {
  createChat,
  type ChatRegistry,
  createChatRegistry,
  KEPT_CHATS,
  type ChatInstance,
} from '../../src/state/chat.ts'
import { textOf } from '../../src/state/turn.ts'
import { settle } from '../support/manual-clock.ts'
import type { ManualEnvironment } from '../support/manual-environment.ts'
import { createManualEnvironment } from '../support/manual-environment.ts'
import type { ScriptedPeer } from '../support/scripted-peer.ts'
import { createScriptedPeer, failure } from '../support/scripted-peer.ts'

let environment: ManualEnvironment
let peer: ScriptedPeer
let client: AgentClient
let registry: ChatRegistry

beforeEach(() => {
  environment = createManualEnvironment()
  peer = createScriptedPeer()
  client = {
    protocol: peer.protocol,
    retry: backoff({ maxAttempts: 0 }),
    timeoutMs: 60_000,
    environment,
    createRequest: ({ text }) => text,
  }
  registry = createChatRegistry()
})

const obtain = (conversationId: string): ChatInstance => registry.obtain({ conversationId, client })

/** Shows a conversation, does something with it and goes. */
async function visit(
  conversationId: string,
  use: (chat: ChatInstance) => Promise<void> | void = () => {},
): Promise<ChatInstance> {
  const chat = obtain(conversationId)
  const release = registry.retain(chat, () => ({ client, callbacks: {} }))
  await use(chat)
  release()
  await environment.clock.advance(0)
  return chat
}

async function ask(chat: ChatInstance): Promise<void> {
  void chat.sendMessage('Why?')
  await settle()
  peer.connection.say(1, 'Because.')
  peer.connection.close(2)
  await settle()
}

async function visitOthers(count: number): Promise<void> {
  for (let other = 0; other < count; other += 1) await visit(`other ${other}`, ask)
}

describe('a chat that no component shows', () => {
  it('is found again while it is one of those left last', async () => {
    const chat = await visit('c1', ask)
    await visitOthers(KEPT_CHATS - 1)
    expect(obtain('c1')).toBe(chat)
    expect(obtain('c1').getSnapshot().messages.map(textOf)).toEqual(['Why?', 'Because.'])
  })

  it('is dropped and disposed of once enough others were left after it', async () => {
    const chat = await visit('c1', ask)
    await visitOthers(KEPT_CHATS)
    expect(obtain('c1')).not.toBe(chat)
    expect(obtain('c1').getSnapshot().messages).toEqual([])
    expect(await chat.sendMessage('And?')).toMatchObject({ status: 'refused', error: { code: 'app_error' } })
    // Responses are read to their end for a moment.
    await environment.clock.advance(DRAIN_MS)
    expect(environment.clock.pending).toBe(0)
    expect(environment.listeners).toBe(0)
  })

  it('counts as left when it was left last, not first', async () => {
    const chat = await visit('c1', ask)
    await visitOthers(KEPT_CHATS - 1)
    await visit('c1')
    await visitOthers(KEPT_CHATS - 1)
    expect(obtain('c1')).toBe(chat)
  })

  it.each<[what: string, use: (chat: ChatInstance) => Promise<void>]>([
    [
      'a run that is not over',
      async (chat) => {
        void chat.sendMessage('Why?')
        await settle()
      },
    ],
    [
      'an unsent message',
      async (chat) => {
        void chat.sendMessage('Why?')
        await settle()
        peer.connection.fail(failure({ kind: 'runtime', code: 'unauthorized', severity: 'FATAL', status: 401 }))
        await settle()
      },
    ],
    [
      'a queued message',
      async (chat) => {
        void chat.sendMessage('Why?')
        void chat.sendMessage('And?', { whenBusy: 'queue' })
        await chat.stop()
      },
    ],
  ])('is kept for %s', async (_, use) => {
    const chat = await visit('c1', use)
    await visitOthers(3 * KEPT_CHATS)
    expect(obtain('c1')).toBe(chat)
  })

  it('is not dropped while it is shown, however many are left', async () => {
    const chat = obtain('c1')
    registry.retain(chat, () => ({ client, callbacks: {} }))
    await visitOthers(2 * KEPT_CHATS)
    expect(obtain('c1')).toBe(chat)
  })

  it('is opened again from a store that keeps it', async () => {
    const opened: string[] = []
    const store = {
      open: (options: Parameters<typeof createChat>[0]) => {
        opened.push(options.conversationId)
        return createChat(options)
      },
    }
    const seed = { conversationId: 'c1', client, store }
    registry.retain(registry.obtain(seed), () => ({ client, callbacks: {} }))()
    await environment.clock.advance(0)
    await visitOthers(KEPT_CHATS)
    registry.obtain(seed)
    expect(opened).toEqual(['c1', 'c1'])
  })
})
