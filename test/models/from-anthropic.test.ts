import { describe, expect, it } from 'vitest'
import { textOf } from '../../src/index.ts'
import { chatMessages } from '../../src/server.ts'
import { fromAnthropic } from '../../src/server-models.ts'
import type { AnthropicStream, FromAnthropicOptions } from '../../src/server/models/from-anthropic.ts'
import { createLimit, openModelPage, toolCall, type ModelPage } from './ask-agent.ts'
import { serveVendor, type VendorAnswer, type VendorServer } from './vendor-server.ts'
import { eventually } from '../support/eventually.ts'

/** What is used of the SDK. */
interface AnthropicSdk {
  readonly messages: {
    create(body: object, options: { signal: AbortSignal }): Promise<AsyncIterable<object>>
  }
}

// Its types are there only where the packages of test/models are installed.
const { default: Anthropic } = (await import(/* @vite-ignore */ ['@anthropic-ai', 'sdk'].join('/'))) as {
  readonly default: new (options: object) => AnthropicSdk
}

const start = {
  type: 'message_start',
  message: { id: 'msg-1', role: 'assistant', content: [], usage: { input_tokens: 3 } },
}
const block = (index: number, content_block: object, ...deltas: readonly object[]): object[] => [
  { type: 'content_block_start', index, content_block },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
]
const text = (index: number, ...said: readonly string[]): object[] =>
  block(index, { type: 'text', text: '' }, ...said.map((each) => ({ type: 'text_delta', text: each })))
const end = (stop_reason = 'end_turn'): object[] => [
  { type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 4 } },
  { type: 'message_stop' },
]
const HALF = [start, ...text(0, 'Half ').slice(0, 2)]
const thinking = block(
  0,
  { type: 'thinking', thinking: '', signature: '' },
  { type: 'thinking_delta', thinking: 'Bends ' },
  { type: 'thinking_delta', thinking: 'wander.' },
  { type: 'signature_delta', signature: 'signed' },
)
const call = (index: number): object[] =>
  block(
    index,
    { type: 'tool_use', id: 'call-1', name: 'send_email', input: {} },
    { type: 'input_json_delta', partial_json: '{"to":' },
    { type: 'input_json_delta', partial_json: '"ann"}' },
  )

interface Opened extends ModelPage<unknown> {
  readonly server: VendorServer
}

async function open(
  answers: readonly VendorAnswer[],
  options: FromAnthropicOptions = {},
  signalOf: (signal: AbortSignal) => AbortSignal = (signal) => signal,
): Promise<Opened> {
  const server = await serveVendor((ordinal) => answers[ordinal] ?? { status: 500, body: {} })
  const client = new Anthropic({ apiKey: 'none', baseURL: server.origin, maxRetries: 0 })
  const page = openModelPage<unknown>(async (run) => {
    const messages = await chatMessages(run)
    const stream = (added: object[]): AnthropicStream =>
      client.messages.create(
        { model: 'm', max_tokens: 9, messages: [...messages, ...added], stream: true },
        { signal: signalOf(run.signal) },
      )
    return fromAnthropic(stream, run, options)
  })
  return { ...page, server }
}

/** What the client is told about a failure that has its own code. */
const CODES: Readonly<Record<string, string>> = {
  'refuses the key': 'model_unauthorized',
  'breaks off': 'model_unavailable',
  'reports an error': 'model_unavailable',
  'reaches a limit': 'model_output_limit',
  refuses: 'model_content_filtered',
}

