import { describe, expect, it } from 'vitest'
import { textOf } from '../../src/index.ts'
import type { CapturableChat } from '../../src/state/chat-options.ts'
import type { Fetch } from '../../src/wire/fetch-transport.ts'
import { serveProxy } from '../server/serve-proxy.ts'
import { PATIENTLY } from '../server/serve-wire.ts'
import { agUiChatAt } from '../support/ag-ui-chat-at.ts'
import { answerOf, promptOf } from '../support/answer-of.ts'
import { cutPosts } from '../support/cut-posts.ts'
import { LONG, serveMastra, type MastraServer } from './mastra-server.ts'

// The client of capstan over HTTP with an agent of Mastra, by its bridge to AG-UI, with and without the proxy of capstan.

const TOOLS = {
  get_location: {
    description: 'Where the user is',
    output: { type: 'object', properties: { city: { type: 'string' } } },
  },
}

const chatAt = (url: string, fetch: Fetch = globalThis.fetch): CapturableChat =>
  agUiChatAt(url, { fetch, tools: TOOLS })

async function open(isProxied: boolean): Promise<{ readonly server: MastraServer; readonly url: string }> {
  const server = await serveMastra()
  if (!isProxied) return { server, url: server.url }
  const { origin } = await serveProxy(server.url, { wire: 'ag-ui' })
  return { server, url: `${origin}/api/agent` }
}

describe.each([
  ['without a proxy', false],
  ['behind the proxy', true],
])('Mastra %s', (_name, isProxied) => {
  it.each([
    ['hello', 'Rivers meander.'],
    ['think', 'Rivers meander.'],
    ['look up', 'So be it.'],
    ['long', LONG.join('')],
  ] as const)('answers "%s" in full', async (scenario, text) => {
    const { server, url } = await open(isProxied)
    const chat = chatAt(url)
    await chat.sendMessage(scenario)
    expect(chat.getSnapshot().error).toBeUndefined()
    expect([answerOf(chat).status, textOf(answerOf(chat))]).toEqual(['complete', text])
    expect(server.posts).toBe(1)
    await chat.dispose()
  })

  it('shows thoughts and a tool of the server, and continues', async () => {
    const { url } = await open(isProxied)
    const chat = chatAt(url)
    await chat.sendMessage('think')
    expect(answerOf(chat).parts).toContainEqual(
      expect.objectContaining({ type: 'thought', text: 'Bends wander.', status: 'complete' }),
    )
    await chat.sendMessage('look up')
    const call = { type: 'tool-call', name: 'search', input: { q: 'rivers' }, status: 'complete' }
    expect(answerOf(chat).parts).toContainEqual(expect.objectContaining(call))
    await chat.dispose()
  })

  it('gets the output of a tool of the page from the user', async () => {
    const { server, url } = await open(isProxied)
    const chat = chatAt(url)
    await chat.sendMessage('where')
    await chat.answer(promptOf(chat).id, { type: 'value', value: { city: 'Ulm' } })
    await expect.poll(() => chat.getSnapshot().status, PATIENTLY).toBe('ready')
    expect([answerOf(chat).status, textOf(answerOf(chat))]).toEqual(['complete', 'So be it.'])
    expect(server.posts).toBe(2)
    await chat.dispose()
  })

  it('shows a tool that needs consent as waiting, and never runs it: the bridge leaves the question out', async () => {
    const { server, url } = await open(isProxied)
    const chat = chatAt(url)
    await chat.sendMessage('ask')
    expect(answerOf(chat).parts).toMatchObject([{ type: 'tool-call', name: 'send_email', status: 'waiting' }])
    expect(server.mails).toEqual([])
    await chat.dispose()
  })

  it('has a failed answer when the model fails', async () => {
    const { url } = await open(isProxied)
    const chat = chatAt(url)
    await chat.sendMessage('fail')
    expect(answerOf(chat).status).toBe('failed')
    expect(chat.getSnapshot().error).toMatchObject({ code: 'agent_error' })
    await chat.dispose()
  })
})

describe('an answer of Mastra that is cut', () => {
  it('is never complete without the proxy, and exact behind it, with one POST', { timeout: 120_000 }, async () => {
    const direct = await open(false)
    const proxied = await open(true)
    let cuts = 0
    // Places in the first kilobyte, which is less than either of the two sends.
    for (let at = 0; at < 1000; at += 37, cuts++) {
      const fetch = cutPosts(at, at % 2 === 0 ? 'reset' : 'end')
      const [bare, kept] = [chatAt(direct.url, fetch), chatAt(proxied.url, fetch)]
      await bare.sendMessage('long')
      expect([at, bare.getSnapshot().messages.at(-1)?.status]).not.toEqual([at, 'complete'])
      await kept.sendMessage('long')
      expect([at, answerOf(kept).status, textOf(answerOf(kept))]).toEqual([at, 'complete', LONG.join('')])
      await Promise.all([bare.dispose(), kept.dispose()])
    }
    expect([direct.server.posts, proxied.server.posts]).toEqual([cuts, cuts])
  })
})
