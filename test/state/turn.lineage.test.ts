import { beforeEach, describe, expect, it } from 'vitest'
import { CapClient } from '../../src/protocols/cap/client/cap-client.ts'
import type { ServiceRequest } from '../../src/protocols/cap/schema/request.ts'
import type { Agent } from '../../src/server/run/agent.ts'
import { createAgentHandler } from '../../src/server/handler/agent-handler.ts'
import { createChat } from '../../src/state/chat.ts'
import type { CapturableChat } from '../../src/state/chat-options.ts'
import type { ChatState } from '../../src/state/chat-snapshot.ts'
import { textOf } from '../../src/state/turn.ts'

/** One turn as an agent keeps it. */
interface Turn {
  readonly id: string
  readonly question: string
  answer: string
}

const CONVERSATION = '6c1d5d0e-2f43-4f4c-8f0a-6d3f8b1f2a20'
let memory: Map<string, Turn[]>
let requests: ServiceRequest[]
let isReachable: boolean

/** An agent that keeps what was said by conversation, as the guide to servers shows it. */
const agent: Agent = async function* (request, run) {
  requests.push(request)
  const { session_id: conversation } = request.context
  const earlier = memory.get(conversation) ?? []
  const gone = new Set(run.replaces)
  const last = earlier.findIndex(({ id }) => id === run.after)
  const kept = last < 0 ? earlier.filter(({ id }) => !gone.has(id)) : earlier.slice(0, last + 1)
  const turn: Turn = { id: run.requestId, question: String(request.payload.payload['query']), answer: '' }
  memory.set(conversation, [...kept, turn])
  turn.answer = `Answer ${requests.length} after ${kept.length}.`
  yield turn.answer
}

const handler = createAgentHandler({ agent })
const client = new CapClient({
  baseUrl: 'https://agent.example',
  maxRetries: 0,
  fetch: (url, init) =>
    isReachable ? handler(new Request(url, init)) : Promise.reject(new TypeError('Failed to fetch')),
})

const open = (initialState?: ChatState): CapturableChat =>
  createChat({ client: () => client, conversationId: CONVERSATION, initialState })
let chat: CapturableChat

beforeEach(() => {
  memory = new Map()
  requests = []
  isReachable = true
  chat = open()
})

const known = (): string[] => (memory.get(CONVERSATION) ?? []).flatMap(({ question, answer }) => [question, answer])
const shown = (): string[] => chat.getSnapshot().messages.map(textOf)
const questionAt = (index: number): string =>
  chat.getSnapshot().messages.filter(({ role }) => role === 'user')[index]?.id ?? ''
const lineage = (): unknown => {
  const { request_id, root_request_id, parent_request_id, metadata } = requests.at(-1)?.payload ?? {}
  return { request_id, root_request_id, parent_request_id, replaces: metadata?.['replaces'] }
}
const idOf = (index: number): string | undefined => requests[index]?.request_id

async function askTwice(): Promise<void> {
  await chat.sendMessage('One?')
  await chat.sendMessage('Two?')
}

