import { afterEach, describe, expect, it } from 'vitest'
import { AiSdkClient, AiSdkError, textStreamFetch } from '../../../../src/ai-sdk.ts'
import type { AiSdkClientOptions } from '../../../../src/ai-sdk.ts'
import type { ChatInstance, ChatMessage, Prompt } from '../../../../src/index.ts'
import type { CapturableChat } from '../../../../src/state/chat-options.ts'
import { backoff, textOf } from '../../../../src/index.ts'
import type { AiSdkServer, Reply } from '../../../support/ai-sdk-server.ts'
import { broken, chatWithAiSdk, eventStream, framesOf, serveAiSdk, textAnswer } from '../../../support/ai-sdk-server.ts'

const chats: ChatInstance[] = []

afterEach(() => {
  for (const chat of chats.splice(0)) void chat.dispose()
})

function open(
  replies: { readonly POST: readonly Reply[]; readonly GET?: readonly Reply[] },
  options?: AiSdkClientOptions,
): { readonly chat: CapturableChat; readonly server: AiSdkServer } {
  const server = serveAiSdk(replies)
  const chat = chatWithAiSdk(server, options)
  chats.push(chat)
  return { chat, server }
}

function answersOf(chat: ChatInstance): readonly ChatMessage[] {
  return chat.getSnapshot().messages.filter(({ role }) => role === 'assistant')
}

function lastAnswer(chat: ChatInstance): ChatMessage {
  const message = answersOf(chat).at(-1)
  if (message === undefined) throw new Error('There is no answer.')
  return message
}

function promptsOf(chat: ChatInstance): readonly Prompt[] {
  return answersOf(chat).flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'prompt' ? [part.prompt] : [])))
}

async function ready(chat: ChatInstance): Promise<void> {
  await expect.poll(() => chat.getSnapshot().status).toBe('ready')
}

const ASK = [
  { type: 'start', messageId: 'm1' },
  { type: 'start-step' },
  { type: 'tool-input-start', toolCallId: 'c1', toolName: 'send_email' },
  { type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta: '{"to":"ann@' },
  {
    type: 'tool-input-available',
    toolCallId: 'c1',
    toolName: 'send_email',
    input: { to: 'ann@example.com' },
    providerMetadata: { openai: { itemId: 'fc_1' } },
  },
  {
    type: 'tool-approval-request',
    approvalId: 'ap-1',
    toolCallId: 'c1',
    signature: 'signed',
    reason: 'It leaves the house.',
  },
  { type: 'finish-step' },
  { type: 'finish', finishReason: 'tool-calls' },
]
const SENT = [
  { type: 'start', messageId: 'm1' },
  { type: 'tool-output-available', toolCallId: 'c1', output: 'sent' },
  { type: 'start-step' },
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: 'Mail is out.' },
  { type: 'text-end', id: 't' },
  { type: 'finish-step' },
  { type: 'finish', finishReason: 'stop' },
]
const DENIED = [{ type: 'start', messageId: 'm1' }, { type: 'tool-output-denied', toolCallId: 'c1' }, ...SENT.slice(2)]
const CLIENT_TOOL = [
  { type: 'start', messageId: 'm1' },
  { type: 'start-step' },
  { type: 'tool-input-available', toolCallId: 'c1', toolName: 'get_location', input: { precise: true } },
  { type: 'finish-step' },
  { type: 'finish', finishReason: 'tool-calls' },
]

