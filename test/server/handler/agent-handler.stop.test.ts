import { describe, expect, it } from 'vitest'
import { AgUiClient } from '../../../src/protocols/ag-ui/client/ag-ui-client.ts'
import { CapClient } from '../../../src/protocols/cap/client/cap-client.ts'
import { createAgentHandler } from '../../../src/server/handler/agent-handler.ts'
import type { Agent } from '../../../src/server/run/agent.ts'
import type { AgentClient } from '../../../src/session/agent-client.ts'
import { createChat } from '../../../src/state/chat.ts'
import type { Prompt } from '../../../src/seam/prompt.ts'
import { createManualClock, settle, type ManualClock } from '../../support/manual-clock.ts'
import { createGate } from '../serve-agent.ts'

type Chat = ReturnType<typeof createChat>

interface Opened {
  readonly chat: Chat
  readonly clock: ManualClock
  readonly cancels: () => number
}

type Make = (fetch: typeof globalThis.fetch) => AgentClient

const WIRES: Readonly<Record<string, Make>> = {
  CAP: (fetch) => new CapClient({ baseUrl: 'http://agent.test', fetch }),
  'AG-UI': (fetch) =>
    new AgUiClient({
      url: 'http://agent.test/ag-ui',
      stopUrl: ({ runId }) => `http://agent.test/runs/${runId}/cancel`,
      fetch,
    }),
}

/** A chat with an agent over one of the wires that a handler speaks. */
function open(make: Make, agent: Agent): Opened {
  const clock = createManualClock()
  const handler = createAgentHandler({ agent, clock })
  let cancels = 0
  const client = make(async (url, init) => {
    const request = new Request(url, init)
    if (request.url.endsWith('/cancel')) cancels += 1
    return handler(request)
  })
  const chat = createChat({ conversationId: crypto.randomUUID(), client: () => client, callbacks: () => ({}) })
  return { chat, clock, cancels: () => cancels }
}

const promptOf = (chat: Chat): Prompt | undefined =>
  chat
    .getSnapshot()
    .messages.flatMap(({ parts }) => parts)
    .flatMap((part) => (part.type === 'prompt' ? part.prompt : []))[0]

const stopOf = (chat: Chat) => chat.getSnapshot().messages.at(-1)?.stop

describe.each(Object.entries(WIRES))('stop() over %s', (_wire, make) => {
  it('resolves with `cancelled` when the agent function has returned, also one that acted before it noticed', async () => {
    const action = createGate()
    let isDone = false
    const { chat, cancels } = open(make, async function* () {
      yield 'one'
      await action.opened
      isDone = true
    })
    void chat.sendMessage('Go.')
    await expect.poll(() => chat.getSnapshot().messages.at(-1)?.parts.length).toBeGreaterThan(0)
    let result: string | undefined
    const stopped = chat.stop().then((known) => (result = known))
    await expect.poll(cancels).toBe(1)
    await settle()
    expect([result, isDone, stopOf(chat)]).toEqual([undefined, false, 'cancelling'])
    action.open()
    expect([await stopped, isDone, stopOf(chat)]).toEqual(['cancelled', true, 'cancelled'])
    await chat.dispose()
  })

  it('resolves with `left` after one request when it has not returned in time', async () => {
    const { chat, clock, cancels } = open(make, async function* () {
      yield 'one'
      await new Promise(() => {})
    })
    void chat.sendMessage('Go.')
    await expect.poll(() => chat.getSnapshot().messages.at(-1)?.parts.length).toBeGreaterThan(0)
    const stopped = chat.stop()
    await expect.poll(cancels).toBe(1)
    await settle()
    await clock.advance(2000)
    expect([await stopped, stopOf(chat), cancels()]).toEqual(['left', 'left', 1])
    await chat.dispose()
  })
})

it('stop() is not `cancelled` before an action that was allowed has ended', async () => {
  const action = createGate()
  const sent: unknown[] = []
  const { chat, cancels } = open(WIRES['CAP'] as Make, async function* (_request, run) {
    const subject = { name: 'send_mail', input: { to: 'ann' } }
    const answer = await run.ask({ kind: 'approval', message: 'Send?', subject })
    if (answer.type !== 'allowed') return
    await action.opened
    sent.push(answer.input)
    yield 'It is sent.'
  })
  void chat.sendMessage('Mail Ann.')
  await expect.poll(() => promptOf(chat)?.state).toBe('open')
  const prompt = promptOf(chat)
  const digest = prompt !== undefined && 'subject' in prompt ? prompt.subject?.digest : undefined
  expect(await chat.answer(prompt?.id ?? '', { type: 'option', optionId: 'allow-once', digest })).toMatchObject({
    status: 'accepted',
  })
  let result: string | undefined
  const stopped = chat.stop().then((known) => (result = known))
  await expect.poll(cancels).toBe(1)
  await settle()
  expect([result, sent]).toEqual([undefined, []])
  action.open()
  expect([await stopped, sent]).toEqual(['cancelled', [{ to: 'ann' }]])
  await chat.dispose()
})