describe('an agent that keeps what was said by conversation', () => {
  it('knows what the page shows: asked twice, regenerated, and the first question edited', async () => {
    await askTwice()
    expect(known()).toEqual(['One?', 'Answer 1 after 0.', 'Two?', 'Answer 2 after 1.'])
    expect(known()).toEqual(shown())
    await chat.regenerate()
    expect(known()).toEqual(['One?', 'Answer 1 after 0.', 'Two?', 'Answer 3 after 1.'])
    expect(known()).toEqual(shown())
    await chat.regenerate()
    expect(known()).toEqual(['One?', 'Answer 1 after 0.', 'Two?', 'Answer 4 after 1.'])
    expect(known()).toEqual(shown())
    await chat.edit(questionAt(0), 'One, again?')
    expect(known()).toEqual(['One, again?', 'Answer 5 after 0.'])
    expect(known()).toEqual(shown())
    await chat.sendMessage('Two?')
    expect(known()).toEqual(shown())
  })

  it('is sent what each request follows and what it replaces, with the root of the chain', async () => {
    await chat.sendMessage('One?')
    expect(lineage()).toEqual({
      request_id: idOf(0),
      root_request_id: idOf(0),
      parent_request_id: undefined,
      replaces: undefined,
    })
    await chat.sendMessage('Two?')
    expect(lineage()).toEqual({
      request_id: idOf(1),
      root_request_id: idOf(0),
      parent_request_id: idOf(0),
      replaces: undefined,
    })
    await chat.regenerate()
    expect(lineage()).toEqual({
      request_id: idOf(2),
      root_request_id: idOf(0),
      parent_request_id: idOf(0),
      replaces: [idOf(1)],
    })
    await chat.sendMessage('Three?')
    expect(lineage()).toEqual({
      request_id: idOf(3),
      root_request_id: idOf(0),
      parent_request_id: idOf(2),
      replaces: undefined,
    })
    await chat.edit(questionAt(0), 'One, again?')
    expect(lineage()).toEqual({
      request_id: idOf(4),
      root_request_id: idOf(4),
      parent_request_id: undefined,
      replaces: [idOf(0), idOf(1), idOf(2), idOf(3)],
    })
  })

  it('receives what was replaced by a message that never arrived, with the next one that does', async () => {
    await askTwice()
    isReachable = false
    await chat.edit(questionAt(0), 'Nobody hears this.')
    expect(shown()).toEqual(['Nobody hears this.'])
    chat.discard(questionAt(0))
    isReachable = true
    await chat.sendMessage('One, again?')
    expect(lineage()).toMatchObject({ parent_request_id: undefined, replaces: [idOf(0), idOf(1)] })
    expect(known()).toEqual(shown())
  })

  it('does not follow a message that never arrived', async () => {
    await chat.sendMessage('One?')
    isReachable = false
    await chat.sendMessage('Nobody hears this.')
    isReachable = true
    await chat.sendMessage('Two?')
    expect(lineage()).toMatchObject({ parent_request_id: idOf(0), root_request_id: idOf(0) })
    expect(known()).toEqual(['One?', 'Answer 1 after 0.', 'Two?', 'Answer 2 after 1.'])
  })

  it('receives the same after a reload', async () => {
    await askTwice()
    chat = open(chat.capture())
    await chat.regenerate()
    expect(known()).toEqual(shown())
    expect(lineage()).toMatchObject({ parent_request_id: idOf(0), root_request_id: idOf(0), replaces: [idOf(1)] })
  })

  it('is not given ids that are no UUIDs, which CAP refuses', async () => {
    const initialMessages = [
      { id: 'u', role: 'user', status: 'sent', parts: [{ type: 'text', id: 't', text: 'Old?' }], requestId: 'row-7' },
      { id: 'a', role: 'assistant', status: 'complete', parts: [], requestId: 'row-7' },
    ] as const
    chat = createChat({ client: () => client, conversationId: CONVERSATION, initialMessages })
    await chat.regenerate('a')
    expect(chat.getSnapshot().error).toBeUndefined()
    expect(lineage()).toEqual({
      request_id: idOf(0),
      root_request_id: idOf(0),
      parent_request_id: undefined,
      replaces: undefined,
    })
  })
})

describe('what another client says of its lineage', () => {
  it('is read as far as it can be: a list of other things replaces nothing', async () => {
    const seen: unknown[] = []
    const hear = createAgentHandler({
      agent: async function* (_request, run) {
        seen.push({ after: run.after, replaces: run.replaces })
        yield 'So.'
      },
    })
    const template = await client.createRequest({
      text: 'Why?',
      conversationId: CONVERSATION,
      requestId: crypto.randomUUID(),
    })
    const parent = crypto.randomUUID()
    for (const replaces of [undefined, 'all', { 0: 'x' }, [7, null, 'x', parent.toUpperCase()]]) {
      const requestId = crypto.randomUUID()
      const payload = {
        ...template.payload,
        request_id: requestId,
        root_request_id: parent,
        parent_request_id: parent,
        metadata: { replaces },
      }
      const response = await hear(
        new Request('https://agent.example/v1/assist', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ ...template, request_id: requestId, payload }),
        }),
      )
      await response.text()
    }
    expect(seen).toEqual([
      { after: parent, replaces: [] },
      { after: parent, replaces: [] },
      { after: parent, replaces: [] },
      { after: parent, replaces: [parent] },
    ])
  })
})
