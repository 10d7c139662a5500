import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { backoff } from '../../src/base/backoff.ts'
import type { ChatInput } from '../../src/seam/chat-input.ts'
import { DRAIN_MS } from '../../src/seam/drain.ts'
import type { AgentClient } from '../../src/session/agent-client.ts'
import { createChat, loadCommandsModule } from '../../src/state/chat.ts'
import type { CapturableChat } from '../../src/state/chat-options.ts'
import { settle } from '../support/manual-clock.ts'
import { createManualEnvironment, type ManualEnvironment } from '../support/manual-environment.ts'
import { promptOf } from '../support/prompts.ts'
import { createScriptedPeer, delivery, failure, type ScriptedPeer } from '../support/scripted-peer.ts'

// What answers a prompt is loaded on demand.
beforeAll(loadCommandsModule)

let environment: ManualEnvironment
let peer: ScriptedPeer
let client: AgentClient<string>
let chat: CapturableChat
let inputs: ChatInput[]

beforeEach(() => {
  environment = createManualEnvironment()
  peer = createScriptedPeer()
  inputs = []
  client = {
    protocol: peer.protocol,
    retry: backoff({ maxAttempts: 0 }),
    timeoutMs: 60_000,
    environment,
    createRequest(input) {
      inputs.push(input)
      return input.text
    },
  }
  chat = createChat({ client: () => client, conversationId: 'c1' })
})

afterEach(async () => {
  await chat.dispose()
  // Responses are read to their end for a moment.
  await environment.clock.advance(DRAIN_MS)
})

const sent = (): unknown[] => inputs.map(({ metadata }) => metadata)
const saved = (): unknown[] => chat.getSnapshot().messages.map(({ metadata }) => metadata)

/** What the action begins is sent. */
async function begin(action: Promise<unknown>): Promise<void> {
  void action
  await settle()
}

async function answer(): Promise<void> {
  peer.connection.say(1, 'Because.')
  peer.connection.close(2)
  await settle()
}

async function fail(code: 'http_error' | 'agent_error'): Promise<void> {
  peer.connection.fail(failure({ kind: 'runtime', code, status: 503, severity: 'FATAL' }))
  await settle()
}

describe('sendMessage with metadata', () => {
  it('puts it over that of the message, key by key, and saves it with the message', async () => {
    const message = { text: 'Why?', metadata: { model: 'small', place: 'river' } }
    await begin(chat.sendMessage(message, { metadata: { model: 'large' } }))
    expect(sent()).toEqual([{ model: 'large', place: 'river' }])
    expect(saved()[0]).toEqual({ model: 'large', place: 'river' })
  })

  it('keeps it while the message is queued, and when the user takes it back', async () => {
    await begin(chat.sendMessage('One?'))
    await begin(chat.sendMessage('Two?', { whenBusy: 'queue', metadata: { model: 'large' } }))
    await begin(chat.sendMessage('Three?', { whenBusy: 'queue', metadata: { model: 'small' } }))
    expect(chat.discard(chat.getSnapshot().queued[1]?.id ?? '')).toMatchObject({ metadata: { model: 'small' } })
    await answer()
    expect(sent()).toEqual([undefined, { model: 'large' }])
  })
})

describe('regenerate with metadata', () => {
  it('sends it over that of the question, which keeps its own, and saves it with the answer', async () => {
    await begin(chat.sendMessage({ text: 'Why?', metadata: { model: 'small', place: 'river' } }))
    await answer()
    await begin(chat.regenerate(undefined, { metadata: { model: 'large' } }))
    expect(sent()[1]).toEqual({ model: 'large', place: 'river' })
    expect(saved()).toEqual([
      { model: 'small', place: 'river' },
      { model: 'large', place: 'river' },
    ])
  })

  it('is for one request: the next regenerate asks as the question did', async () => {
    await begin(chat.sendMessage({ text: 'Why?', metadata: { model: 'small' } }))
    await answer()
    await begin(chat.regenerate(undefined, { metadata: { model: 'large' } }))
    await answer()
    await begin(chat.regenerate())
    expect(sent()).toEqual([{ model: 'small' }, { model: 'large' }, { model: 'small' }])
  })

  it('is repeated by retry of the answer that failed', async () => {
    await begin(chat.sendMessage('Why?'))
    await answer()
    await begin(chat.regenerate(undefined, { metadata: { model: 'large' } }))
    peer.connection.say(1, 'Half')
    await fail('agent_error')
    await begin(chat.retry())
    expect(sent()).toEqual([undefined, { model: 'large' }, { model: 'large' }])
  })

  it('makes another request of a message that was not sent, under another id', async () => {
    await begin(chat.sendMessage('Why?'))
    await fail('http_error')
    await begin(chat.regenerate(undefined, { metadata: { model: 'large' } }))
    expect(sent()).toEqual([undefined, { model: 'large' }])
    const [first, second] = inputs
    expect(second?.requestId).not.toBe(first?.requestId)
    // An agent that did receive the first one learns that the page no longer shows it.
    expect(second?.lineage?.replaces).toEqual([first?.requestId])
    expect(saved()).toEqual([{ model: 'large' }, undefined])
  })

  it('goes out again from what was captured, before and after the run has ended', async () => {
    await begin(chat.sendMessage({ text: 'Why?', metadata: { model: 'small' } }))
    await answer()
    await begin(chat.regenerate(undefined, { metadata: { model: 'large' } }))
    const next = createChat({ client: () => client, conversationId: 'c1', initialState: chat.capture() })
    void next.resume()
    await settle()
    expect(inputs[2]).toMatchObject({ metadata: { model: 'large' }, isRegeneration: true })
    expect(inputs[2]?.requestId).toBe(inputs[1]?.requestId)
    await fail('agent_error')
    void next.retry()
    await settle()
    expect(sent()[3]).toEqual({ model: 'large' })
    await next.dispose()
  })
})

describe('the run that carries answers to prompts', () => {
  it('has the metadata of the request that asked', async () => {
    await begin(chat.sendMessage({ text: 'Why?', metadata: { model: 'small' } }))
    await answer()
    await begin(chat.regenerate(undefined, { metadata: { model: 'large' } }))
    const prompt = promptOf({ answeredBy: 'next-run' })
    peer.connection.batch(
      delivery(1, { type: 'prompt', prompt }),
      delivery(2, { type: 'stream-closed', streamId: 's1', outcome: 'awaiting-input' }),
    )
    await settle()
    await begin(chat.answer('p1', { type: 'option', optionId: 'yes' }))
    expect(inputs[2]).toMatchObject({ text: '', metadata: { model: 'large' } })
    expect(inputs[2]?.answers).toHaveLength(1)
  })
})
