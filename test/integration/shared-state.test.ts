import { afterEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { AgUiClient } from '../../src/ag-ui.ts'
import { AiSdkClient } from '../../src/ai-sdk.ts'
import { CapClient, backoff, createChat, type AgentClient, type ChatMessage } from '../../src/index.ts'
import type { CapturableChat } from '../../src/state/chat-options.ts'
import { readSharedState } from '../../src/seam/shared-state.ts'
import { eventually } from '../support/eventually.ts'
import { createAgentHandler, memoryConversationStore, type Agent, type AgentHandler } from '../../src/server.ts'

// A page and an agent of the server of this package change one recipe, over every protocol that carries a state.

const Recipe = z.object({ title: z.string(), servings: z.number(), steps: z.array(z.string()) })
type Recipe = z.output<typeof Recipe>

const EMPTY: Recipe = { title: '', servings: 2, steps: [] }
const SOUP: Recipe = { title: 'Soup', servings: 2, steps: ['cut', 'boil'] }

/** What the agent has found in each run. */
let found: { readonly value: unknown; readonly isEdited: boolean }[]

/** Adds the words of the question as steps, one by one. */
const agent: Agent = async function* (_request, run) {
  found.push({ value: run.state.value, isEdited: run.state.isEdited })
  const recipe = await run.state.as(Recipe, EMPTY)
  yield 'Cooking. '
  if (run.text !== 'nothing')
    for (const step of run.text.split(' '))
      await recipe.set((before) => ({ ...before, steps: [...before.steps, step] }))
  yield 'Done.'
}

const CLIENTS: Readonly<Record<string, (fetch: (url: string, init: RequestInit) => Promise<Response>) => AgentClient>> =
  {
    CAP: (fetch) => new CapClient({ baseUrl: 'https://agent.test', fetch, retry: NOW }),
    'AG-UI': (fetch) => new AgUiClient({ url: 'https://agent.test/v1/assist', fetch, retry: NOW, resume: 'post' }),
    'the AI SDK': (fetch) => new AiSdkClient({ api: 'https://agent.test/v1/assist', fetch, retry: NOW }),
  }
const NOW = { ...backoff({ maxAttempts: 3 }), delayMs: () => 0 }

let chats: CapturableChat[] = []

function openChat(
  protocol: string,
  handler: AgentHandler,
  messages: readonly ChatMessage[] = [],
  cut?: (response: Response) => Response,
): CapturableChat {
  const makeClient = CLIENTS[protocol]
  if (makeClient === undefined) throw new Error(`There is no client for ${protocol}.`)
  const client = makeClient(async (url, init) => {
    const response = await handler(new Request(url, init))
    return cut && init.method === 'POST' ? cut(response) : response
  })
  const chat = createChat({ client: () => client, conversationId: crypto.randomUUID(), initialMessages: messages })
  chats.push(chat)
  return chat
}

afterEach(async () => {
  for (const chat of chats) await chat.dispose()
  chats = []
})

function serve(): AgentHandler {
  found = []
  return createAgentHandler({ agent })
}

function current(chat: CapturableChat): unknown {
  const { messages, stateEdit } = chat.getSnapshot()
  return readSharedState(messages, stateEdit).current?.state
}

function editOf(chat: CapturableChat): unknown {
  const { messages, stateEdit } = chat.getSnapshot()
  return readSharedState(messages, stateEdit).edit
}

/** What the page shows of the state while an answer comes, each once. */
function watch(chat: CapturableChat): unknown[] {
  const seen: unknown[] = []
  chat.subscribe(() => {
    const state = current(chat)
    if (JSON.stringify(state) !== JSON.stringify(seen.at(-1))) seen.push(state)
  })
  return seen
}

describe.each(Object.keys(CLIENTS))('a state that is shared over %s', (protocol) => {
  it('is read live, and goes back with the next message', async () => {
    const chat = openChat(protocol, serve())
    const seen = watch(chat)
    await chat.sendMessage('cut boil')
    expect(current(chat)).toEqual({ ...EMPTY, steps: ['cut', 'boil'] })
    expect(seen.at(-1)).toEqual(current(chat))
    await chat.sendMessage('eat')
    expect(current(chat)).toEqual({ ...EMPTY, steps: ['cut', 'boil', 'eat'] })
    expect(found).toEqual([
      { value: undefined, isEdited: false },
      { value: { ...EMPTY, steps: ['cut', 'boil'] }, isEdited: false },
    ])
    // Nothing of it is in the transcript.
    const shown = chat.getSnapshot().messages.flatMap(({ parts }) => parts.map(({ type }) => type))
    expect(new Set(shown)).toEqual(new Set(['text', 'state']))
  })

  it('takes along what the user has changed, once, and shows it from the first packet on', async () => {
    const chat = openChat(protocol, serve())
    expect(chat.changeState({ id: 'e1', value: SOUP })).toBe(true)
    expect(current(chat)).toEqual(SOUP)
    await chat.sendMessage('nothing')
    expect(found[0]?.value).toEqual(SOUP)
    expect([current(chat), editOf(chat)]).toEqual([SOUP, undefined])
    await chat.sendMessage('eat')
    expect(found[1]).toEqual({ value: SOUP, isEdited: false })
    expect(current(chat)).toEqual({ ...SOUP, steps: ['cut', 'boil', 'eat'] })
    if (protocol === 'CAP') expect(found[0]?.isEdited).toBe(true)
  })

  it('follows the branch: an answer that is made again begins with the state before it, and the edit is sent again', async () => {
    const chat = openChat(protocol, serve())
    await chat.sendMessage('cut')
    const before = current(chat)
    chat.changeState({ id: 'e1', base: before, value: { ...EMPTY, title: 'Stew', steps: ['cut'] } })
    await chat.sendMessage('boil')
    expect(current(chat)).toEqual({ ...EMPTY, title: 'Stew', steps: ['cut', 'boil'] })
    await chat.regenerate()
    expect(found.at(-1)?.value).toEqual({ ...EMPTY, title: 'Stew', steps: ['cut'] })
    expect(current(chat)).toEqual({ ...EMPTY, title: 'Stew', steps: ['cut', 'boil'] })
  })

  it('is as it was after a reload', async () => {
    const handler = serve()
    const chat = openChat(protocol, handler)
    await chat.sendMessage('cut')
    chat.changeState({ id: 'e1', base: current(chat), value: SOUP })
    const { messages, stateEdit } = JSON.parse(JSON.stringify(chat.capture())) as ReturnType<CapturableChat['capture']>
    const again = openChat(protocol, handler, messages)
    expect(current(again)).toEqual({ ...EMPTY, steps: ['cut'] })
    again.changeState(stateEdit)
    await again.sendMessage('eat')
    expect(current(again)).toEqual({ ...SOUP, steps: ['cut', 'boil', 'eat'] })
  })
})

describe.each(['CAP', 'AG-UI'])('a connection over %s that is cut', (protocol) => {
  it('leads to the same state, behind whatever byte', async () => {
    const handler = serve()
    // Before its first number, nobody could continue after it.
    for (let bytes = 400; bytes < 3000; bytes += 71) {
      let isCut = false
      const cut = (response: Response): Response => {
        if (isCut) return response
        isCut = true
        return cutAfter(response, bytes)
      }
      const chat = openChat(protocol, handler, [], cut)
      chat.changeState({ id: 'e1', value: SOUP })
      await chat.sendMessage('eat wash dry')
      expect([bytes, chat.getSnapshot().error]).toEqual([bytes, undefined])
      expect([bytes, current(chat), editOf(chat)]).toEqual([
        bytes,
        { ...SOUP, steps: ['cut', 'boil', 'eat', 'wash', 'dry'] },
        undefined,
      ])
    }
  })
})

function cutAfter(response: Response, bytes: number): Response {
  let left = bytes
  const stream = response.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        const piece = chunk.subarray(0, left)
        left -= piece.length
        if (piece.length > 0) controller.enqueue(piece)
        if (left <= 0) setImmediate(() => controller.error(new TypeError('network error')))
      },
    }),
  )
  return new Response(stream, { status: response.status, headers: response.headers })
}

