import { afterEach, describe, expect, it } from 'vitest'
import type { AiSdkClientOptions } from '../../src/ai-sdk.ts'
import type { ChatInstance, ChatMessage } from '../../src/index.ts'
import { textOf } from '../../src/index.ts'
import { chatWithAiSdk } from '../support/ai-sdk-server.ts'
import type { ModelServer, Scenario } from './model-server.ts'
import { LONG, serveModel } from './model-server.ts'
import { MAJORS } from './sdk.ts'
import { answerOf, promptOf } from '../support/answer-of.ts'

// The client of capstan over HTTP with servers of each major of the AI SDK.

const chats: ChatInstance[] = []

afterEach(() => {
  for (const chat of chats.splice(0)) void chat.dispose()
})

function chatWith({ api }: ModelServer, options: AiSdkClientOptions = {}): ChatInstance {
  const chat = chatWithAiSdk({ fetch: (url, init) => fetch(url, init) }, { api, ...options })
  chats.push(chat)
  return chat
}

const methodsOf = ({ seen }: ModelServer): number => seen.filter(({ body }) => body !== '').length

describe.each(MAJORS)('ai %s', (major) => {
  async function say(scenario: Scenario): Promise<{ readonly server: ModelServer; readonly chat: ChatInstance }> {
    const server = await serveModel(major)
    const chat = chatWith(server)
    await chat.sendMessage(scenario)
    return { server, chat }
  }

  it.each([
    ['hello', 'Rivers meander.'],
    ['think', 'They meander.'],
    ['look up', 'Let me look.So be it.'],
    ['sources', 'See here.'],
    ['files', 'A picture:'],
    ['too long', 'Too long to'],
  ] as const)('answers "%s" in full', async (scenario, text) => {
    const { chat, server } = await say(scenario)
    expect([answerOf(chat).status, textOf(answerOf(chat))]).toEqual(['complete', text])
    expect(server.posted).toHaveLength(1)
  })

  it('shows thoughts, calls of tools, sources, files and limits as parts', async () => {
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
        output: 6,
        status: 'complete',
      }),
    )
    expect(await partsOf('sources')).toContainEqual(
      expect.objectContaining({
        type: 'citations',
        citations: [
          { sourceId: 's1', uri: 'https://rivers.test/a', title: 'Bends' },
          { sourceId: 's2', uri: '', title: 'Survey' },
        ],
      }),
    )
    expect(await partsOf('files')).toContainEqual(
      expect.objectContaining({ type: 'media', items: [expect.objectContaining({ mimeType: 'image/png' })] }),
    )
    expect(await partsOf('too long')).toContainEqual(expect.objectContaining({ type: 'notice', code: 'length' }))
  })

  it.each([
    ['refuse', 'failed', ''],
    ['fail', 'failed', 'Half '],
    ['break', 'incomplete', 'Half '],
    ['end early', 'incomplete', 'Half '],
    ['stop yourself', 'stopped', 'Half '],
  ] as const)('has no complete answer when the model does this: %s', async (scenario, status, text) => {
    const { chat, server } = await say(scenario)
    expect([answerOf(chat).status, textOf(answerOf(chat))]).toEqual([status, text])
    expect(JSON.stringify(chat.getSnapshot())).not.toContain('canary')
    expect(server.posted).toHaveLength(1)
  })

  it('continues with a conversation that has thoughts and calls in it', async () => {
    const server = await serveModel(major)
    const chat = chatWith(server)
    for (const scenario of ['think', 'look up', 'files', 'hello'] as const) await chat.sendMessage(scenario)
    expect(chat.getSnapshot().error).toBeUndefined()
    expect(textOf(answerOf(chat))).toBe('Rivers meander.')
    expect(server.posted.at(-1)).toHaveLength(7)
    expect(JSON.stringify(server.posted.at(-1))).toContain('"signature":"signed"')
  })

  it.each(['fail', 'end early', 'stop yourself'] as const)(
    'continues after an answer that did this: %s',
    async (scenario) => {
      const { chat } = await say(scenario)
      await chat.sendMessage('hello')
      expect([answerOf(chat).status, textOf(answerOf(chat))]).toEqual(['complete', 'Rivers meander.'])
    },
  )

  it('gets the output of a tool without a function from the user', async () => {
    const { chat, server } = await say('where')
    expect(chat.getSnapshot().status).toBe('awaiting-input')
    await chat.answer(promptOf(chat).id, { type: 'value', value: { city: 'Ulm' } })
    await expect.poll(() => chat.getSnapshot().status).toBe('ready')
    expect([answerOf(chat).status, textOf(answerOf(chat))]).toEqual(['complete', 'So be it.'])
    expect(server.posted).toHaveLength(2)
  })

  it('continues with another message though a tool without a function got no output', async () => {
    const { chat } = await say('where')
    await chat.stop()
    await chat.sendMessage('hello')
    expect([answerOf(chat).status, textOf(answerOf(chat))]).toEqual(['complete', 'Rivers meander.'])
  })

  it('resumes over HTTP by the replay of a kept stream, with one POST', async () => {
    for (const how of ['end', 'reset'] as const) {
      const server = await serveModel(major, { keeps: true, cuts: [{ afterBytes: 700, how, pieces: 64 }] })
      const chat = chatWith(server)
      await chat.sendMessage('long')
      expect([answerOf(chat).status, textOf(answerOf(chat))]).toEqual(['complete', LONG.join('')])
      expect([methodsOf(server), server.seen.length]).toEqual([1, 2])
    }
  })

  describe('an answer of 2 kB, cut at every byte', () => {
    /** The body as the server writes it, recorded once over HTTP. */
    async function record(): Promise<Uint8Array<ArrayBuffer>> {
      const { api } = await serveModel(major)
      const messages = [{ id: 'u', role: 'user', parts: [{ type: 'text', text: 'long' }] }]
      const body = JSON.stringify({ id: 'chat-1', messages, trigger: 'submit-message' })
      const response = await fetch(api, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      return new Uint8Array(await response.arrayBuffer())
    }

    const piece = (bytes: Uint8Array<ArrayBuffer>): string => new TextDecoder('latin1').decode(bytes)

    function cutBody(bytes: Uint8Array<ArrayBuffer>, end: 'eof' | 'reset'): Response {
      const left = bytes.length > 0 ? [bytes] : []
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          for (const each of left.splice(0)) controller.enqueue(each)
          if (end === 'eof') controller.close()
          else setImmediate(() => controller.error(new TypeError('network error')))
        },
      })
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    }

    it('is exact, and nothing was posted twice, where the server replays', { timeout: 120_000 }, async () => {
      const whole = await record()
      expect(whole.length).toBeGreaterThan(2000)
      for (let at = 0; at < whole.length; at++) {
        const methods: string[] = []
        const chat = chatWithAiSdk({
          fetch: async (_url, { method = 'GET' }) => {
            methods.push(method)
            return cutBody(method === 'POST' ? whole.subarray(0, at) : whole, method === 'POST' ? 'reset' : 'eof')
          },
        })
        await chat.sendMessage('long')
        const { status, ...message } = answerOf(chat)
        expect([at, status, textOf({ status, ...message })]).toEqual([at, 'complete', LONG.join('')])
        expect(methods.filter((method) => method === 'POST')).toHaveLength(1)
        await chat.dispose()
      }
    })

    it(
      'is interrupted or exact, never complete and cut, where the server keeps nothing',
      { timeout: 120_000 },
      async () => {
        const whole = await record()
        const end = piece(whole).indexOf('"type":"finish"')
        const ends = piece(whole).indexOf('\n\n', end) + 2
        const verdicts = new Set<string>()
        for (let at = 0; at <= whole.length; at++) {
          const chat = chatWithAiSdk({ fetch: async () => cutBody(whole.subarray(0, at), 'eof') }, { resumeUrl: false })
          await chat.sendMessage('long')
          const answer = answerOf(chat)
          verdicts.add(answer.status)
          expect([at, answer.status]).toEqual([at, at < ends ? 'incomplete' : 'complete'])
          expect(LONG.join('').startsWith(textOf(answer))).toBe(true)
          if (answer.status === 'complete') expect(textOf(answer)).toBe(LONG.join(''))
          await chat.dispose()
        }
        expect([...verdicts].toSorted()).toEqual(['complete', 'incomplete'])
      },
    )
  })
})

// Version 5 knows no consent.
describe.each([6, 7] as const)('ai %s with a tool that needs consent', (major) => {
  it('runs a tool once when the user allows it, and not when the user does not', async () => {
    const server = await serveModel(major)
    const chat = chatWith(server)
    await chat.sendMessage('ask')
    const prompt = promptOf(chat)
    expect(prompt).toMatchObject({
      kind: 'approval',
      subject: { name: 'send_email', input: { to: 'ann@example.com' } },
    })
    expect(server.mails).toEqual([])
    await chat.answer(prompt.id, { type: 'option', optionId: 'allow', digest: prompt.subject?.digest })
    await expect.poll(() => chat.getSnapshot().status).toBe('ready')
    expect(answerOf(chat).parts[0]).toMatchObject({ type: 'tool-call', status: 'complete', output: 'sent' })
    expect(textOf(answerOf(chat))).toBe('So be it.')
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
})
