import { afterEach, describe, expect, it } from 'vitest'
import type { AgUiClientOptions } from '../../src/ag-ui.ts'
import type { ChatInstance, ChatMessage } from '../../src/index.ts'
import { textOf } from '../../src/index.ts'
import type { Fetch } from '../../src/wire/fetch-transport.ts'
import { chatWithAgUi } from '../support/ag-ui-server.ts'
import { cutEvery, recordAnswer } from '../support/cut-posts.ts'
import { LONG, type Scenario } from './script.ts'
import { serveTanStack, type TanStackServer } from './tanstack-server.ts'
import { answerOf, promptOf } from '../support/answer-of.ts'

// The client of capstan over HTTP with a server of TanStack AI.

const chats: ChatInstance[] = []

afterEach(() => {
  for (const chat of chats.splice(0)) void chat.dispose()
})

const TOOLS: AgUiClientOptions['tools'] = {
  get_location: {
    description: 'Where the user is',
    output: { type: 'object', properties: { city: { type: 'string' } } },
  },
}

function chatWith({ url }: TanStackServer, options: Partial<AgUiClientOptions> = {}): ChatInstance {
  const chat = chatWithAgUi({ fetch: (to, init) => fetch(to, init) }, { url, tools: TOOLS, ...options })
  chats.push(chat)
  return chat
}

async function say(scenario: Scenario): Promise<{ readonly server: TanStackServer; readonly chat: ChatInstance }> {
  const server = await serveTanStack()
  const chat = chatWith(server)
  await chat.sendMessage(scenario)
  return { server, chat }
}

describe('TanStack AI', () => {
  it.each([
    ['hello', 'Rivers meander.'],
    ['think', 'Rivers meander.'],
    ['look up', 'So: 3 hits for rivers'],
    ['long', LONG.join('')],
  ] as const)('answers "%s" in full', async (scenario, text) => {
    const { chat, server } = await say(scenario)
    expect(chat.getSnapshot().error).toBeUndefined()
    expect([answerOf(chat).status, textOf(answerOf(chat))]).toEqual(['complete', text])
    expect(server.posted).toHaveLength(1)
  })

  it('shows thoughts, and a tool loop with more than one end as one answer', async () => {
    const partsOf = async (scenario: Scenario): Promise<ChatMessage['parts']> =>
      answerOf((await say(scenario)).chat).parts
    expect(await partsOf('think')).toContainEqual(
      expect.objectContaining({ type: 'thought', text: 'Bends wander.', status: 'complete' }),
    )
    expect(await partsOf('look up')).toContainEqual(
      expect.objectContaining({
        type: 'tool-call',
        name: 'search',
        input: { q: 'rivers' },
        output: '3 hits for rivers',
        status: 'complete',
      }),
    )
  })

  it('has a failed answer when the model fails, and continues', async () => {
    const { chat } = await say('fail')
    expect([answerOf(chat).status, textOf(answerOf(chat))]).toEqual(['failed', 'Rivers '])
    expect(chat.getSnapshot().error).toMatchObject({ code: 'agent_error' })
    await chat.sendMessage('hello')
    expect([answerOf(chat).status, textOf(answerOf(chat))]).toEqual(['complete', 'Rivers meander.'])
  })

  it('runs a tool once when the user allows it, and not when the user does not', async () => {
    const { chat, server } = await say('ask')
    expect(chat.getSnapshot().status).toBe('awaiting-input')
    const prompt = promptOf(chat)
    expect(prompt).toMatchObject({
      kind: 'approval',
      subject: { name: 'send_email', input: { to: 'ann@example.com' } },
    })
    expect(server.mails).toEqual([])
    await chat.answer(prompt.id, { type: 'option', optionId: 'allow', digest: prompt.subject?.digest })
    await expect.poll(() => chat.getSnapshot().status).toBe('ready')
    expect(answerOf(chat).parts[0]).toMatchObject({
      type: 'tool-call',
      status: 'complete',
      output: 'sent to ann@example.com',
    })
    expect(textOf(answerOf(chat))).toBe('So: sent to ann@example.com')
    expect(server.mails).toEqual([{ to: 'ann@example.com' }])
    await chat.sendMessage('ask')
    await chat.answer(promptOf(chat).id, { type: 'decline', reason: 'No.' })
    await expect.poll(() => chat.getSnapshot().status).toBe('ready')
    expect(answerOf(chat).parts[0]).toMatchObject({ type: 'tool-call', status: 'denied' })
    await chat.sendMessage('ask')
    await chat.stop()
    await chat.sendMessage('hello')
    expect([answerOf(chat).status, textOf(answerOf(chat))]).toEqual(['complete', 'Rivers meander.'])
    expect(server.mails).toHaveLength(1)
  })

  it('gets the output of a tool of the page from the user', async () => {
    const { chat, server } = await say('where')
    expect(chat.getSnapshot().status).toBe('awaiting-input')
    expect(promptOf(chat)).toMatchObject({ kind: 'form', subject: { name: 'get_location', input: { precise: true } } })
    await chat.answer(promptOf(chat).id, { type: 'value', value: { city: 'Ulm' } })
    await expect.poll(() => chat.getSnapshot().status).toBe('ready')
    expect(answerOf(chat).status).toBe('complete')
    expect(textOf(answerOf(chat))).toContain('Ulm')
    expect(answerOf(chat).parts[0]).toMatchObject({
      type: 'tool-call',
      name: 'get_location',
      status: 'complete',
      output: { city: 'Ulm' },
    })
    expect(server.posted).toHaveLength(2)
  })
})

describe('an answer of 2 kB of TanStack AI, cut at every byte', () => {
  interface Cut {
    readonly answer: ChatMessage
    readonly posts: number
  }

  async function sayLong({ url }: TanStackServer, through: Fetch): Promise<Cut> {
    let posts = 0
    const counted: Fetch = (to, init) => {
      if (init.method === 'POST') posts += 1
      return through(to, init)
    }
    const chat = chatWithAgUi({ fetch: counted }, { url })
    await chat.sendMessage('long')
    const answer = answerOf(chat)
    await chat.dispose()
    return { answer, posts }
  }

  const lengthOf = async (server: TanStackServer): Promise<number> =>
    Buffer.byteLength(await recordAnswer((through) => sayLong(server, through)))

  it('is exact, and nothing was posted twice, where the server has a log', { timeout: 300_000 }, async () => {
    const server = await serveTanStack()
    const length = await lengthOf(server)
    expect(length).toBeGreaterThan(2000)
    await cutEvery({ length, step: 1 }, async (through, at) => {
      const { answer, posts } = await sayLong(server, through)
      expect([at, answer.status, textOf(answer), posts]).toEqual([at, 'complete', LONG.join(''), 1])
    })
  })

  it('is interrupted or exact, never complete and cut, where it has none', { timeout: 300_000 }, async () => {
    const server = await serveTanStack({ keeps: false })
    const length = await lengthOf(server)
    expect(length).toBeGreaterThan(1500)
    const verdicts = new Set<string>()
    await cutEvery({ length: length + 1, step: 1 }, async (through, at) => {
      const { answer, posts } = await sayLong(server, through)
      verdicts.add(answer.status)
      expect(LONG.join('').startsWith(textOf(answer))).toBe(true)
      if (answer.status === 'complete') expect([at, textOf(answer)]).toEqual([at, LONG.join('')])
      expect([at, posts]).toEqual([at, 1])
    })
    expect([...verdicts].toSorted()).toEqual(['complete', 'incomplete'])
  })
})
