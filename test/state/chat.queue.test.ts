import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DRAIN_MS } from '../../src/seam/drain.ts'
import type { AgentClient } from '../../src/session/agent-client.ts'
import { backoff } from '../../src/base/backoff.ts'
import type { ChatInstance, ChatCallbacks } from '../../src/state/chat.ts'
import { createChat } from '../../src/state/chat.ts'
import type { SendResult } from '../../src/state/chat-options.ts'
import { textOf } from '../../src/state/turn.ts'
import { settle } from '../support/manual-clock.ts'
import type { ManualEnvironment } from '../support/manual-environment.ts'
import { createManualEnvironment } from '../support/manual-environment.ts'
import type { ScriptedPeer } from '../support/scripted-peer.ts'
import { createScriptedPeer, failure } from '../support/scripted-peer.ts'

let environment: ManualEnvironment
let peer: ScriptedPeer
let chat: ChatInstance
let callbacks: ChatCallbacks

beforeEach(() => {
  environment = createManualEnvironment()
  peer = createScriptedPeer()
  callbacks = {}
  const client: AgentClient<string> = {
    protocol: peer.protocol,
    retry: backoff({ maxAttempts: 0 }),
    timeoutMs: 60_000,
    environment,
    createRequest: ({ text }) => text,
  }
  chat = createChat({ client: () => client, conversationId: 'c1', callbacks: () => callbacks })
})

afterEach(async () => {
  await chat.dispose()
  // Responses are read to their end for a moment.
  await environment.clock.advance(DRAIN_MS)
  expect(peer.connections.every(({ aborted }) => aborted)).toBe(true)
})

const shown = (): string[] =>
  chat.getSnapshot().messages.map((message) => `${message.role} ${message.status}: ${textOf(message)}`)
const waiting = (): string[] => chat.getSnapshot().queued.map(({ message }) => message.text)
const queue = (words: string): Promise<SendResult> => chat.sendMessage(words, { whenBusy: 'queue' })
const asked = (): unknown[] => peer.connections.map(({ opening }) => opening.request)
async function answer(words = 'Yes.'): Promise<void> {
  peer.connection.say(1, words)
  peer.connection.close(2)
  await settle()
}

describe('a message written while an answer runs', () => {
  beforeEach(async () => {
    void chat.sendMessage('One?')
    await settle()
  })

  it('is refused unless it may wait', async () => {
    expect(await chat.sendMessage('Two?')).toMatchObject({ status: 'refused', error: { code: 'busy' } })
    expect(await chat.sendMessage('Two?', { whenBusy: 'reject' })).toMatchObject({
      status: 'refused',
      error: { code: 'busy' },
    })
    expect(waiting()).toEqual([])
  })

  it('waits, and is sent automatically when the answer is complete', async () => {
    expect(await queue('Two?')).toEqual({ status: 'queued' })
    expect(waiting()).toEqual(['Two?'])
    const [kept] = chat.getSnapshot().queued
    expect(shown()).toEqual(['user sending: One?', 'assistant pending: '])
    await answer()
    expect(waiting()).toEqual([])
    expect(shown()).toEqual([
      'user sent: One?',
      'assistant complete: Yes.',
      'user sending: Two?',
      'assistant pending: ',
    ])
    expect(peer.connection.opening).toMatchObject({ request: 'Two?', requestId: kept?.id })
  })

  it('goes out one at a time, in the order they were written', async () => {
    await queue('Two?')
    await queue('Three?')
    await answer()
    expect(asked()).toEqual(['One?', 'Two?'])
    expect(waiting()).toEqual(['Three?'])
    await answer()
    expect(asked()).toEqual(['One?', 'Two?', 'Three?'])
    await answer()
    expect(chat.getSnapshot().status).toBe('ready')
  })

  it('can be taken back before it goes out, with its files', async () => {
    const message = { text: 'Two?', files: [{ id: 'f1', name: 'gauges.csv' }] }
    await chat.sendMessage(message, { whenBusy: 'queue' })
    expect(chat.discard(chat.getSnapshot().queued[0]?.id ?? '')).toEqual(message)
    await answer()
    expect(asked()).toEqual(['One?'])
  })

  it('has to have something in it', async () => {
    expect(await queue(' ')).toMatchObject({ status: 'refused', error: { code: 'invalid_request' } })
  })

  it('stays where it is when the answer fails, and goes out once a later one is complete', async () => {
    await queue('Two?')
    peer.connection.fail(failure({ kind: 'runtime', code: 'unauthorized', severity: 'FATAL' }))
    await settle()
    expect(shown()).toEqual(['user not-sent: One?'])
    expect(waiting()).toEqual(['Two?'])
    void chat.retry()
    await settle()
    await answer()
    expect(asked()).toEqual(['One?', 'One?', 'Two?'])
  })

  it('stays where it is when the answer is stopped', async () => {
    await queue('Two?')
    await chat.stop()
    await settle()
    expect(asked()).toEqual(['One?'])
    expect(waiting()).toEqual(['Two?'])
    const [kept] = chat.getSnapshot().queued
    // "Send now", as the composer does it.
    void chat.sendMessage(chat.discard(kept?.id ?? '') ?? '')
    await settle()
    expect(asked()).toEqual(['One?', 'Two?'])
    expect(waiting()).toEqual([])
  })

  it('lets an app that answers the end of a run with its own question go first', async () => {
    let once = false
    callbacks = {
      onFinish: () => {
        if (!once) void chat.sendMessage('Mine?')
        once = true
      },
    }
    await queue('Two?')
    await answer()
    expect(asked()).toEqual(['One?', 'Mine?'])
    await answer()
    expect(asked()).toEqual(['One?', 'Mine?', 'Two?'])
  })

  it('is not sent by a chat that was disposed of at the end of the answer', async () => {
    callbacks = { onFinish: () => void chat.dispose() }
    await queue('Two?')
    await answer()
    expect(asked()).toEqual(['One?'])
  })
})

