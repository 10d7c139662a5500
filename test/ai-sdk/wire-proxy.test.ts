import { describe, expect, it } from 'vitest'
import { textOf, type ChatMessage } from '../../src/index.ts'
import type { CapturableChat } from '../../src/state/chat-options.ts'
import { chatOn, PATIENTLY } from '../server/serve-wire.ts'
import { answerOf, promptOf } from '../support/answer-of.ts'
import { cutEvery, cutPosts, recordAnswer } from '../support/cut-posts.ts'
import { serveProxy } from '../server/serve-proxy.ts'
import type { Fetch } from '../../src/wire/fetch-transport.ts'
import { LONG, serveModel, type ModelServer, type Scenario } from './model-server.ts'
import { MAJORS, type Major } from './sdk.ts'
import { createUiChat } from './ui-chat.ts'

// A page, the proxy, and a server of each major of the AI SDK that keeps no streams.

interface Opened {
  readonly server: ModelServer
  readonly url: string
  readonly chat: CapturableChat
}

async function open(major: Major): Promise<Opened> {
  const server = await serveModel(major)
  const { origin } = await serveProxy(server.api, { wire: 'ai-sdk' })
  const url = `${origin}/api/chat`
  return { server, url, chat: chatOn('ai-sdk', url) }
}

/** Says something on its own page. */
async function say(url: string, scenario: Scenario, fetch?: Fetch): Promise<ChatMessage> {
  const chat = chatOn('ai-sdk', url, fetch)
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

describe.each(MAJORS)('ai %s behind the proxy', (major) => {
  it.each(['hello', 'think', 'look up', 'sources', 'files', 'too long', 'refuse', 'fail', 'stop yourself'] as const)(
    'shows "%s" as without the proxy, also when the connection is cut',
    async (scenario) => {
      const { server, url } = await open(major)
      const direct = shape(await say(server.api, scenario))
      expect(shape(await say(url, scenario))).toEqual(direct)
      for (const bytes of [1, 150, 400])
        expect(shape(await say(url, scenario, cutPosts(bytes, 'reset')))).toEqual(direct)
      expect(server.posted).toHaveLength(5)
    },
  )

  it.each(['break', 'end early'] as const)(
    'says that an answer was cut when the model does this: %s',
    async (scenario) => {
      const { server, url } = await open(major)
      const answer = await say(url, scenario)
      expect(['failed', 'incomplete']).toContain(answer.status)
      expect(textOf(answer)).toBe('Half ')
      expect(server.posted).toHaveLength(1)
    },
  )

  it('continues with a conversation, and gets the output of a tool of the page', async () => {
    const { server, chat } = await open(major)
    await chat.sendMessage('look up')
    await chat.sendMessage('where')
    await chat.answer(promptOf(chat).id, { type: 'value', value: { city: 'Ulm' } })
    await expect.poll(() => chat.getSnapshot().status, PATIENTLY).toBe('ready')
    expect([answerOf(chat).status, textOf(answerOf(chat))]).toEqual(['complete', 'So be it.'])
    expect(server.posted).toHaveLength(3)
    await chat.dispose()
  })

  it('makes useChat say that an answer was cut, which without the proxy it takes for whole', async () => {
    const { server, url } = await open(major)
    const endAt = async (api: string): Promise<string> => {
      const chat = await createUiChat(major, { api, fetch })
      await chat.sendMessage({ text: 'break' })
      return chat.status
    }
    expect([await endAt(server.api), await endAt(url)]).toEqual(['ready', 'error'])
  })

  it('gives useChat the run that continues, on a page that was loaded in the middle of it', async () => {
    let goOn = (): void => {}
    const pause = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const server = await serveModel(major, { pause })
    const { origin } = await serveProxy(server.api, { wire: 'ai-sdk' })
    const api = `${origin}/api/chat`
    const first = await createUiChat(major, { api, fetch })
    const sent = first.sendMessage({ text: 'hello' })
    await expect.poll(() => server.posted.length, PATIENTLY).toBe(1)
    const statuses: number[] = []
    const second = await createUiChat(major, {
      api,
      fetch: async (to, init) => {
        const response = await fetch(to, init)
        statuses.push(response.status)
        return response
      },
    })
    const resumed = second.resumeStream()
    await expect.poll(() => statuses, PATIENTLY).toEqual([200])
    goOn()
    await Promise.all([sent, resumed])
    const textIn = ({ parts }: { parts: readonly { text?: string }[] } = { parts: [] }): string =>
      parts.map(({ text = '' }) => text).join('')
    expect([second.status, textIn(second.messages.at(-1))]).toEqual(['ready', 'Rivers meander.'])
    expect(textIn(first.messages.at(-1))).toBe('Rivers meander.')
    expect(server.posted).toHaveLength(1)
  })

  it('is exact, cut at every seventh byte of an answer of 2 kB, with one POST', { timeout: 300_000 }, async () => {
    const { server, url } = await open(major)
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

// Version 5 knows no consent.
describe.each([6, 7] as const)('ai %s behind the proxy with a tool that needs consent', (major) => {
  it('runs it once, when the user allows it', async () => {
    const { server, chat } = await open(major)
    await chat.sendMessage('ask')
    const prompt = promptOf(chat)
    expect(server.mails).toEqual([])
    await chat.answer(prompt.id, { type: 'option', optionId: 'allow', digest: prompt.subject?.digest })
    await expect.poll(() => chat.getSnapshot().status, PATIENTLY).toBe('ready')
    expect(textOf(answerOf(chat))).toBe('So be it.')
    expect(server.mails).toEqual([{ to: 'ann@example.com' }])
    await chat.dispose()
  })
})
