import { afterEach, describe, expect, it } from 'vitest'
import type { AgUiClientOptions } from '../../../../src/ag-ui.ts'
import { AgUiClient, AgUiError } from '../../../../src/ag-ui.ts'
import type { ChatInstance, ChatMessage, Prompt } from '../../../../src/index.ts'
import type { CapturableChat } from '../../../../src/state/chat-options.ts'
import { textOf } from '../../../../src/index.ts'
import type { AgUiServer, Reply } from '../../../support/ag-ui-server.ts'
import {
  called,
  chatWithAgUi,
  FINISHED,
  framesOf,
  said,
  serveAgUi,
  STARTED,
  textAnswer,
} from '../../../support/ag-ui-server.ts'
import { broken, eventStream } from '../../../support/ai-sdk-server.ts'

const chats: ChatInstance[] = []

afterEach(() => {
  for (const chat of chats.splice(0)) void chat.dispose()
})

function open(
  replies: { readonly POST: readonly Reply[]; readonly GET?: readonly Reply[] },
  options?: Partial<AgUiClientOptions>,
): { readonly chat: CapturableChat; readonly server: AgUiServer } {
  const server = serveAgUi(replies)
  const chat = chatWithAgUi(server, options)
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

const interrupted = (...interrupts: readonly object[]): object => ({
  ...FINISHED,
  outcome: { type: 'interrupt', interrupts },
})
const SCHEMA = {
  type: 'object',
  properties: { approved: { type: 'boolean' }, editedArgs: { type: 'object', properties: { to: { type: 'string' } } } },
}
const CONSENT = { id: 'int-c1', reason: 'tool_call', message: 'Send it?', toolCallId: 'c1', responseSchema: SCHEMA }
const ASK = [STARTED, ...called('c1', 'send_mail', { to: 'ann@example.com' }), interrupted(CONSENT)]
const result = (content: string): object => ({ type: 'TOOL_CALL_RESULT', messageId: 'res', toolCallId: 'c1', content })
const SENT = [STARTED, result('sent'), ...said('m2', 'Mail is out.'), FINISHED]
const allow = (prompt: Prompt | undefined) =>
  ({ type: 'option', optionId: 'allow', digest: prompt?.subject?.digest }) as const

describe('a request', () => {
  it('has the whole thread under the ids of the server, and every member that servers ask for', async () => {
    const first = [
      STARTED,
      { type: 'REASONING_MESSAGE_START', messageId: 'r1', role: 'reasoning' },
      { type: 'REASONING_MESSAGE_CONTENT', messageId: 'r1', delta: 'hm' },
      { type: 'REASONING_MESSAGE_END', messageId: 'r1' },
      { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'message', entityId: 'r1', encryptedValue: 'sealed' },
      { type: 'ACTIVITY_SNAPSHOT', messageId: 'a1', activityType: 'search', content: { found: 1 } },
      ...called('c1', 'search', { q: 'rivers' }, '3 hits'),
      ...said('m1', 'Rivers ', 'bend.'),
      FINISHED,
    ]
    const { chat, server } = open({ POST: [first, textAnswer('m2', 'Yes.')] })
    await chat.sendMessage('Why?')
    await chat.sendMessage('Sure?')
    const ids = chat.getSnapshot().messages.flatMap(({ role, id }) => (role === 'user' ? [id] : []))
    const runs = answersOf(chat).map(({ requestId }) => requestId)
    expect(server.seen.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /agent', 'POST /agent'])
    expect(server.seen[0]?.headers.get('x-run-id')).toBe(runs[0])
    expect(server.seen[0]?.body).toEqual({
      threadId: 'chat-1',
      runId: runs[0],
      protocolVersion: '1.0',
      messages: [{ id: ids[0], role: 'user', content: 'Why?' }],
      state: {},
      tools: [],
      context: [],
      forwardedProps: {},
    })
    expect(server.seen[1]?.body.messages).toEqual([
      { id: ids[0], role: 'user', content: 'Why?' },
      { id: 'r1', role: 'reasoning', content: 'hm', encryptedValue: 'sealed' },
      {
        id: 'c1',
        role: 'assistant',
        toolCalls: [{ id: 'c1', type: 'function', function: { name: 'search', arguments: '{"q":"rivers"}' } }],
      },
      { id: 'res-c1', role: 'tool', toolCallId: 'c1', content: '3 hits' },
      { id: 'm1', role: 'assistant', content: 'Rivers bend.' },
      { id: ids[1], role: 'user', content: 'Sure?' },
    ])
  })

  it('sends the state of the agent back, and the one of the app before there is one', async () => {
    const state = [STARTED, { type: 'STATE_SNAPSHOT', snapshot: { plan: [] } }, ...said('m1', 'x'), FINISHED]
    const delta = { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/plan/-', value: 'read' }] }
    const { chat, server } = open(
      { POST: [textAnswer('m0', 'Hi.'), state, [STARTED, delta, FINISHED], textAnswer('m2', 'y')] },
      { state: () => ({ draft: true }) },
    )
    for (const text of ['a', 'b', 'c', 'd']) await chat.sendMessage(text)
    expect(server.seen.map(({ body }) => body.state)).toEqual([
      { draft: true },
      { draft: true },
      { plan: [] },
      { plan: ['read'] },
    ])
  })

  it('has tools, context and properties of the app, and what the app makes of them', async () => {
    const { chat, server } = open(
      { POST: [textAnswer('m1', 'x')] },
      {
        tools: { pick: { description: 'Picks' } },
        context: async () => [{ description: 'page', value: 'rivers' }],
        forwardedProps: { tenant: 7 },
        prepareInput: (input) => ({ ...input, threadId: `mine-${input.threadId}` }),
      },
    )
    await chat.sendMessage('a')
    expect(server.seen[0]?.body).toMatchObject({
      threadId: 'mine-chat-1',
      tools: [{ name: 'pick', description: 'Picks', parameters: { type: 'object' } }],
      context: [{ description: 'page', value: 'rivers' }],
      forwardedProps: { tenant: 7 },
    })
  })

  it('carries files as parts behind the text', async () => {
    const { chat, server } = open({ POST: [textAnswer('m1', 'A map.')] })
    await chat.sendMessage({
      text: 'What is this?',
      files: [{ data: 'AAAA', mimeType: 'image/png', name: 'map.png' }, { id: 'https://files.test/a.pdf' }, 'file-7'],
    })
    expect(server.seen[0]?.body.messages?.[0]?.content).toEqual([
      { type: 'text', text: 'What is this?' },
      {
        type: 'image',
        source: { type: 'data', value: 'AAAA', mimeType: 'image/png' },
        metadata: { filename: 'map.png' },
      },
      { type: 'document', source: { type: 'url', value: 'https://files.test/a.pdf' } },
      { type: 'document', source: { type: 'file', value: 'file-7' } },
    ])
  })

  it('is refused before it is sent when bytes have no media type', async () => {
    const { chat, server } = open({ POST: [] })
    await chat.sendMessage({ text: 'What is this?', files: [{ data: 'AAAA' }] })
    expect(chat.getSnapshot().error).toMatchObject({ name: 'AgUiError', code: 'invalid_request' })
    expect(server.seen).toEqual([])
  })

  it('leaves the answer out that is made again, under its own run', async () => {
    const { chat, server } = open({ POST: [textAnswer('m1', 'One.'), textAnswer('m2', 'Two.')] })
    await chat.sendMessage('Why?')
    await chat.regenerate()
    expect(server.seen[1]?.body.messages).toEqual(server.seen[0]?.body.messages)
    expect(server.seen[1]?.body.runId).not.toBe(server.seen[0]?.body.runId)
    expect(textOf(lastAnswer(chat))).toBe('Two.')
  })

  it('shows the last message of an id that a snapshot has twice, and sends it back once', async () => {
    const twice = ['First.', 'Second.'].map((content) => ({ id: 'm1', role: 'assistant', content }))
    const { chat, server } = open({
      POST: [
        ({ messages = [] }) => [
          STARTED,
          ...said('m1', 'First.'),
          { type: 'MESSAGES_SNAPSHOT', messages: [...messages, ...twice] },
          FINISHED,
        ],
        textAnswer('m2', 'x'),
      ],
    })
    await chat.sendMessage('Why?')
    expect(textOf(lastAnswer(chat))).toBe('Second.')
    await chat.sendMessage('And?')
    expect(server.seen[1]?.body.messages).toMatchObject([
      { role: 'user', content: 'Why?' },
      { id: 'm1', content: 'Second.' },
      { role: 'user', content: 'And?' },
    ])
  })

  it('has results behind their calls, though a snapshot brings them last, and what only has another id is not shown twice', async () => {
    const snapshot = (userId: string): object => ({
      type: 'MESSAGES_SNAPSHOT',
      messages: [
        { id: userId, role: 'user', content: 'Why?' },
        {
          id: 'renamed',
          role: 'assistant',
          content: '',
          toolCalls: [{ id: 'c1', type: 'function', function: { name: 'search', arguments: '{}' } }],
        },
        { id: 'm1', role: 'assistant', content: 'Three.' },
        { id: 't1', role: 'tool', toolCallId: 'c1', content: '3 hits' },
      ],
    })
    const { chat, server } = open({
      POST: [
        ({ messages = [] }) => [
          STARTED,
          ...called('c1', 'search', {}),
          ...said('m1', 'Three.'),
          snapshot(messages[0]?.id ?? ''),
          FINISHED,
        ],
        textAnswer('m2', 'x'),
      ],
    })
    await chat.sendMessage('Why?')
    expect(lastAnswer(chat).parts).toMatchObject([
      { type: 'tool-call', status: 'complete', output: '3 hits' },
      { type: 'text', text: 'Three.' },
    ])
    await chat.sendMessage('And?')
    expect(server.seen[1]?.body.messages?.map(({ id }) => id).slice(1, -1)).toEqual(['m1', 'renamed', 't1'])
  })

  it('has no call that is open: models refuse every later turn with one', async () => {
    const half = [...ASK.slice(0, 3), { type: 'RUN_ERROR', message: 'Overloaded.' }]
    const { chat, server } = open({ POST: [half, ASK, textAnswer('m3', 'Never mind.')] })
    await chat.sendMessage('ask')
    await chat.sendMessage('ask again')
    await chat.stop()
    await chat.sendMessage('Leave it.')
    const { messages = [], resume } = server.seen[2]?.body ?? {}
    const calls = messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id))
    expect(messages.flatMap(({ role, toolCallId, error }) => (role === 'tool' ? [[toolCallId, error]] : []))).toEqual(
      calls.map((id) => [id, 'interrupted']),
    )
    expect(resume).toBeUndefined()
  })
})

describe('an answer', () => {
  it('shows text, thoughts, tools, steps, activities, subagents and events of the app as parts', async () => {
    const { chat } = open(
      {
        POST: [
          [
            STARTED,
            { type: 'STEP_STARTED', stepName: 'search' },
            { type: 'REASONING_MESSAGE_START', messageId: 'r1' },
            { type: 'REASONING_MESSAGE_CONTENT', messageId: 'r1', delta: 'Look.' },
            { type: 'REASONING_MESSAGE_END', messageId: 'r1' },
            ...called('c1', 'search', { q: 'bend' }, '{"hits":3}'),
            { type: 'STEP_FINISHED', stepName: 'search' },
            { type: 'ACTIVITY_SNAPSHOT', messageId: 'a1', activityType: 'web', content: { found: 0 } },
            {
              type: 'ACTIVITY_DELTA',
              messageId: 'a1',
              activityType: 'web',
              patch: [{ op: 'replace', path: '/found', value: 3 }],
            },
            { type: 'SUBAGENT_STARTED', subagentRunId: 's1', name: 'researcher', description: 'Reads' },
            {
              type: 'SUBAGENT_STARTED',
              subagentRunId: 's2',
              name: 'helper',
              parentSubagentRunId: 's1',
            },
            { type: 'TEXT_MESSAGE_START', messageId: 'sm', role: 'assistant', subagentRunId: 's1' },
            { type: 'TEXT_MESSAGE_CONTENT', messageId: 'sm', delta: 'Found it.' },
            { type: 'TEXT_MESSAGE_END', messageId: 'sm' },
            { type: 'SUBAGENT_ERROR', subagentRunId: 's2', message: 'gone' },
            { type: 'SUBAGENT_FINISHED', subagentRunId: 's1' },
            { type: 'CUSTOM', name: 'cart', value: { items: 3 } },
            { type: 'CUSTOM', name: 'other', value: 1 },
            { type: 'RAW', event: { secret: true } },
            ...said('m1', 'Three.'),
            ...said('m2', 'Bends.'),
            { ...FINISHED, result: { ok: true }, usage: [{ inputTokens: 1 }, { inputTokens: 2, outputTokens: 5 }] },
          ],
        ],
      },
      { custom: { cart: (value) => ({ type: 'data', data: value, name: 'cart' }) } },
    )
    await chat.sendMessage('Why?')
    const [main, sub] = answersOf(chat)
    expect(main?.parts).toEqual([
      { type: 'progress', id: 'step-1', label: 'search', status: 'complete' },
      { type: 'thought', id: 'r1', text: 'Look.', status: 'complete' },
      { type: 'tool-call', id: 'c1', name: 'search', status: 'complete', input: { q: 'bend' }, output: { hits: 3 } },
      { type: 'data', id: 'a1', data: { found: 3 }, name: 'web' },
      { type: 'task', id: 's1', title: 'researcher', status: 'completed', detail: 'Reads' },
      { type: 'task', id: 's2', title: 'helper', status: 'failed', detail: 'gone', parentId: 's1' },
      { type: 'data', id: 'custom-cart', data: { items: 3 }, name: 'cart' },
      { type: 'text', id: 'm1', text: 'Three.' },
      // Two messages with nothing between them are two paragraphs.
      { type: 'text', id: 'm2', text: '\n\nBends.' },
    ])
    expect(sub && [sub.status, textOf(sub)]).toEqual(['complete', 'Found it.'])
    expect(main?.usage).toEqual({ inputTokens: 3, outputTokens: 5 })
  })

  it.each([
    ['the body ends in order', [STARTED, ...said('m1', 'Half ')], 'incomplete'],
    ['the server has an error', [STARTED, ...said('m1', 'Half '), { type: 'RUN_ERROR', message: 'Broke.' }], 'failed'],
    [
      'the run is cancelled',
      [STARTED, ...said('m1', 'Half '), { ...FINISHED, outcome: { type: 'cancelled' } }],
      'stopped',
    ],
    ['an event is none', [STARTED, ...said('m1', 'Half '), { type: 4 }], 'failed'],
  ] as const)('is not complete when %s', async (_title, events, status) => {
    const { chat, server } = open({ POST: [events] })
    await chat.sendMessage('Why?')
    expect([lastAnswer(chat).status, textOf(lastAnswer(chat))]).toEqual([status, 'Half '])
    expect(server.seen).toHaveLength(1)
  })

  it('is not complete when a tool loop that continues after RUN_FINISHED is cut', async () => {
    const loop = [
      STARTED,
      ...called('c1', 'search', {}),
      FINISHED,
      result('3 hits'),
      ...said('m1', 'Half ').slice(0, 2),
    ]
    const { chat } = open({ POST: [loop] })
    await chat.sendMessage('Why?')
    expect([lastAnswer(chat).status, textOf(lastAnswer(chat))]).toEqual(['incomplete', 'Half '])
  })

  it('is not complete when the connection breaks behind RUN_FINISHED and a tool owes its result', async () => {
    const { chat } = open({ POST: [broken(framesOf([STARTED, ...called('c1', 'search', {}), FINISHED]))] })
    await chat.sendMessage('Why?')
    expect(lastAnswer(chat).status).toBe('incomplete')
    const { chat: other } = open({ POST: [broken(framesOf(textAnswer('m1', 'Done.')))] })
    await other.sendMessage('Why?')
    expect(lastAnswer(other).status).toBe('complete')
  })

  it('ends at its end though the body stays open, and waits for the body while a tool owes a result', async () => {
    const held = (events: readonly object[]): Response =>
      new Response(
        new ReadableStream<Uint8Array>({
          start: (controller) => controller.enqueue(new TextEncoder().encode(framesOf(events))),
        }),
        { headers: { 'content-type': 'text/event-stream' } },
      )
    const { chat } = open({ POST: [held(textAnswer('m1', 'Done.'))] })
    await chat.sendMessage('Why?')
    expect([lastAnswer(chat).status, textOf(lastAnswer(chat))]).toEqual(['complete', 'Done.'])
    const { chat: other } = open({ POST: [held([STARTED, ...called('c1', 'search', {}), FINISHED])] })
    void other.sendMessage('Why?')
    await expect.poll(() => lastAnswer(other).parts).toMatchObject([{ type: 'tool-call', status: 'running' }])
    expect(other.getSnapshot().status).toBe('streaming')
  })
})

describe('a call that needs consent', () => {
  it('is a prompt, and one run carries the answer', async () => {
    const { chat, server } = open({ POST: [ASK, SENT, textAnswer('m3', 'Bye.')] })
    await chat.sendMessage('Mail Ann.')
    expect(chat.getSnapshot().status).toBe('awaiting-input')
    const [prompt] = promptsOf(chat)
    expect(prompt).toMatchObject({
      kind: 'approval',
      message: 'Send it?',
      subject: {
        name: 'send_mail',
        input: { to: 'ann@example.com' },
        toolCallId: 'c1',
        editable: SCHEMA.properties.editedArgs,
      },
      answeredBy: 'next-run',
      state: 'open',
    })
    expect(lastAnswer(chat).parts[0]).toMatchObject({ type: 'tool-call', id: 'c1', status: 'waiting' })
    await chat.answer(prompt?.id ?? '', allow(prompt))
    await ready(chat)
    expect(server.seen[1]?.body).toMatchObject({
      parentRunId: server.seen[0]?.body.runId,
      resume: [{ interruptId: 'int-c1', status: 'resolved', payload: { approved: true } }],
    })
    expect(server.seen[1]?.body.messages?.map(({ role }) => role)).toEqual(['user', 'assistant'])
    // The call continues where its answer is: the message before has the question alone.
    expect(answersOf(chat).map(({ parts }) => parts.map(({ type }) => type))).toEqual([
      ['prompt'],
      ['tool-call', 'text'],
    ])
    expect(lastAnswer(chat).parts[0]).toMatchObject({ name: 'send_mail', status: 'complete', output: 'sent' })
    await chat.sendMessage('Thanks.')
    expect(server.seen[2]?.body.messages?.map(({ id, role }) => (role === 'user' ? role : id))).toEqual([
      'user',
      'c1',
      'res',
      'm2',
      'user',
    ])
    expect(server.seen[2]?.body.resume).toBeUndefined()
  })

  it.each([
    ['the option that denies', { type: 'option', optionId: 'deny' }, { approved: false }],
    ['a decline', { type: 'decline', reason: 'Not today.' }, { approved: false }],
    ['consent to something else', { type: 'decline' }, { approved: false }],
    ['a cancel', { type: 'cancel' }, undefined],
  ] as const)('is not allowed by %s', async (_title, answer, payload) => {
    const { chat, server } = open({ POST: [ASK, SENT] })
    await chat.sendMessage('Mail Ann.')
    const [prompt] = promptsOf(chat)
    const digest = prompt?.subject?.digest
    await chat.answer(prompt?.id ?? '', answer.type === 'option' ? { ...answer, digest } : answer)
    await ready(chat)
    expect(server.seen[1]?.body.resume).toEqual([
      payload === undefined
        ? { interruptId: 'int-c1', status: 'cancelled' }
        : { interruptId: 'int-c1', status: 'resolved', payload },
    ])
    expect(lastAnswer(chat).parts[0]).toMatchObject({ type: 'tool-call', status: 'denied' })
  })

  it('is made with the arguments that the user has changed', async () => {
    const { chat, server } = open({ POST: [ASK, SENT] })
    await chat.sendMessage('Mail Ann.')
    const [prompt] = promptsOf(chat)
    await chat.answer(prompt?.id ?? '', { ...allow(prompt), edits: { to: 'bob@example.com' } })
    await ready(chat)
    expect(server.seen[1]?.body.resume?.[0]?.payload).toEqual({ approved: true, editedArgs: { to: 'bob@example.com' } })
  })

  it('is answered in the words of its schema', async () => {
    const bare = { id: 'i1', reason: 'confirmation', responseSchema: { type: 'boolean' } }
    const { chat, server } = open({ POST: [[STARTED, interrupted(bare)], textAnswer('m2', 'x')] })
    await chat.sendMessage('Go.')
    await chat.answer(promptsOf(chat)[0]?.id ?? '', { type: 'option', optionId: 'allow' })
    await ready(chat)
    expect(server.seen[1]?.body.resume).toEqual([{ interruptId: 'i1', status: 'resolved', payload: true }])
  })

  it('waits until every question of the run has an answer, and one run carries all of them', async () => {
    const form = {
      id: 'i2',
      reason: 'input_required',
      responseSchema: { type: 'object' },
      expiresAt: '2999-01-01T00:00:00Z',
    }
    const two = [...ASK.slice(0, -1), interrupted(CONSENT, form)]
    const { chat, server } = open({ POST: [two, SENT] })
    await chat.sendMessage('Mail Ann.')
    const [first, second] = promptsOf(chat)
    expect(second).toMatchObject({ kind: 'form', expiresAt: Date.parse('2999-01-01T00:00:00Z') })
    await chat.answer(first?.id ?? '', allow(first))
    expect(server.seen).toHaveLength(1)
    await chat.answer(second?.id ?? '', { type: 'value', value: { year: 1999 } })
    await ready(chat)
    expect(server.seen[1]?.body.resume).toEqual([
      { interruptId: 'int-c1', status: 'resolved', payload: { approved: true } },
      { interruptId: 'i2', status: 'resolved', payload: { year: 1999 } },
    ])
  })

  it('is not a question any more when the run has failed behind it', async () => {
    const { chat } = open({ POST: [[...ASK, { type: 'RUN_ERROR', message: 'Checkpoint not saved' }]] })
    await chat.sendMessage('Mail Ann.')
    expect(promptsOf(chat)).toEqual([])
    expect(chat.getSnapshot().error).toMatchObject({ code: 'agent_error', message: 'Checkpoint not saved' })
  })

  it('of LangGraph is answered by a command', async () => {
    const asked = [STARTED, { type: 'CUSTOM', name: 'on_interrupt', value: 'Really?' }, FINISHED]
    const { chat, server } = open({ POST: [asked, textAnswer('m2', 'x')] }, { forwardedProps: { tenant: 7 } })
    await chat.sendMessage('Go.')
    expect(promptsOf(chat)).toMatchObject([{ kind: 'form', message: 'Really?' }])
    await chat.answer(promptsOf(chat)[0]?.id ?? '', { type: 'value', value: 'yes' })
    await ready(chat)
    expect(server.seen[1]?.body).toMatchObject({ forwardedProps: { tenant: 7, command: { resume: 'yes' } } })
    expect(server.seen[1]?.body.resume).toBeUndefined()
  })
})

describe('a tool of the page', () => {
  const tools = {
    get_location: {
      description: 'Where the user is',
      message: 'Where are you?',
      output: { type: 'object', properties: { city: { type: 'string' } } },
    },
  }
  const LOCATE = [STARTED, ...called('c1', 'get_location', { precise: true }), FINISHED]

  it('is a form, whose values are its result', async () => {
    const { chat, server } = open({ POST: [LOCATE, textAnswer('m2', 'Ulm it is.')] }, { tools })
    await chat.sendMessage('Where am I?')
    const [prompt] = promptsOf(chat)
    expect(prompt).toMatchObject({
      kind: 'form',
      message: 'Where are you?',
      schema: tools.get_location.output,
      subject: { name: 'get_location', input: { precise: true } },
    })
    await chat.answer(prompt?.id ?? '', { type: 'value', value: { city: 'Ulm' } })
    await ready(chat)
    expect(server.seen[1]?.body.messages?.at(-1)).toEqual({
      id: 'result-c1',
      role: 'tool',
      toolCallId: 'c1',
      content: '{"city":"Ulm"}',
    })
    expect(lastAnswer(chat).parts).toMatchObject([
      { type: 'tool-call', status: 'complete', output: { city: 'Ulm' } },
      { type: 'text', text: 'Ulm it is.' },
    ])
  })

  it('has an error as its result when the user declines', async () => {
    const { chat, server } = open({ POST: [LOCATE, textAnswer('m2', 'x')] }, { tools })
    await chat.sendMessage('Where am I?')
    await chat.answer(promptsOf(chat)[0]?.id ?? '', { type: 'decline', reason: 'Private.' })
    await ready(chat)
    expect(server.seen[1]?.body.messages?.at(-1)).toMatchObject({ role: 'tool', error: 'Private.' })
    expect(lastAnswer(chat).parts[0]).toMatchObject({ type: 'tool-call', status: 'denied' })
  })

  it('is not asked for on a guess: before the end of the run, or when the page has not offered it', async () => {
    const { chat } = open({ POST: [LOCATE.slice(0, -1)] }, { tools })
    await chat.sendMessage('Where am I?')
    expect(promptsOf(chat)).toEqual([])
    expect(lastAnswer(chat).status).toBe('incomplete')
    const { chat: other } = open({ POST: [LOCATE] })
    await other.sendMessage('Where am I?')
    expect(promptsOf(other)).toEqual([])
    expect(lastAnswer(other)).toMatchObject({ status: 'complete', parts: [{ type: 'tool-call', status: 'waiting' }] })
  })
})

describe('a connection that breaks', () => {
  const whole = textAnswer('m1', 'Rivers ', 'meander.')
  const half = framesOf(whole.slice(0, 3), 1)

  it('is resumed behind the last event, and the run is posted once', async () => {
    const { chat, server } = open({ POST: [broken(half)], GET: [framesOf(whole.slice(3), 4)] })
    await chat.sendMessage('Why?')
    expect([lastAnswer(chat).status, textOf(lastAnswer(chat))]).toEqual(['complete', 'Rivers meander.'])
    const { runId } = server.seen[0]?.body ?? {}
    expect(server.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /agent',
      `GET /agent?runId=${runId}`,
    ])
    expect(server.seen[1]?.headers.get('last-event-id')).toBe('run/3')
  })

  it.each([
    ['begins again', 0],
    ['begins with the last event', 2],
  ])('takes nothing twice where the server %s', async (_title, from) => {
    const { chat } = open({ POST: [broken(half)], GET: [framesOf(whole.slice(from), from + 1)] })
    await chat.sendMessage('Why?')
    expect([lastAnswer(chat).status, textOf(lastAnswer(chat))]).toEqual(['complete', 'Rivers meander.'])
  })

  it('continues with chunks, steps and subagents of the connection before', async () => {
    const events = [
      STARTED,
      { type: 'STEP_STARTED', stepName: 'search' },
      { type: 'SUBAGENT_STARTED', subagentRunId: 's1', name: 'researcher' },
      { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm1', delta: 'Rivers ' },
      { type: 'TEXT_MESSAGE_CHUNK', delta: 'meander.' },
      { type: 'STEP_FINISHED', stepName: 'search' },
      { type: 'SUBAGENT_FINISHED', subagentRunId: 's1' },
      FINISHED,
    ]
    const { chat } = open({ POST: [broken(framesOf(events.slice(0, 4), 1))], GET: [framesOf(events.slice(4), 5)] })
    await chat.sendMessage('Why?')
    expect(lastAnswer(chat)).toMatchObject({
      status: 'complete',
      parts: [
        { type: 'progress', id: 'step-1', label: 'search', status: 'complete' },
        { type: 'task', id: 's1', title: 'researcher', status: 'completed' },
        { type: 'text', text: 'Rivers meander.' },
      ],
    })
  })

  it('is at once the end of an answer whose server numbers nothing', async () => {
    const { chat, server } = open({ POST: [broken(framesOf(whole.slice(0, 3)))] })
    await chat.sendMessage('Why?')
    expect([lastAnswer(chat).status, textOf(lastAnswer(chat))]).toEqual(['incomplete', 'Rivers '])
    expect(server.seen).toHaveLength(1)
  })

  it.each([404, 405, 410])('is the end of the answer when the server answers the GET with %i', async (status) => {
    const { chat } = open({ POST: [broken(half)], GET: [new Response(null, { status })] })
    await chat.sendMessage('Why?')
    expect(lastAnswer(chat)).toMatchObject({ status: 'incomplete', error: { code: 'truncated' } })
  })

  it('asks for the log from its beginning when nothing had come, and knows nothing when there is none', async () => {
    const { chat, server } = open({ POST: [new TypeError('fetch failed')], GET: [framesOf(whole, 1)] })
    await chat.sendMessage('Why?')
    expect([lastAnswer(chat).status, textOf(lastAnswer(chat))]).toEqual(['complete', 'Rivers meander.'])
    expect(server.seen[1]?.path).toBe(`/agent?runId=${server.seen[0]?.body.runId}&offset=-1`)
    const { chat: other, server: lost } = open({ POST: [new TypeError('fetch failed')], GET: [] })
    await other.sendMessage('Why?')
    expect(other.getSnapshot().error).toMatchObject({ code: 'delivery_unknown' })
    expect(lost.seen.map(({ method }) => method)).toEqual(['POST', 'GET'])
  })

  it('is resumed by POST where the app says that its server runs no id twice', async () => {
    const { chat, server } = open({ POST: [broken(half), framesOf(whole.slice(3), 4)] }, { resume: 'post' })
    await chat.sendMessage('Why?')
    expect(textOf(lastAnswer(chat))).toBe('Rivers meander.')
    expect(server.seen[1]?.headers.get('last-event-id')).toBe('run/3')
    expect(server.seen[1]?.body).toEqual(server.seen[0]?.body)
  })

  it('is not resumed where the app says so', async () => {
    const { chat, server } = open({ POST: [broken(half)] }, { resume: false })
    await chat.sendMessage('Why?')
    expect(lastAnswer(chat).status).toBe('incomplete')
    expect(server.seen).toHaveLength(1)
  })
})

describe('a page that is loaded again', () => {
  const held = (events: readonly object[]): Response =>
    new Response(
      new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(new TextEncoder().encode(framesOf(events, 1))),
      }),
      { headers: { 'content-type': 'text/event-stream' } },
    )

  function loadedAgain(
    chat: CapturableChat,
    replies: Parameters<typeof serveAgUi>[0],
    options?: Partial<AgUiClientOptions>,
    state = chat.capture(),
  ): ReturnType<typeof open> {
    const server = serveAgUi(replies)
    const again = chatWithAgUi(server, options, structuredClone(state))
    chats.push(again)
    return { chat: again, server }
  }

  it('resumes the answer and does not post the run again', async () => {
    const whole = textAnswer('m1', 'Rivers ', 'meander.')
    const { chat } = open({ POST: [held(whole.slice(0, 3))] })
    void chat.sendMessage('Why?')
    await expect.poll(() => answersOf(chat).map(textOf)).toEqual(['Rivers '])
    const { chat: again, server } = loadedAgain(chat, { POST: [], GET: [framesOf(whole.slice(3), 4)] })
    await again.resume()
    expect([lastAnswer(again).status, textOf(lastAnswer(again))]).toEqual(['complete', 'Rivers meander.'])
    expect(server.seen.map(({ method }) => method)).toEqual(['GET'])
  })

  it('finds a question that waits, and the run that answers it', async () => {
    const { chat } = open({ POST: [ASK] })
    await chat.sendMessage('Mail Ann.')
    const { chat: again, server } = loadedAgain(chat, { POST: [SENT] })
    const [prompt] = promptsOf(again)
    await again.answer(prompt?.id ?? '', allow(prompt))
    await ready(again)
    expect(server.seen[0]?.body.resume).toEqual([
      { interruptId: 'int-c1', status: 'resolved', payload: { approved: true } },
    ])
  })

  it('makes no request for an answer that it cannot carry, because the run that asks was not read to its end', async () => {
    const { chat } = open({ POST: [ASK] })
    await chat.sendMessage('Mail Ann.')
    const state = chat.capture()
    const messages = state.messages.map((message) => ({ ...message, handle: undefined }))
    const { chat: again, server } = loadedAgain(chat, { POST: [SENT] }, {}, { ...state, messages })
    const [prompt] = promptsOf(again)
    expect(await again.answer(prompt?.id ?? '', allow(prompt))).toMatchObject({
      status: 'refused',
      error: { code: 'invalid_request' },
    })
    expect(promptsOf(again)).toMatchObject([{ state: 'open' }])
    expect(server.seen).toEqual([])
  })

  it('resumes the run that carries an answer, whose call has the result of the server', async () => {
    const { chat } = open({ POST: [ASK, held(SENT.slice(0, 1))] })
    await chat.sendMessage('Mail Ann.')
    const [prompt] = promptsOf(chat)
    await chat.answer(prompt?.id ?? '', allow(prompt))
    await expect.poll(() => promptsOf(chat).map(({ state }) => state)).toEqual(['answered'])
    const { chat: again, server } = loadedAgain(chat, {
      POST: [textAnswer('m3', 'Bye.')],
      GET: [framesOf(SENT.slice(1), 2)],
    })
    await again.resume()
    expect(lastAnswer(again).parts.map(({ type }) => type)).toEqual(['tool-call', 'text'])
    expect(lastAnswer(again).parts[0]).toMatchObject({ name: 'send_mail', status: 'complete', output: 'sent' })
    await again.sendMessage('Thanks.')
    expect(server.seen.map(({ method }) => method)).toEqual(['GET', 'POST'])
    expect(server.seen[1]?.body.messages?.map(({ id, role }) => (role === 'user' ? role : id))).toEqual([
      'user',
      'c1',
      'res',
      'm2',
      'user',
    ])
  })

  it('keeps the result of a tool of the page for the turns behind it', async () => {
    const tools = { pick: { description: 'Picks' } }
    const { chat } = open({ POST: [[STARTED, ...called('c1', 'pick', {}), FINISHED], held([STARTED])] }, { tools })
    await chat.sendMessage('Pick.')
    await chat.answer(promptsOf(chat)[0]?.id ?? '', { type: 'value', value: 'red' })
    await expect.poll(() => promptsOf(chat).map(({ state }) => state)).toEqual(['answered'])
    const rest = framesOf([...said('m2', 'Red.'), FINISHED], 2)
    const { chat: again, server } = loadedAgain(chat, { POST: [textAnswer('m3', 'x')], GET: [rest] }, { tools })
    await again.resume()
    await again.sendMessage('Thanks.')
    expect(server.seen[1]?.body.messages?.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'Pick.'],
      ['assistant', undefined],
      ['tool', 'red'],
      ['assistant', 'Red.'],
      ['user', 'Thanks.'],
    ])
  })
})