describe('a request', () => {
  it('has the whole conversation, with the ids and metadata of the server unchanged', async () => {
    const first = [
      { type: 'start', messageId: 'm1', messageMetadata: { model: 'x' } },
      { type: 'start-step' },
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', delta: 'hm' },
      { type: 'reasoning-end', id: 'r', providerMetadata: { anthropic: { signature: 's' } } },
      ...textAnswer('m1', 'Rivers ', 'bend.').slice(2),
    ]
    const { chat, server } = open({ POST: [first, textAnswer('m2', 'Yes.')] }, { body: { tenant: 7, id: 'no' } })
    await chat.sendMessage('Why?')
    await chat.sendMessage('Sure?')
    const ids = chat.getSnapshot().messages.flatMap(({ role, id }) => (role === 'user' ? [id] : []))
    expect(server.seen.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /api/chat', 'POST /api/chat'])
    expect(server.seen[0]?.headers.get('content-type')).toBe('application/json')
    expect(server.seen[0]?.body).toEqual({
      tenant: 7,
      id: 'chat-1',
      messages: [{ id: ids[0], role: 'user', parts: [{ type: 'text', text: 'Why?' }] }],
      trigger: 'submit-message',
    })
    expect(server.seen[1]?.body.messages).toEqual([
      { id: ids[0], role: 'user', parts: [{ type: 'text', text: 'Why?' }] },
      {
        id: 'm1',
        role: 'assistant',
        metadata: { model: 'x' },
        parts: [
          { type: 'step-start' },
          { type: 'reasoning', text: 'hm', state: 'done', providerMetadata: { anthropic: { signature: 's' } } },
          { type: 'text', text: 'Rivers bend.', state: 'done' },
        ],
      },
      { id: ids[1], role: 'user', parts: [{ type: 'text', text: 'Sure?' }] },
    ])
  })

  it('carries files before the text', async () => {
    const { chat, server } = open({ POST: [textAnswer('m1', 'A map.')] })
    await chat.sendMessage({
      text: 'What is this?',
      files: [{ data: 'AAAA', mimeType: 'image/png', name: 'map.png' }, { id: 'https://files.test/a.pdf' }],
    })
    expect(server.seen[0]?.body.messages?.[0]?.parts).toEqual([
      { type: 'file', mediaType: 'image/png', filename: 'map.png', url: 'data:image/png;base64,AAAA' },
      { type: 'file', mediaType: 'application/octet-stream', url: 'https://files.test/a.pdf' },
      { type: 'text', text: 'What is this?' },
    ])
  })

  it('is refused before it is sent when a file has neither bytes nor an address', async () => {
    const { chat, server } = open({ POST: [] })
    await chat.sendMessage({ text: 'What is this?', files: ['file-7'] })
    expect(chat.getSnapshot().error).toMatchObject({ name: 'AiSdkError', code: 'invalid_request' })
    expect(server.seen).toEqual([])
  })

  it('leaves the answer out that is made again, and says so', async () => {
    const { chat, server } = open({ POST: [textAnswer('m1', 'One.'), textAnswer('m2', 'Two.')] })
    await chat.sendMessage('Why?')
    await chat.regenerate()
    expect(server.seen[1]?.body).toMatchObject({ trigger: 'regenerate-message' })
    expect(server.seen[1]?.body.messages).toEqual(server.seen[0]?.body.messages)
    expect(textOf(lastAnswer(chat))).toBe('Two.')
  })

  it('has the last message alone, where the server has the others', async () => {
    const { chat, server } = open({ POST: [textAnswer('m1', 'One.'), textAnswer('m2', 'Two.')] }, { history: 'last' })
    await chat.sendMessage('Why?')
    await chat.sendMessage('Sure?')
    expect(server.seen[1]?.body).toMatchObject({ id: 'chat-1', message: { parts: [{ type: 'text', text: 'Sure?' }] } })
    expect(server.seen[1]?.body.messages).toBeUndefined()
  })

  it('has the body that the app makes', async () => {
    const { chat, server } = open(
      { POST: [textAnswer('m1', 'One.')] },
      { prepareBody: ({ id, messages, trigger }) => ({ thread: id, count: messages.length, trigger }) },
    )
    await chat.sendMessage('Why?')
    expect(server.seen[0]?.body).toEqual({ thread: 'chat-1', count: 1, trigger: 'submit-message' })
  })

  it('has no call that is open: models refuse every later turn with one', async () => {
    const half = [...ASK.slice(0, 4), { type: 'error', errorText: 'Overloaded.' }]
    const { chat, server } = open({ POST: [half, ASK, textAnswer('m3', 'Never mind.')] })
    await chat.sendMessage('ask')
    await chat.sendMessage('ask again')
    await chat.stop()
    await chat.sendMessage('Leave it.')
    const sent = server.seen[2]?.body.messages?.flatMap(({ role, parts }) => (role === 'assistant' ? [parts] : []))
    expect(sent).toEqual([
      [
        { type: 'step-start' },
        {
          type: 'tool-send_email',
          toolCallId: 'c1',
          state: 'output-denied',
          input: { to: 'ann@example.com' },
          callProviderMetadata: { openai: { itemId: 'fc_1' } },
          approval: { id: 'ap-1', requestReason: 'It leaves the house.', signature: 'signed', approved: false },
        },
      ],
    ])
  })
})

describe('an answer', () => {
  it('shows a preliminary output of a tool as of one that is running, until the final one comes', async () => {
    const begun = [
      { type: 'start', messageId: 'm1' },
      { type: 'tool-input-available', toolCallId: 'c1', toolName: 'search', input: {} },
      { type: 'tool-output-available', toolCallId: 'c1', output: 1, preliminary: true },
    ]
    const { chat } = open({
      POST: [
        [...begun, { type: 'abort' }],
        [...begun, { type: 'tool-output-available', toolCallId: 'c1', output: 2 }, { type: 'finish' }],
      ],
    })
    const shown: unknown[] = []
    chat.subscribe(() =>
      shown.push(...lastAnswer(chat).parts.flatMap((part) => (part.type === 'tool-call' ? [part.status] : []))),
    )
    await chat.sendMessage('Why?')
    expect(shown).not.toContain('complete')
    await chat.sendMessage('Again.')
    expect(lastAnswer(chat).parts).toMatchObject([{ type: 'tool-call', status: 'complete', output: 2 }])
  })

  it('shows text, thoughts, tools, sources, files and data as parts', async () => {
    const { chat } = open({
      POST: [
        [
          { type: 'start', messageId: 'm1' },
          { type: 'start-step' },
          { type: 'reasoning-start', id: 'r' },
          { type: 'reasoning-delta', id: 'r', delta: 'Look it up.' },
          { type: 'reasoning-end', id: 'r' },
          { type: 'tool-input-available', toolCallId: 'c1', toolName: 'search', input: { q: 'rivers' } },
          { type: 'tool-output-available', toolCallId: 'c1', output: [1, 2] },
          { type: 'source-url', sourceId: 's1', url: 'https://rivers.test/a', title: 'Bends' },
          { type: 'source-document', sourceId: 's2', mediaType: 'application/pdf', title: 'Floods' },
          { type: 'file', url: 'https://files.test/map.png', mediaType: 'image/png' },
          { type: 'file', url: 'https://files.test/map.pdf', mediaType: 'application/pdf' },
          { type: 'data-weather', id: 'w', data: 1 },
          { type: 'data-weather', id: 'w', data: 2 },
          { type: 'data-status', data: 'busy', transient: true },
          { type: 'telepathy', strength: 9 },
          ...textAnswer('m1', 'They bend.').slice(2, -1),
          {
            type: 'finish',
            finishReason: 'length',
            messageMetadata: { totalUsage: { inputTokens: 3, outputTokens: 4 } },
          },
        ],
      ],
    })
    await chat.sendMessage('Why?')
    const { parts, usage, status } = lastAnswer(chat)
    expect(status).toBe('complete')
    expect(usage).toMatchObject({ inputTokens: 3, outputTokens: 4 })
    expect(parts).toEqual([
      { type: 'thought', id: 'thought-1', text: 'Look it up.', status: 'complete' },
      { type: 'tool-call', id: 'tool-2', name: 'search', status: 'complete', input: { q: 'rivers' }, output: [1, 2] },
      {
        type: 'citations',
        id: 'sources',
        citations: [
          { sourceId: 's1', uri: 'https://rivers.test/a', title: 'Bends' },
          { sourceId: 's2', uri: '', title: 'Floods' },
        ],
      },
      { type: 'media', id: 'media-5', items: [{ url: 'https://files.test/map.png', mimeType: 'image/png' }] },
      { type: 'artifact', id: 'artifact-6', url: 'https://files.test/map.pdf', mimeType: 'application/pdf' },
      { type: 'data', id: 'data-7', name: 'weather', data: 2 },
      { type: 'unknown', id: 'unknown-14', name: 'telepathy', raw: { type: 'telepathy', strength: 9 } },
      { type: 'text', id: 'text-8', text: 'They bend.' },
      {
        type: 'notice',
        id: 'finish',
        code: 'length',
        message: 'The answer ends here because it has reached its length limit.',
      },
    ])
  })

  it('is incomplete, and the message was sent once, when the body ends in order before its end', async () => {
    const half = framesOf(textAnswer('m1', 'Rivers ').slice(0, 4), false)
    const { chat, server } = open({ POST: [half], GET: [new Response(null, { status: 204 })] })
    await chat.sendMessage('Why?')
    expect([lastAnswer(chat).status, textOf(lastAnswer(chat))]).toEqual(['incomplete', 'Rivers '])
    expect(lastAnswer(chat).error).toMatchObject({ kind: 'connection', code: 'log_expired' })
    expect(server.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /api/chat',
      'GET /api/chat/chat-1/stream',
    ])
  })

  it.each([
    ['in order', 'truncated', (text: string) => eventStream(text)],
    ['by a reset', 'network_error', (text: string) => broken(text)],
  ])('that ends %s is incomplete at once where the server keeps no streams', async (_title, code, cut) => {
    const half = framesOf(textAnswer('m1', 'Rivers ').slice(0, 4), false)
    // A retry that waited for an hour would not end.
    const retry = { ...backoff({ maxAttempts: 3 }), delayMs: () => 3_600_000 }
    const { chat, server } = open({ POST: [cut(half)] }, { resumeUrl: false, retry })
    await chat.sendMessage('Why?')
    expect([lastAnswer(chat).status, lastAnswer(chat).error?.code]).toEqual(['incomplete', code])
    expect(server.seen).toHaveLength(1)
  })

  it('is failed by an error of the server, whose text is shown', async () => {
    const { chat } = open({
      POST: [[...textAnswer('m1', 'Half ').slice(0, 4), { type: 'error', errorText: 'Overloaded.' }]],
    })
    await chat.sendMessage('Why?')
    expect([lastAnswer(chat).status, lastAnswer(chat).error]).toEqual([
      'failed',
      expect.objectContaining({ message: 'Overloaded.', code: 'agent_error' }),
    ])
    expect(lastAnswer(chat).error).toBeInstanceOf(AiSdkError)
  })

  it('is stopped when the server has stopped it', async () => {
    const { chat } = open({ POST: [[...textAnswer('m1', 'Half ').slice(0, 4), { type: 'abort' }]] })
    await chat.sendMessage('Why?')
    expect(lastAnswer(chat)).toMatchObject({ status: 'stopped', stop: 'cancelled' })
    expect(chat.getSnapshot().error).toBeUndefined()
  })

  it('ends though the server leaves the connection open behind the end', { timeout: 10_000 }, async () => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(framesOf(textAnswer('m1', 'One.'), false))),
    })
    const reply = new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    const { chat } = open({ POST: [reply] })
    await chat.sendMessage('Why?')
    expect(lastAnswer(chat).status).toBe('complete')
  })

  it('is read as an event stream by the header of the AI SDK, and nothing else is', async () => {
    const headers = { 'content-type': 'text/plain', 'x-vercel-ai-ui-message-stream': 'v1' }
    const { chat } = open({
      POST: [
        new Response(framesOf(textAnswer('m1', 'One.')), { headers }),
        new Response('<html>', { headers: { 'content-type': 'text/html' } }),
      ],
    })
    await chat.sendMessage('Why?')
    expect([lastAnswer(chat).status, textOf(lastAnswer(chat))]).toEqual(['complete', 'One.'])
    await chat.sendMessage('Sure?')
    expect(chat.getSnapshot().error).toMatchObject({ code: 'unexpected_content_type' })
  })

  it('is a stream of plain text where the client has a fetch for it', async () => {
    const text = { headers: { 'content-type': 'text/plain; charset=utf-8' } }
    const server = serveAiSdk({ POST: [new Response('Rivers bend.', text), new Response('', text)] })
    const chat = chatWithAiSdk({ fetch: textStreamFetch(server.fetch) }, { resumeUrl: false })
    chats.push(chat)
    await chat.sendMessage('Why?')
    expect([lastAnswer(chat).status, textOf(lastAnswer(chat))]).toEqual(['complete', 'Rivers bend.'])
    await chat.sendMessage('Sure?')
    expect(lastAnswer(chat).status).toBe('incomplete')
  })
})