describe.each(['AG-UI', 'the AI SDK'])('an answer to a question over %s', (protocol) => {
  it('continues with the state that the run has, whatever the page has made of it meanwhile', async () => {
    const told = { count: 1, note: 'long enough that a patch is shorter than the whole' }
    const asking: Agent = async function* (_request, run) {
      await run.state.set(told)
      await run.ask({ kind: 'choice', message: 'Which?', options: [{ id: 'a', label: 'A', kind: 'neutral' }] })
      await run.state.set({ ...told, count: 2 })
      yield 'Done.'
    }
    const chat = openChat(protocol, createAgentHandler({ agent: asking }))
    await chat.sendMessage('Go')
    const { messages } = chat.getSnapshot()
    const prompt = messages.flatMap(({ parts }) => parts).find(({ type }) => type === 'prompt')
    chat.changeState({ id: 'e1', base: told, value: { ...told, note: 'changed' } })
    const answer = { type: 'value', value: 'a' } as const
    await chat.answer(prompt?.id ?? '', answer)
    await eventually(() => expect(chat.getSnapshot().status).toBe('ready'))
    expect(current(chat)).toEqual({ ...told, count: 2 })
  })
})

describe('an agent', () => {
  it('that answers in one piece has taken along what the user has changed', async () => {
    const answerWhole: Agent = async (_request, run) => ({ output: { text: JSON.stringify(run.state.value) } })
    const chat = openChat('CAP', createAgentHandler({ agent: answerWhole }))
    chat.changeState({ id: 'e1', value: SOUP })
    await chat.sendMessage('Go')
    expect([current(chat), editOf(chat)]).toEqual([SOUP, undefined])
    expect(
      chat
        .getSnapshot()
        .messages.at(-1)
        ?.parts.map(({ type }) => type),
    ).toEqual(['state', 'text'])
  })

  it('fails with what the page has sent and no schema takes, and tells the page nothing of it', async () => {
    const errors: unknown[] = []
    const handler = createAgentHandler({ agent, onError: (error) => errors.push(error) })
    found = []
    const chat = openChat('CAP', handler)
    chat.changeState({ id: 'e1', value: { title: 5 } })
    await chat.sendMessage('eat')
    expect(chat.getSnapshot().status).toBe('error')
    expect(String(errors[0])).toContain('does not fit the schema')
  })

  it('has its state kept with the conversation', async () => {
    found = []
    const store = memoryConversationStore()
    const chat = openChat('CAP', createAgentHandler({ agent, conversations: store }))
    await chat.sendMessage('cut boil')
    const [turn] = await store.turns({ owner: '', id: chat.conversationId })
    expect(turn?.answer?.parts.filter(({ type }) => type === 'state')).toEqual([
      { type: 'state', id: 'state', state: { ...EMPTY, steps: ['cut', 'boil'] } },
    ])
  })
})
