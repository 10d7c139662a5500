import { beforeAll, describe, expect, it } from 'vitest'
import { textOf } from '../../src/index.ts'
import type { CapturableChat } from '../../src/state/chat-options.ts'
import type { Fetch } from '../../src/wire/fetch-transport.ts'
import { LONG } from '../ag-ui/script.ts'
import { serveProxy } from '../server/serve-proxy.ts'
import { PATIENTLY } from '../server/serve-wire.ts'
import { agUiChatAt } from '../support/ag-ui-chat-at.ts'
import { answerOf, promptOf } from '../support/answer-of.ts'
import { cutEvery, recordAnswer } from '../support/cut-posts.ts'
import { servePydantic, type PydanticServer } from './pydantic-server.ts'

// The client of capstan over HTTP with an agent of Pydantic AI, with and without the proxy of capstan.

const TOOLS = {
  get_location: {
    description: 'Where the user is',
    output: { type: 'object', properties: { city: { type: 'string' } } },
  },
}

let server: PydanticServer
beforeAll(async () => {
  server = await servePydantic()
})

async function open(isProxied: boolean): Promise<string> {
  if (!isProxied) return server.url
  const { origin } = await serveProxy(server.url, { wire: 'ag-ui' })
  return `${origin}/api/agent`
}

const chatAt = (url: string, fetch: Fetch = globalThis.fetch): CapturableChat =>
  agUiChatAt(url, { fetch, tools: TOOLS })

/** What the server has seen of a step. */
async function during(
  step: () => Promise<unknown>,
): Promise<{ readonly posts: number; readonly mails: readonly string[] }> {
  const before = await server.seen()
  await step()
  const after = await server.seen()
  return { posts: after.posts - before.posts, mails: after.mails.slice(before.mails.length) }
}

describe.each([
  ['without a proxy', false],
  ['behind the proxy', true],
])('Pydantic AI %s', (_name, isProxied) => {
  it.each([
    ['hello', 'Rivers meander.'],
    ['think', 'Rivers meander.'],
    ['look up', 'So: 3 hits for rivers'],
    ['long', LONG.join('')],
  ] as const)('answers "%s" in full', async (scenario, text) => {
    const chat = chatAt(await open(isProxied))
    const { posts } = await during(() => chat.sendMessage(scenario))
    expect(chat.getSnapshot().error).toBeUndefined()
    expect([answerOf(chat).status, textOf(answerOf(chat)), posts]).toEqual(['complete', text, 1])
    await chat.dispose()
  })

  it('shows thoughts and a tool of the server, and continues', async () => {
    const chat = chatAt(await open(isProxied))
    await chat.sendMessage('think')
    expect(answerOf(chat).parts).toContainEqual(
      expect.objectContaining({ type: 'thought', text: 'Bends wander.', status: 'complete' }),
    )
    await chat.sendMessage('look up')
    const call = { type: 'tool-call', name: 'search', input: { q: 'rivers' }, output: '3 hits for rivers' }
    expect(answerOf(chat).parts).toContainEqual(expect.objectContaining({ ...call, status: 'complete' }))
    await chat.dispose()
  })

  it.each([
    ['allowed', { type: 'option', optionId: 'allow' }, 'complete', ['ann@example.com']],
    [
      'allowed with other arguments',
      { type: 'option', optionId: 'allow', edits: { to: 'bob@example.com' } },
      'complete',
      ['bob@example.com'],
    ],
    ['refused', { type: 'option', optionId: 'deny' }, 'denied', []],
  ] as const)('runs a tool that needs consent as it was %s', async (_said, answer, status, mails) => {
    const chat = chatAt(await open(isProxied))
    const seen = await during(async () => {
      await chat.sendMessage('ask')
      const prompt = promptOf(chat)
      expect(prompt).toMatchObject({ kind: 'approval', subject: { input: { to: 'ann@example.com' } } })
      await chat.answer(prompt.id, { ...answer, digest: prompt.subject?.digest })
      await expect.poll(() => chat.getSnapshot().status, PATIENTLY).toBe('ready')
    })
    expect(seen).toEqual({ posts: 2, mails })
    expect(answerOf(chat).parts[0]).toMatchObject({ type: 'tool-call', name: 'send_email', status })
    expect([answerOf(chat).status, textOf(answerOf(chat))]).toEqual(['complete', expect.stringMatching(/^So: /)])
    await chat.sendMessage('hello')
    expect([answerOf(chat).status, textOf(answerOf(chat))]).toEqual(['complete', 'Rivers meander.'])
    await chat.dispose()
  })

  it('gets the output of a tool of the page from the user', async () => {
    const chat = chatAt(await open(isProxied))
    const { posts } = await during(async () => {
      await chat.sendMessage('where')
      await chat.answer(promptOf(chat).id, { type: 'value', value: { city: 'Ulm' } })
      await expect.poll(() => chat.getSnapshot().status, PATIENTLY).toBe('ready')
    })
    expect([answerOf(chat).status, posts]).toEqual(['complete', 2])
    expect(textOf(answerOf(chat))).toContain('Ulm')
    await chat.dispose()
  })

  it('has a failed answer when the model fails, and continues', async () => {
    const chat = chatAt(await open(isProxied))
    await chat.sendMessage('fail')
    expect([answerOf(chat).status, textOf(answerOf(chat))]).toEqual(['failed', 'Rivers '])
    expect(chat.getSnapshot().error).toMatchObject({ code: 'agent_error' })
    await chat.sendMessage('hello')
    expect([answerOf(chat).status, textOf(answerOf(chat))]).toEqual(['complete', 'Rivers meander.'])
    await chat.dispose()
  })
})

describe('an answer of Pydantic AI that is cut', () => {
  async function say(url: string, fetch: Fetch): Promise<CapturableChat> {
    const chat = chatAt(url, fetch)
    await chat.sendMessage('long')
    await chat.dispose()
    return chat
  }

  it.each([
    ['is never complete without the proxy, and nothing is posted twice', false, 61],
    ['is exact behind the proxy at every seventh byte, with one POST', true, 7],
  ] as const)('%s', { timeout: 300_000 }, async (_name, isProxied, step) => {
    const url = await open(isProxied)
    const length = Buffer.byteLength(await recordAnswer((through) => say(url, through)))
    expect(length).toBeGreaterThan(1500)
    let cuts = 0
    const { posts } = await during(async () => {
      // Up to the frame that ends the run.
      const done = await cutEvery({ length: length - 200, step }, async (through, at) => {
        const answer = (await say(url, through)).getSnapshot().messages.at(-1)
        const isWhole = answer !== undefined && textOf(answer) === LONG.join('')
        if (isProxied) expect([at, answer?.status, isWhole]).toEqual([at, 'complete', true])
        else expect([at, answer?.status]).not.toEqual([at, 'complete'])
      })
      cuts = done.cuts
    })
    expect(posts).toBe(cuts)
  })
})