describe('a dropped connection', () => {
  const whole = textAnswer('m1', 'Rivers ', 'meander ', 'because ', 'banks ', 'give way.')

  it.each([
    ['in order', (text: string) => eventStream(text)],
    ['by a reset', (text: string) => broken(text)],
  ])('that ends %s is resumed, and what the replay repeats is not told twice', async (_title, cut) => {
    const { chat, server } = open({ POST: [cut(framesOf(whole.slice(0, 6), false))], GET: [whole] })
    await chat.sendMessage('Why?')
    expect([lastAnswer(chat).status, textOf(lastAnswer(chat))]).toEqual([
      'complete',
      'Rivers meander because banks give way.',
    ])
    expect(server.seen.map(({ method }) => method)).toEqual(['POST', 'GET'])
  })

  it('continues in the middle where the server numbers its frames', async () => {
    const numbered = (chunks: readonly object[], from: number): string =>
      chunks.map((chunk, at) => `id: ${from + at}\ndata: ${JSON.stringify(chunk)}\n\n`).join('')
    const { chat, server } = open({
      POST: [broken(numbered(whole.slice(0, 6), 0))],
      GET: [eventStream(`${numbered(whole.slice(6), 6)}data: [DONE]\n\n`)],
    })
    await chat.sendMessage('Why?')
    expect(textOf(lastAnswer(chat))).toBe('Rivers meander because banks give way.')
    expect(server.seen[1]?.headers.get('last-event-id')).toBe('5')
  })

  it('is not joined with a newer answer of the chat', async () => {
    const { chat } = open({
      POST: [broken(framesOf(whole.slice(0, 6), false))],
      GET: [textAnswer('m9', 'Rivers ', 'meander ', 'not.')],
    })
    await chat.sendMessage('Why?')
    expect([lastAnswer(chat).status, lastAnswer(chat).error?.code]).toEqual(['incomplete', 'log_expired'])
    expect(textOf(lastAnswer(chat))).toBe('Rivers meander because ')
  })

  it('is not joined with an answer that only says something else, where messages have no ids', async () => {
    const nameless = (chunks: readonly object[]): object[] => [{ type: 'start' }, ...chunks.slice(1)]
    const { chat } = open({
      POST: [broken(framesOf(nameless(whole).slice(0, 6), false))],
      GET: [nameless(textAnswer('m9', 'Glaciers ', 'calve ', 'in ', 'summer.'))],
    })
    await chat.sendMessage('Why?')
    expect([lastAnswer(chat).status, lastAnswer(chat).error?.code]).toEqual(['incomplete', 'log_expired'])
    expect(textOf(lastAnswer(chat))).toBe('Rivers meander because ')
  })

  it('before the answer began leaves it unknown whether the message arrived, and is not posted again', async () => {
    const { chat, server } = open({ POST: [new TypeError('fetch failed')], GET: [new Response(null, { status: 204 })] })
    await chat.sendMessage('Why?')
    expect(chat.getSnapshot().error).toMatchObject({ code: 'delivery_unknown' })
    expect(server.seen.map(({ method }) => method)).toEqual(['POST', 'GET'])
  })

  it('is not resumed with the answer before, which the server still has', async () => {
    const { chat } = open({
      POST: [textAnswer('m1', 'One.'), new TypeError('fetch failed')],
      GET: [textAnswer('m1', 'One.')],
    })
    await chat.sendMessage('Why?')
    await chat.sendMessage('Sure?')
    expect(chat.getSnapshot().error).toMatchObject({ code: 'delivery_unknown' })
    expect(answersOf(chat)).toHaveLength(1)
  })
})