describe('fromAnthropic', () => {
  it('says text and gives how it ended', async () => {
    const { chat, answer, ends } = await open([{ events: [start, ...text(0, 'Rivers ', 'meander.'), ...end()] }])
    await chat.sendMessage('Why?')
    expect([answer().status, textOf(answer())]).toEqual(['complete', 'Rivers meander.'])
    expect(ends).toEqual([
      {
        stopReason: 'end_turn',
        usage: { output_tokens: 4 },
        messages: [{ role: 'assistant', content: [{ type: 'text', text: 'Rivers meander.' }] }],
      },
    ])
  })

  it('shows thinking, searches and what an answer cites', async () => {
    const url = 'https://rivers.test/a'
    const { chat, answer } = await open([
      {
        events: [
          start,
          ...thinking,
          ...block(1, { type: 'server_tool_use', id: 's1', name: 'web_search', input: {} }),
          ...block(2, {
            type: 'web_search_tool_result',
            tool_use_id: 's1',
            content: [{ type: 'web_search_result', url, title: 'Bends' }],
          }),
          ...block(
            3,
            { type: 'text', text: '' },
            { type: 'text_delta', text: 'They meander.' },
            {
              type: 'citations_delta',
              citation: { type: 'web_search_result_location', url, title: 'Bends', cited_text: 'x' },
            },
          ),
          ...end(),
        ],
      },
    ])
    await chat.sendMessage('Why?')
    expect(answer().parts).toMatchObject([
      { type: 'thought', text: 'Bends wander.', status: 'complete' },
      { type: 'tool-call', name: 'web_search', status: 'complete' },
      { type: 'citations', citations: [{ uri: url, title: 'Bends' }] },
      { type: 'text', text: 'They meander.' },
    ])
  })

  it.each([
    ['allow-once', 1, 'complete'],
    ['reject-once', 0, 'denied'],
  ] as const)('asks before a tool, and sends thinking and call back unchanged: %s', async (option, times, status) => {
    let mails = 0
    const execute = (): string => `mail ${(mails += 1)}`
    const { chat, answer, prompt, server } = await open(
      [
        { events: [start, ...thinking, ...call(1), ...end('tool_use')] },
        { events: [start, ...text(0, 'Done.'), ...end()] },
      ],
      { tools: { send_email: { needsApproval: (input) => JSON.stringify(input).includes('ann'), execute } } },
    )
    const asked = chat.sendMessage('Mail Ann')
    await eventually(() => expect(prompt()?.state).toBe('open'))
    expect([prompt()?.subject?.input, mails]).toEqual([{ to: 'ann' }, 0])
    expect(toolCall(answer())).toMatchObject({ name: 'send_email', status: 'waiting' })
    await chat.answer(prompt()?.id ?? '', { type: 'option', optionId: option, digest: prompt()?.subject?.digest })
    await asked
    expect([answer().status, textOf(answer()), mails]).toEqual(['complete', 'Done.', times])
    expect(toolCall(answer())).toMatchObject({ name: 'send_email', status })
    expect(server.bodies[1]?.['messages']).toMatchObject([
      { role: 'user' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Bends wander.', signature: 'signed' },
          { type: 'tool_use', id: 'call-1', name: 'send_email', input: { to: 'ann' } },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'call-1',
            ...(times === 1 ? { content: 'mail 1' } : { is_error: true, content: 'The user did not allow it.' }),
          },
        ],
      },
    ])
  })

  it('continues after a pause of the model', async () => {
    const { chat, answer, server } = await open([
      { events: [start, ...text(0, 'Rivers '), ...end('pause_turn')] },
      { events: [start, ...text(0, 'meander.'), ...end()] },
    ])
    await chat.sendMessage('Why?')
    expect([answer().status, textOf(answer())]).toEqual(['complete', 'Rivers meander.'])
    expect(server.bodies).toHaveLength(2)
  })

  it.each<[string, VendorAnswer, string]>([
    ['refuses the key', { status: 401, body: { error: { message: 'sk-canary is wrong' } } }, ''],
    ['breaks off', { events: HALF, ends: 'reset' }, 'Half '],
    ['ends early', { events: HALF }, 'Half '],
    ['ends before its last event', { events: [start, ...text(0, 'Half '), ...end().slice(0, 1)] }, 'Half '],
    [
      'reports an error',
      { events: [...HALF, { type: 'error', error: { type: 'overloaded_error', message: 'canary' } }] },
      'Half ',
    ],
    ['reaches a limit', { events: [start, ...text(0, 'Half '), ...end('max_tokens')] }, 'Half '],
    ['refuses', { events: [start, ...text(0, 'Half '), ...end('refusal')] }, 'Half '],
    ['times out', { events: HALF, ends: 'hang' }, 'Half '],
    ['calls a tool that nobody has', { events: [start, ...call(0), ...end('tool_use')] }, ''],
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

  it('closes the request when the user cancels', async () => {
    const { chat, answer, server } = await open([{ events: HALF, ends: 'hang' }])
    void chat.sendMessage('Why?')
    await eventually(() => expect(textOf(answer())).toBe('Half '))
    expect(server.aborted).toBe(0)
    expect(await chat.stop()).toBe('cancelled')
    expect(answer().status).toBe('stopped')
    await eventually(() => expect(server.aborted).toBe(1))
  })
})