describe('stopping', () => {
  const endless = (): Response =>
    new Response(
      new ReadableStream<Uint8Array>({
        start: (controller) =>
          controller.enqueue(new TextEncoder().encode(framesOf(textAnswer('m1', 'One ').slice(0, 3)))),
      }),
      { headers: { 'content-type': 'text/event-stream' } },
    )

  async function stopped(options: Partial<AgUiClientOptions>, answer: Response): Promise<[unknown, readonly string[]]> {
    const { chat, server } = open({ POST: [endless(), answer] }, options)
    void chat.sendMessage('Why?')
    await expect.poll(() => answersOf(chat).map(textOf)).toEqual(['One '])
    await chat.stop()
    return [lastAnswer(chat).stop, server.seen.map(({ method, path }) => `${method} ${path}`)]
  }

  it('leaves a run that the server has no endpoint for', async () => {
    expect(await stopped({}, new Response())).toEqual(['left', ['POST /agent']])
  })

  it('asks the server where the app has an endpoint for it', async () => {
    const stopUrl = ({ threadId }: { readonly threadId: string }): string => `https://app.test/stop/${threadId}`
    expect(await stopped({ stopUrl }, Response.json({ stopped: true }))).toEqual([
      'cancelled',
      ['POST /agent', 'POST /stop/chat-1'],
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

  it.each([
    ['not', () => 'https://app.test/stop', { threadId: 'chat-1', runId: expect.any(String) }],
    // CopilotKit's runtime refuses more.
    [
      'so',
      ({ threadId }: { readonly threadId: string }) => `https://app.test/${threadId}/stop`,
      { runId: expect.any(String) },
    ],
  ] as const)('names the thread in the body where the address does %s', async (_name, stopUrl, body) => {
    const { chat, server } = open({ POST: [endless(), new Response(null, { status: 202 })] }, { stopUrl })
    void chat.sendMessage('Why?')
    await expect.poll(() => answersOf(chat).map(textOf)).toEqual(['One '])
    await chat.stop()
    expect(server.seen[1]?.body).toEqual(body)
  })
})

describe('a client', () => {
  it('asks for another key once when the server refuses the one it has', async () => {
    const keys = ['old', 'new']
    const { chat, server } = open(
      { POST: [new Response(null, { status: 401 }), textAnswer('m1', 'Hi.')] },
      { apiKey: async () => keys.shift() ?? 'none', headers: { 'x-tenant': 't' } },
    )
    await chat.sendMessage('Why?')
    expect(textOf(lastAnswer(chat))).toBe('Hi.')
    expect(server.seen.map(({ headers }) => [headers.get('authorization'), headers.get('x-tenant')])).toEqual([
      ['Bearer old', 't'],
      ['Bearer new', 't'],
    ])
  })

  it.each([
    [new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } }), 'unexpected_content_type'],
    [Response.json([{ msg: 'Field required' }], { status: 422 }), 'http_error'],
    [new Response(null, { status: 401 }), 'unauthorized'],
  ])('says what is wrong with an answer that is not a stream', async (reply, code) => {
    const { chat } = open({ POST: [reply] })
    await chat.sendMessage('Why?')
    expect(chat.getSnapshot().error).toBeInstanceOf(AgUiError)
    expect(chat.getSnapshot().error).toMatchObject({ code })
  })

  it('is refused with numbers that cannot work', () => {
    expect(() => new AgUiClient({ url: '/agent', timeoutMs: 0 })).toThrow('timeoutMs is 0')
    expect(() => new AgUiClient({ url: '/agent', maxRetries: -1 })).toThrow('maxRetries is -1')
  })

  it('takes a last event without a blank line behind it', async () => {
    const { chat } = open({ POST: [eventStream(framesOf(textAnswer('m1', 'Hi.')).trimEnd())] })
    await chat.sendMessage('Why?')
    expect([lastAnswer(chat).status, textOf(lastAnswer(chat))]).toEqual(['complete', 'Hi.'])
  })
})