describe('a page that is loaded again', () => {
  /** A body that stays open behind these chunks. */
  const held = (chunks: readonly object[]): Response => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(framesOf(chunks, false))),
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }

  /** The chat as another page finds it, with a server that has seen nothing yet. */
  function loadedAgain(chat: CapturableChat, replies: Parameters<typeof serveAiSdk>[0]): ReturnType<typeof open> {
    const server = serveAiSdk(replies)
    const again = chatWithAiSdk(server, {}, structuredClone(chat.capture()))
    chats.push(again)
    return { chat: again, server }
  }

  it('resumes the answer and does not post the message again', async () => {
    const whole = textAnswer('m1', 'Rivers ', 'meander.')
    const { chat } = open({ POST: [held(whole.slice(0, 4))] })
    void chat.sendMessage('Why?')
    await expect.poll(() => answersOf(chat).map(textOf)).toEqual(['Rivers '])
    const { chat: again, server } = loadedAgain(chat, { POST: [], GET: [whole] })
    await again.resume()
    expect([lastAnswer(again).status, textOf(lastAnswer(again))]).toEqual(['complete', 'Rivers meander.'])
    expect(server.seen.map(({ method }) => method)).toEqual(['GET'])
  })

  it('resumes the answer to a consent, whose call has the output of the server', async () => {
    const { chat } = open({ POST: [ASK, held(SENT.slice(0, 1))] })
    await chat.sendMessage('Mail Ann.')
    const [prompt] = promptsOf(chat)
    await chat.answer(prompt?.id ?? '', { type: 'option', optionId: 'allow', digest: prompt?.subject?.digest })
    await expect.poll(() => promptsOf(chat).map(({ state }) => state)).toEqual(['answered'])
    const { chat: again, server } = loadedAgain(chat, { POST: [textAnswer('m2', 'Bye.')], GET: [SENT] })
    await again.resume()
    expect(lastAnswer(again).parts.map(({ type }) => type)).toEqual(['tool-call', 'text'])
    expect(lastAnswer(again).parts[0]).toMatchObject({ name: 'send_email', status: 'complete', output: 'sent' })
    await again.sendMessage('Thanks.')
    expect(server.seen.map(({ method }) => method)).toEqual(['GET', 'POST'])
    expect(server.seen[1]?.body.messages?.[1]?.parts[1]).toMatchObject({
      state: 'output-available',
      approval: { id: 'ap-1', approved: true },
    })
  })
})