describe('a message that may wait while nothing runs', () => {
  it('goes out immediately', async () => {
    void queue('One?')
    await settle()
    expect(asked()).toEqual(['One?'])
    expect(waiting()).toEqual([])
  })
})

describe('editing a sent message', () => {
  beforeEach(async () => {
    for (const words of ['One?', 'Two?', 'Three?']) {
      void chat.sendMessage({ text: words, files: ['f1'], metadata: { words } })
      await settle()
      await answer(`${words} Yes.`)
    }
  })
  const second = (): string => chat.getSnapshot().messages[2]?.id ?? ''

  it('replaces it and all that followed, under a new request id', async () => {
    const before = peer.connections.map(({ opening }) => opening.requestId)
    void chat.edit(second(), 'Two, or three?')
    expect(shown()).toEqual([
      'user sent: One?',
      'assistant complete: One? Yes.',
      'user sending: Two, or three?',
      'assistant pending: ',
    ])
    await settle()
    expect(before).not.toContain(peer.connection.opening.requestId)
    await answer('Three.')
    expect(shown().slice(2)).toEqual(['user sent: Two, or three?', 'assistant complete: Three.'])
  })

  it('keeps files and metadata when only the words are new, and takes what it is given otherwise', async () => {
    void chat.edit(second(), 'Two, or three?')
    expect(chat.getSnapshot().messages[2]).toMatchObject({ files: ['f1'], metadata: { words: 'Two?' } })
    void chat.edit(second(), { text: 'Neither?' })
    expect(chat.getSnapshot().messages[2]?.files).toBeUndefined()
    expect(chat.getSnapshot().messages[2]?.metadata).toBeUndefined()
  })

  it('stops the answer under way: what it says would be replaced', async () => {
    const sending = chat.sendMessage('Four?')
    await settle()
    const running = peer.connection
    void chat.edit(second(), 'Two, or three?')
    await sending
    await settle()
    expect(running.aborted).toBe(true)
    running.say(9, 'too late')
    await answer('Three.')
    expect(shown().slice(2)).toEqual(['user sent: Two, or three?', 'assistant complete: Three.'])
  })

  it('leaves a queue in its place', async () => {
    void chat.sendMessage('Four?')
    await queue('Five?')
    void chat.edit(second(), 'Two, or three?')
    await settle()
    expect(waiting()).toEqual(['Five?'])
    await answer()
    expect(asked().at(-1)).toBe('Five?')
  })

  it('changes nothing when there is no such message, or nothing to send', async () => {
    void chat.sendMessage('Four?')
    await settle()
    const before = shown()
    expect(await chat.edit('gone', 'Hm?')).toMatchObject({ status: 'refused', error: { code: 'invalid_request' } })
    expect(await chat.edit(chat.getSnapshot().messages[1]?.id ?? '', 'Hm?')).toMatchObject({
      status: 'refused',
      error: { code: 'invalid_request' },
    })
    expect(await chat.edit(second(), { text: ' ' })).toMatchObject({
      status: 'refused',
      error: { code: 'invalid_request' },
    })
    expect(shown()).toEqual(before)
    expect(peer.connection.aborted).toBe(false)
  })

  it('gives way to a call made in the very moment the answer is stopped', async () => {
    void chat.sendMessage('Four?')
    await settle()
    const unsubscribe = chat.subscribe(() => {
      if (chat.getSnapshot().status === 'ready') void chat.sendMessage('Mine?')
    })
    expect(await chat.edit(second(), 'Two, or three?')).toMatchObject({ status: 'refused', error: { code: 'busy' } })
    unsubscribe()
    await environment.clock.advance(DRAIN_MS)
    expect(peer.connections.filter(({ aborted }) => !aborted)).toHaveLength(1)
    expect(asked().at(-1)).toBe('Mine?')
  })
})
