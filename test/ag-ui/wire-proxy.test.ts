import { describe, expect, it } from 'vitest'
import { textOf, type ChatMessage } from '../../src/index.ts'
import type { CapturableChat } from '../../src/state/chat-options.ts'
import type { Fetch } from '../../src/wire/fetch-transport.ts'
import { serveProxy } from '../server/serve-proxy.ts'
import { PATIENTLY } from '../server/serve-wire.ts'
import { agUiChatAt } from '../support/ag-ui-chat-at.ts'
import { answerOf, promptOf } from '../support/answer-of.ts'
import { cutEvery, cutPosts, recordAnswer } from '../support/cut-posts.ts'
import { LONG, type Scenario } from './script.ts'
import { serveTanStack, type TanStackServer } from './tanstack-server.ts'

// A page, the proxy, and a server of TanStack AI.

const TOOLS = {
  get_location: {
    description: 'Where the user is',
    output: { type: 'object', properties: { city: { type: 'string' } } },
  },
}

async function open(keeps: boolean): Promise<{ readonly server: TanStackServer; readonly url: string }> {
  const server = await serveTanStack({ keeps })
  const { origin } = await serveProxy(server.url, { wire: 'ag-ui' })
  return { server, url: `${origin}/api/agent` }
}

const chatAt = (url: string, fetch: Fetch = globalThis.fetch): CapturableChat =>
  agUiChatAt(url, { fetch, tools: TOOLS })

async function say(url: string, scenario: Scenario, fetch?: Fetch): Promise<ChatMessage> {
  const chat = chatAt(url, fetch)
  await chat.sendMessage(scenario)
  const answer = answerOf(chat)
  await chat.dispose()
  return answer
}

/** Without what is new in every answer. */
const shape = ({ status, parts }: ChatMessage): unknown => ({
  status,
  parts: parts.map(({ id: _id, ...part }) => part),
})

describe.each([
  ['that keeps a log', true],
  ['that keeps none', false],
])('TanStack AI %s, behind the proxy', (_name, keeps) => {
  it.each(['hello', 'think', 'look up', 'fail'] as const)(
    'shows "%s" as without the proxy, also when the connection is cut',
    async (scenario) => {
      const { server, url } = await open(keeps)
      const direct = shape(await say(server.url, scenario))
      expect(shape(await say(url, scenario))).toEqual(direct)
      for (const bytes of [1, 150, 400])
        expect(shape(await say(url, scenario, cutPosts(bytes, 'reset')))).toEqual(direct)
      expect(server.posted).toHaveLength(5)
    },
  )

  it('runs a tool that needs consent once, when the user allows it', async () => {
    const { server, url } = await open(keeps)
    const chat = chatAt(url)
    await chat.sendMessage('ask')
    const prompt = promptOf(chat)
    expect(server.mails).toEqual([])
    await chat.answer(prompt.id, { type: 'option', optionId: 'allow', digest: prompt.subject?.digest })
    await expect.poll(() => chat.getSnapshot().status, PATIENTLY).toBe('ready')
    expect(textOf(answerOf(chat))).toBe('So: sent to ann@example.com')
    expect(server.mails).toEqual([{ to: 'ann@example.com' }])
    await chat.dispose()
  })

  it('gets the output of a tool of the page', async () => {
    const { server, url } = await open(keeps)
    const chat = chatAt(url)
    await chat.sendMessage('where')
    await chat.answer(promptOf(chat).id, { type: 'value', value: { city: 'Ulm' } })
    await expect.poll(() => chat.getSnapshot().status, PATIENTLY).toBe('ready')
    expect(textOf(answerOf(chat))).toContain('Ulm')
    expect(server.posted).toHaveLength(2)
    await chat.dispose()
  })

  it('is exact, cut at every seventh byte of an answer of 2 kB, with one POST', { timeout: 300_000 }, async () => {
    const { server, url } = await open(keeps)
    const length = Buffer.byteLength(await recordAnswer((through) => say(url, 'long', through)))
    expect(length).toBeGreaterThan(2000)
    // Every byte is cut at in test/server/wires; here a few hundred places, which no frame's length divides.
    const { cuts } = await cutEvery({ length, step: 7 }, async (through, at) => {
      const answer = await say(url, 'long', through)
      expect([at, answer.status, textOf(answer)]).toEqual([at, 'complete', LONG.join('')])
    })
    expect(server.posted).toHaveLength(cuts + 1)
  })
})