describe('a call that needs consent', () => {
  it('leaves the question to the page where the agent has no sentence', async () => {
    const { chat } = open({ POST: [ASK.map((chunk) => ('reason' in chunk ? { ...chunk, reason: undefined } : chunk))] })
    await chat.sendMessage('Mail Ann.')
    expect(promptsOf(chat)).toMatchObject([{ kind: 'approval', message: '', subject: { name: 'send_email' } }])
  })

  it('is a prompt, and what is allowed continues in the same message of the server', async () => {
    const { chat, server } = open({ POST: [ASK, SENT, textAnswer('m2', 'Bye.')] })
    await chat.sendMessage('Mail Ann.')
    expect(chat.getSnapshot().status).toBe('awaiting-input')
    const [prompt] = promptsOf(chat)
    expect(prompt).toMatchObject({
      kind: 'approval',
      message: 'It leaves the house.',
      subject: { name: 'send_email', input: { to: 'ann@example.com' }, toolCallId: 'tool-1' },
      answeredBy: 'next-run',
      state: 'open',
    })
    expect(lastAnswer(chat).parts[0]).toMatchObject({ type: 'tool-call', id: 'tool-1', status: 'waiting' })
    const digest = prompt?.subject?.digest
    await chat.answer(prompt?.id ?? '', { type: 'option', optionId: 'allow', digest })
    await ready(chat)
    expect(server.seen[1]?.body).toMatchObject({ trigger: 'submit-message', messageId: 'm1' })
    expect(server.seen[1]?.body.messages?.at(-1)).toEqual({
      id: 'm1',
      role: 'assistant',
      parts: [
        { type: 'step-start' },
        {
          type: 'tool-send_email',
          toolCallId: 'c1',
          state: 'approval-responded',
          input: { to: 'ann@example.com' },
          callProviderMetadata: { openai: { itemId: 'fc_1' } },
          approval: { id: 'ap-1', requestReason: 'It leaves the house.', signature: 'signed', approved: true },
        },
      ],
    })
    expect(promptsOf(chat).map(({ state }) => state)).toEqual(['answered'])
    // The call continues where its answer is: the message before has the question alone.
    expect(answersOf(chat).map(({ parts }) => parts.map(({ type }) => type))).toEqual([
      ['prompt'],
      ['tool-call', 'text'],
    ])
    expect(lastAnswer(chat).parts[0]).toMatchObject({ name: 'send_email', status: 'complete', output: 'sent' })
    await chat.sendMessage('Thanks.')
    expect(server.seen[2]?.body.messages?.map(({ id, role }) => (role === 'assistant' ? id : role))).toEqual([
      'user',
      'm1',
      'user',
    ])
    expect(server.seen[2]?.body.messages?.[1]?.parts.map(({ type, state }) => [type, state])).toEqual([
      ['step-start', undefined],
      ['tool-send_email', 'output-available'],
      ['step-start', undefined],
      ['text', 'done'],
    ])
  })

  it.each([
    ['the option that denies', { type: 'option', optionId: 'deny' }],
    ['a decline', { type: 'decline', reason: 'Not today.' }],
    ['a cancel', { type: 'cancel' }],
  ] as const)('is not made after %s', async (_title, answer) => {
    const { chat, server } = open({ POST: [ASK, DENIED] })
    await chat.sendMessage('Mail Ann.')
    const [prompt] = promptsOf(chat)
    const digest = prompt?.subject?.digest
    await chat.answer(prompt?.id ?? '', answer.type === 'option' ? { ...answer, digest } : answer)
    await ready(chat)
    const [, call] = server.seen[1]?.body.messages?.at(-1)?.parts ?? []
    expect(call?.approval).toMatchObject({ id: 'ap-1', approved: false })
    expect(call?.approval?.reason).toBe(answer.type === 'decline' ? 'Not today.' : undefined)
    expect(lastAnswer(chat).parts[0]).toMatchObject({ type: 'tool-call', status: 'denied' })
  })

  it('waits until every call of the answer has one, and one request carries all answers', async () => {
    const two = [
      ...ASK.slice(0, -2),
      { type: 'tool-input-available', toolCallId: 'c2', toolName: 'send_email', input: { to: 'bob@example.com' } },
      { type: 'tool-approval-request', approvalId: 'ap-2', toolCallId: 'c2' },
      ...ASK.slice(-2),
    ]
    const { chat, server } = open({ POST: [two, SENT] })
    await chat.sendMessage('Mail both.')
    const [first, second] = promptsOf(chat)
    await chat.answer(first?.id ?? '', { type: 'option', optionId: 'allow', digest: first?.subject?.digest })
    expect(server.seen).toHaveLength(1)
    await chat.answer(second?.id ?? '', { type: 'decline' })
    await ready(chat)
    const calls = server.seen[1]?.body.messages?.at(-1)?.parts.slice(1)
    expect(calls?.map(({ approval }) => approval?.approved)).toEqual([true, false])
  })

  it('is not a question where the rules of the server decide', async () => {
    const automatic = [
      ...ASK.slice(0, 5),
      { type: 'tool-approval-request', approvalId: 'ap-1', toolCallId: 'c1', isAutomatic: true },
      { type: 'tool-approval-response', approvalId: 'ap-1', approved: true },
      ...SENT.slice(1),
    ]
    const { chat } = open({ POST: [automatic] })
    await chat.sendMessage('Mail Ann.')
    expect(promptsOf(chat)).toEqual([])
    expect(chat.getSnapshot().status).toBe('ready')
    expect(lastAnswer(chat).parts[0]).toMatchObject({ type: 'tool-call', status: 'complete' })
  })
})

