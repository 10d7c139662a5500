import { describe, expect, it } from 'vitest'
import { textOf } from '../../src/index.ts'
import { chatMessages, type AgentRun } from '../../src/server.ts'
import { fromOpenAi, type ModelTools } from '../../src/server-models.ts'
import type { FromOpenAiOptions, OpenAiStream } from '../../src/server/models/from-openai.ts'
import { createLimit, openModelPage, toolCall, type ModelPage } from './ask-agent.ts'
import { serveVendor, type VendorAnswer, type VendorServer } from './vendor-server.ts'
import { eventually } from '../support/eventually.ts'

/** What is used of the SDK. */
interface OpenAi {
  readonly responses: {
    create(body: object, options: { signal: AbortSignal }): Promise<AsyncIterable<object>>
    retrieve(id: string, query: object, options: { signal: AbortSignal }): Promise<AsyncIterable<object>>
    cancel(id: string): Promise<unknown>
  }
}

// Its types are there only where the packages of test/models are installed.
const { default: OpenAI } = (await import(/* @vite-ignore */ ['open', 'ai'].join(''))) as {
  readonly default: new (options: object) => OpenAi
}

const MESSAGE = { type: 'message', id: 'm', role: 'assistant', content: [] }
const created = { type: 'response.created', sequence_number: 0, response: { id: 'resp-1', status: 'in_progress' } }
const text = (delta: string, number = 1) => ({
  type: 'response.output_text.delta',
  item_id: 'm',
  content_index: 0,
  delta,
  sequence_number: number,
})
const completed = (output: readonly object[] = [MESSAGE], number = 9) => ({
  type: 'response.completed',
  sequence_number: number,
  response: { id: 'resp-1', status: 'completed', output, usage: { input_tokens: 3, output_tokens: 4 } },
})
const HALF = [created, text('Half ')]
const CALL = { type: 'function_call', id: 'fc', call_id: 'call-1', name: 'send_email', arguments: '{"to":"ann"}' }

interface Opened extends ModelPage<unknown> {
  readonly server: VendorServer
}

async function open(
  answers: readonly VendorAnswer[],
  options: FromOpenAiOptions | ((client: OpenAi, run: AgentRun) => FromOpenAiOptions) = {},
  signalOf: (signal: AbortSignal) => AbortSignal = (signal) => signal,
): Promise<Opened> {
  const server = await serveVendor((ordinal) => answers[ordinal] ?? { status: 500, body: {} })
  const client = new OpenAI({ apiKey: 'none', baseURL: server.origin, maxRetries: 0 })
  const page = openModelPage<unknown>(async (run) => {
    const messages = await chatMessages(run)
    const stream = (added: object[]): OpenAiStream =>
      client.responses.create(
        { model: 'm', input: [...messages, ...added], stream: true },
        { signal: signalOf(run.signal) },
      )
    return fromOpenAi(stream, run, typeof options === 'function' ? options(client, run) : options)
  })
  return { ...page, server }
}

/** What the client is told about a failure that has its own code. */
const CODES: Readonly<Record<string, string>> = {
  'refuses the key': 'model_unauthorized',
  'breaks off': 'model_unavailable',
  'reports an error': 'model_unavailable',
  'reaches a limit': 'model_output_limit',
}