describe('a tool without a function on the server', () => {
  const clientTools = {
    get_location: { message: 'Where are you?', output: { type: 'object', properties: { city: { type: 'string' } } } },
  }

  it('is a form, whose values are its output', async () => {
    const { chat, server } = open({ POST: [CLIENT_TOOL, SENT] }, { clientTools })
    await chat.sendMessage('Where am I?')
    const [prompt] = promptsOf(chat)
    expect(prompt).toMatchObject({
      kind: 'form',
      message: 'Where are you?',
      schema: clientTools.get_location.output,
      subject: { name: 'get_location', input: { precise: true } },
    })
    await chat.answer(prompt?.id ?? '', { type: 'value', value: { city: 'Ulm' } })
    await ready(chat)
    expect(server.seen[1]?.body.messages?.at(-1)?.parts[1]).toEqual({
      type: 'tool-get_location',
      toolCallId: 'c1',
      state: 'output-available',
      input: { precise: true },
      output: { city: 'Ulm' },
    })
    expect(textOf(lastAnswer(chat))).toBe('Mail is out.')
  })

  it('has an error as its output when the user declines', async () => {
    const { chat, server } = open({ POST: [CLIENT_TOOL, SENT] })
    await chat.sendMessage('Where am I?')
    await chat.answer(promptsOf(chat)[0]?.id ?? '', { type: 'decline', reason: 'Private.' })
    await ready(chat)
    expect(server.seen[1]?.body.messages?.at(-1)?.parts[1]).toMatchObject({
      state: 'output-error',
      errorText: 'Private.',
    })
  })
})