describe('fromOpenAi', () => {
  it('says text and gives what a next request needs', async () => {
    const { chat, answer, ends, server } = await open([
      { events: [created, text('Rivers '), text('meander.'), completed()] },
    ])
    await chat.sendMessage('Why?')
    expect([answer().status, textOf(answer())]).toEqual(['complete', 'Rivers meander.'])
    expect(ends).toEqual([{ responseId: 'resp-1', usage: { input_tokens: 3, output_tokens: 4 } }])
    expect(server.bodies[0]?.['input']).toEqual([{ role: 'user', content: 'Why?' }])
  })

  it('shows reasoning, searches, sources and pictures', async () => {
    const thought = { item_id: 'r', summary_index: 0 }
    const search = { id: 'ws', type: 'web_search_call', status: 'in_progress' }
    const { chat, answer } = await open([
      {
        events: [
          created,
          { type: 'response.reasoning_summary_text.delta', ...thought, delta: 'Bends ' },
          { type: 'response.reasoning_summary_text.delta', ...thought, delta: 'wander.' },
          { type: 'response.reasoning_summary_text.done', ...thought, text: 'Bends wander.' },
          { type: 'response.output_item.added', item: search },
          {
            type: 'response.output_item.done',
            item: { ...search, status: 'completed', action: { type: 'search', query: 'bends' } },
          },
          text('They meander.'),
          {
            type: 'response.output_text.annotation.added',
            annotation: { type: 'url_citation', url: 'https://rivers.test/a', title: 'Bends' },
          },
          { type: 'response.output_item.done', item: { id: 'ig', type: 'image_generation_call', result: 'AAAA' } },
          completed(),
        ],
      },
    ])
    await chat.sendMessage('Why?')
    expect(answer().parts).toMatchObject([
      { type: 'thought', text: 'Bends wander.', status: 'complete' },
      { type: 'tool-call', name: 'web_search', status: 'complete' },
      { type: 'text', text: 'They meander.' },
      { type: 'citations', citations: [{ uri: 'https://rivers.test/a', title: 'Bends' }] },
      { type: 'tool-call', name: 'image_generation', status: 'complete' },
      { type: 'media', items: [{ mimeType: 'image/png' }] },
    ])
  })

  it.each([
    ['allow-once', ['sent'], 'complete'],
    ['reject-once', [], 'denied'],
  ] as const)(
    'asks before a tool that needs approval, and tells the model what came of it: %s',
    async (option, done, status) => {
      const mails: string[] = []
      const tools: ModelTools = {
        send_email: { needsApproval: true, execute: () => (mails.push('sent'), { ok: true }) },
      }
      const { chat, answer, prompt, server } = await open(
        [{ events: [created, completed([CALL])] }, { events: [created, text('Done.'), completed()] }],
        { tools },
      )
      const asked = chat.sendMessage('Mail Ann')
      await eventually(() => expect(prompt()?.state).toBe('open'))
      expect([prompt()?.subject?.input, mails]).toEqual([{ to: 'ann' }, []])
      expect(toolCall(answer())).toMatchObject({ name: 'send_email', status: 'waiting' })
      await chat.answer(prompt()?.id ?? '', { type: 'option', optionId: option, digest: prompt()?.subject?.digest })
      await asked
      expect([answer().status, textOf(answer()), mails]).toEqual(['complete', 'Done.', done])
      expect(toolCall(answer())).toMatchObject({ name: 'send_email', status })
      expect(server.bodies[1]?.['input']).toMatchObject([
        { role: 'user' },
        CALL,
        {
          type: 'function_call_output',
          call_id: 'call-1',
          output: done.length > 0 ? '{"ok":true}' : 'The user did not allow it.',
        },
      ])
    },
  )

  it('tells the model that a tool has failed, and nobody why', async () => {
    const tools: ModelTools = { send_email: { execute: () => Promise.reject(new Error('canary')) } }
    const { chat, answer, server } = await open(
      [{ events: [created, completed([CALL])] }, { events: [created, text('It failed.'), completed()] }],
      { tools },
    )
    await chat.sendMessage('Mail')
    expect(answer().status).toBe('complete')
    expect(JSON.stringify([server.bodies[1], chat.getSnapshot()])).not.toContain('canary')
  })

  it.each<[string, VendorAnswer, string]>([
    ['refuses the key', { status: 401, body: { error: { message: 'sk-canary is wrong' } } }, ''],
    ['breaks off', { events: HALF, ends: 'reset' }, 'Half '],
    ['ends early', { events: HALF }, 'Half '],
    [
      'says that it failed',
      { events: [...HALF, { type: 'response.failed', response: { id: 'resp-1', error: { message: 'canary' } } }] },
      'Half ',
    ],
    ['reports an error', { events: [...HALF, { type: 'error', code: 'server_error', message: 'canary' }] }, 'Half '],
    [
      'reaches a limit',
      {
        events: [
          ...HALF,
          {
            type: 'response.incomplete',
            response: { id: 'resp-1', incomplete_details: { reason: 'max_output_tokens' } },
          },
        ],
      },
      'Half ',
    ],
    ['times out', { events: HALF, ends: 'hang' }, 'Half '],
    ['calls a tool that nobody has', { events: [created, completed([CALL])] }, ''],
  ])('has no complete answer when the model %s', async (name, answered, said) => {
    const limit = createLimit()
    const { chat, answer, reported } = await open([answered], {}, limit.signalOf)
    const ended = chat.sendMessage('Why?')
    if (name === 'times out') {
      await eventually(() => expect(textOf(answer())).toBe('Half '))
      limit.expire()
    }
    await ended
    expect([answer().status, textOf(answer())]).toEqual(['failed', said])
    expect(chat.getSnapshot().error?.agentCode).toBe(CODES[name] ?? 'internal_error')
    expect(JSON.stringify(chat.getSnapshot())).not.toContain('canary')
    expect(reported).toHaveLength(1)
  })

  it('closes the request when the user cancels, and stops a response in the background', async () => {
    const { chat, answer, server } = await open(
      [
        { events: HALF, ends: 'hang' },
        { status: 200, body: {} },
      ],
      (client) => ({
        cancel: (id) => client.responses.cancel(id),
      }),
    )
    void chat.sendMessage('Why?')
    await eventually(() => expect(textOf(answer())).toBe('Half '))
    expect(server.aborted).toBe(0)
    expect(await chat.stop()).toBe('cancelled')
    expect(answer().status).toBe('stopped')
    await eventually(() => expect(server.asked).toEqual(['POST /responses', 'POST /responses/resp-1/cancel']))
    await eventually(() => expect(server.aborted).toBe(1))
  })

  it('reads a response in the background on where a connection broke, each word once', async () => {
    const { chat, answer, server } = await open(
      [
        { events: [created, text('Rivers ', 1)], ends: 'reset' },
        { events: [text('meander ', 2)] },
        { events: [text('slowly.', 3), completed([MESSAGE], 4)] },
      ],
      (client, run) => ({
        resume: (id, after) =>
          client.responses.retrieve(id, { stream: true, starting_after: after }, { signal: run.signal }),
      }),
    )
    await chat.sendMessage('Why?')
    expect([answer().status, textOf(answer())]).toEqual(['complete', 'Rivers meander slowly.'])
    expect(server.asked).toEqual([
      'POST /responses',
      'GET /responses/resp-1?stream=true&starting_after=1',
      'GET /responses/resp-1?stream=true&starting_after=2',
    ])
  })
})