describe('stopping', () => {
  const endless = (): Response => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) =>
        controller.enqueue(new TextEncoder().encode(framesOf(textAnswer('m1', 'One ').slice(0, 4), false))),
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }

  async function stopped(options: AiSdkClientOptions, answer: Response): Promise<[unknown, readonly string[]]> {
    const { chat, server } = open({ POST: [endless(), answer] }, options)
    void chat.sendMessage('Why?')
    await expect.poll(() => answersOf(chat).map(textOf)).toEqual(['One '])
    await chat.stop()
    return [lastAnswer(chat).stop, server.seen.map(({ method, path }) => `${method} ${path}`)]
  }

  it('leaves a run that the server has no endpoint for', async () => {
    expect(await stopped({}, new Response())).toEqual(['left', ['POST /api/chat']])
  })

  it('asks the server where the app has an endpoint for it', async () => {
    const stopUrl = (id: string): string => `https://app.test/api/chat/${id}/stop`
    expect(await stopped({ stopUrl }, Response.json({ stopped: true }))).toEqual([
      'cancelled',
      ['POST /api/chat', 'POST /api/chat/chat-1/stop'],
    ])
    expect((await stopped({ stopUrl }, new Response(null, { status: 404 })))[0]).toBe('left')
    expect((await stopped({ stopUrl }, Response.json({ code: 'run_over' }, { status: 409 })))[0]).toBe('cancelled')
  })

  it.each([
    ['a login page', () => new Response('<h1>Sign in</h1>', { headers: { 'content-type': 'text/html' } })],
    ['a page with status 410', () => new Response('<h1>Gone</h1>', { status: 410 })],
    ['an empty response', () => new Response(null, { status: 204 })],
    ['an object that does not confirm it', () => Response.json({ stopped: false })],
  ])('is not confirmed by %s, and is asked for again', async (_name, respond) => {
    const stopUrl = (): string => 'https://app.test/stop'
    const { chat, server } = open(
      { POST: [endless(), respond(), respond(), Response.json({ result: 'accepted' })] },
      { stopUrl },
    )
    void chat.sendMessage('Why?')
    await expect.poll(() => answersOf(chat).map(textOf)).toEqual(['One '])
    expect(await chat.stop()).toBe('cancelled')
    expect(server.seen.filter(({ path }) => path === '/stop')).toHaveLength(3)
  })
})

describe('a client', () => {
  it('refuses options that cannot work', () => {
    expect(() => new AiSdkClient({ timeoutMs: 0 })).toThrow('timeoutMs is 0')
    expect(() => new AiSdkClient({ maxRetries: -1 })).toThrow('maxRetries is -1')
    expect(() => new AiSdkClient({ limits: { parts: 0 } })).toThrow('parts is 0')
  })

  it('asks for a new key once when the server refuses the one it has', async () => {
    const keys: (string | undefined)[] = []
    const { chat, server } = open(
      { POST: [new Response(null, { status: 401 }), textAnswer('m1', 'One.')] },
      {
        apiKey: ({ rejected }) => {
          keys.push(rejected)
          return rejected === undefined ? 'old' : 'new'
        },
      },
    )
    await chat.sendMessage('Why?')
    expect(keys).toEqual([undefined, 'old'])
    expect(server.seen.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer old', 'Bearer new'])
    expect(lastAnswer(chat).status).toBe('complete')
  })

  it('shows a refusal of the server as the failure of the message', async () => {
    const { chat, server } = open({
      POST: [new Response('{"message":"No."}', { status: 403, headers: { 'content-type': 'application/json' } })],
    })
    await chat.sendMessage('Why?')
    expect(chat.getSnapshot().error).toMatchObject({
      name: 'AiSdkError',
      code: 'forbidden',
      message: 'No.',
      status: 403,
    })
    expect(server.seen).toHaveLength(1)
  })
})
