import { createRequire } from 'node:module'
import { afterEach, describe, expect, it } from 'vitest'
import type { AgUiMessage } from '../../src/ag-ui.ts'
import type { AgUiRunInput } from '../../src/protocols/ag-ui/request.ts'
import type { PromptAnswer } from '../../src/index.ts'
import type { CapturableChat } from '../../src/state/chat-options.ts'
import { chatWithAgUi, framesOf, serveAgUi, textAnswer } from '../support/ag-ui-server.ts'
import { promptOf } from '../support/answer-of.ts'
import { httpAgentAt } from './official-clients.ts'

// What AgUiClient sends back of a thread, against what the official client makes of the same events, and against the schemas of
// @ag-ui/core, by which servers refuse a whole run.

/** What is used of a schema of zod. */
interface Schema {
  safeParse(value: unknown): { readonly success: boolean; readonly error?: { readonly message: string } }
}

interface ObjectSchema extends Schema {
  readonly shape: Readonly<Record<string, unknown>>
}

interface Schemas {
  readonly RunAgentInputSchema: ObjectSchema
  readonly MessageSchema: Schema
  readonly ToolCallSchema: ObjectSchema
  readonly AssistantMessageSchema: ObjectSchema
  readonly UserMessageSchema: ObjectSchema
  readonly ToolMessageSchema: ObjectSchema
  readonly ReasoningMessageSchema: ObjectSchema
  readonly SystemMessageSchema: ObjectSchema
  readonly DeveloperMessageSchema: ObjectSchema
  readonly ResumeEntrySchema: ObjectSchema
}

// Those of the official client: another version is next to it.
const ofClient = createRequire(createRequire(import.meta.url).resolve('@ag-ui/client'))
const schemas = (await import(/* @vite-ignore */ ofClient.resolve('@ag-ui/core/schemas'))) as Schemas

const MESSAGES: Readonly<Record<string, ObjectSchema>> = {
  user: schemas.UserMessageSchema,
  assistant: schemas.AssistantMessageSchema,
  tool: schemas.ToolMessageSchema,
  reasoning: schemas.ReasoningMessageSchema,
  system: schemas.SystemMessageSchema,
  developer: schemas.DeveloperMessageSchema,
}

const START = { type: 'RUN_STARTED', threadId: 'chat-1', runId: 'run' }
const FINISH = { type: 'RUN_FINISHED', threadId: 'chat-1', runId: 'run' }
const USER = { id: 'u9', role: 'user', content: 'Why?' }
const CALL = { id: 'c1', type: 'function', function: { name: 'send', arguments: '{"to":"ann"}' } }
const PICTURE = { type: 'image', source: { type: 'data', value: 'AAAA', mimeType: 'image/png' } }

interface Scenario {
  readonly name: string
  readonly events: readonly object[]
}

const SCENARIOS: readonly Scenario[] = [
  {
    name: 'text with a name and metadata',
    events: [
      { type: 'TEXT_MESSAGE_START', messageId: 'm1', role: 'assistant', name: 'planner', metadata: { a: 1 } },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm1', delta: 'Bends.', metadata: { b: 2 } },
      { type: 'TEXT_MESSAGE_END', messageId: 'm1', metadata: { a: 3 } },
    ],
  },
  {
    name: 'text of every other role',
    events: ['developer', 'system', 'user'].flatMap((role) => [
      { type: 'TEXT_MESSAGE_START', messageId: role, role, name: 'x' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: role, delta: role },
      { type: 'TEXT_MESSAGE_END', messageId: role },
    ]),
  },
  {
    name: 'text in chunks',
    events: [
      { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm1', role: 'assistant', name: 'planner', delta: 'Ben' },
      { type: 'TEXT_MESSAGE_CHUNK', role: 'assistant', delta: 'ds.', metadata: { b: 2 } },
      { type: 'TEXT_MESSAGE_CHUNK', name: 'planner', metadata: { c: 3 } },
    ],
  },
  {
    name: 'reasoning with an encrypted value',
    events: [
      { type: 'REASONING_START', messageId: 'r1' },
      { type: 'REASONING_MESSAGE_START', messageId: 'r1', role: 'reasoning', metadata: { a: 1 } },
      { type: 'REASONING_MESSAGE_CONTENT', messageId: 'r1', delta: 'hm' },
      { type: 'REASONING_MESSAGE_END', messageId: 'r1' },
      { type: 'REASONING_END', messageId: 'r1' },
      { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'message', entityId: 'r1', encryptedValue: 'sealed' },
    ],
  },
  { name: 'reasoning in chunks', events: [{ type: 'REASONING_MESSAGE_CHUNK', messageId: 'r1', delta: 'hm' }] },
  {
    name: 'calls with metadata and an encrypted value',
    events: [
      { type: 'TOOL_CALL_START', toolCallId: 'c1', toolCallName: 'send', parentMessageId: 'm1', metadata: { a: 1 } },
      { type: 'TOOL_CALL_ARGS', toolCallId: 'c1', delta: '{"to":"ann"}', metadata: { b: 2 } },
      { type: 'TOOL_CALL_END', toolCallId: 'c1', metadata: { a: 3 } },
      { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'tool-call', entityId: 'c1', encryptedValue: 'sealed' },
      { type: 'TOOL_CALL_RESULT', messageId: 't1', toolCallId: 'c1', content: 'sent', metadata: { c: 4 } },
    ],
  },
  {
    name: 'calls in chunks',
    events: [
      { type: 'TOOL_CALL_CHUNK', toolCallId: 'c1', toolCallName: 'send', parentMessageId: 'm1', delta: '{"to":' },
      { type: 'TOOL_CALL_CHUNK', toolCallName: 'send', parentMessageId: 'm1', delta: '"ann"}', metadata: { a: 1 } },
      { type: 'TOOL_CALL_CHUNK', metadata: { b: 2 } },
      { type: 'TOOL_CALL_RESULT', messageId: 't1', toolCallId: 'c1', content: 'sent' },
    ],
  },
  {
    name: 'messages of a subagent',
    events: [
      { type: 'SUBAGENT_STARTED', subagentRunId: 's1', name: 'mailer' },
      { type: 'TEXT_MESSAGE_START', messageId: 'm1', role: 'assistant', subagentRunId: 's1' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm1', delta: 'Bends.', subagentRunId: 's1' },
      { type: 'TEXT_MESSAGE_END', messageId: 'm1', subagentRunId: 's1' },
      { type: 'SUBAGENT_FINISHED', subagentRunId: 's1' },
    ],
  },
  {
    name: 'a snapshot of every role',
    events: [
      {
        type: 'MESSAGES_SNAPSHOT',
        messages: [
          { id: 's1', role: 'system', content: 'Be brief.', name: 'app', metadata: { a: 1 } },
          { id: 'd1', role: 'developer', content: 'Use tools.', encryptedValue: 'sealed' },
          { ...USER, name: 'Ann' },
          {
            id: 'm1',
            role: 'assistant',
            name: 'planner',
            content: 'Bends.',
            toolCalls: [{ ...CALL, metadata: { a: 1 }, encryptedValue: 'sealed' }],
            metadata: { a: 1 },
          },
          { id: 't1', role: 'tool', toolCallId: 'c1', content: '', error: 'No route.', metadata: { a: 1 } },
          { id: 'r1', role: 'reasoning', content: 'hm', encryptedValue: 'sealed', metadata: { a: 1 } },
        ],
      },
    ],
  },
  {
    name: 'files of the user, in the form of today and in that before 1.0',
    events: [
      {
        type: 'MESSAGES_SNAPSHOT',
        messages: [
          {
            id: 'u9',
            role: 'user',
            content: [
              { type: 'text', text: 'What is this?', id: 'p1', metadata: { a: 1 } },
              PICTURE,
              { type: 'binary', mimeType: 'image/png', data: 'AAAA' },
              { type: 'binary', mimeType: 'image/png', data: 'BBBB', filename: 'b.png' },
              { type: 'binary', mimeType: 'audio/wav', url: 'https://files.test/a.wav' },
              { type: 'binary', mimeType: 'application/pdf', url: 'https://files.test/a.pdf', filename: 'a.pdf' },
              { type: 'video', source: { type: 'file', value: 'file-7', provider: 'x' }, metadata: { a: 1 } },
            ],
          },
          { id: 'm1', role: 'assistant', content: 'Maps.' },
        ],
      },
    ],
  },
]

const chats: CapturableChat[] = []
afterEach(() => {
  for (const chat of chats.splice(0)) void chat.dispose()
})

const sent = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value

async function bodyAfter(
  first: readonly object[],
  answer?: PromptAnswer,
  files: readonly { readonly data: string; readonly mimeType: string; readonly name: string }[] = [],
): Promise<AgUiRunInput> {
  const server = serveAgUi({ POST: [framesOf(first), textAnswer('m7', 'Yes.')] })
  const chat = chatWithAgUi(server, { tools: { get_location: { description: 'Where the user is' } } })
  chats.push(chat)
  await chat.sendMessage({ text: 'Why?' })
  if (answer === undefined) await chat.sendMessage({ text: 'And?', files })
  else {
    const { id, subject } = promptOf(chat)
    await chat.answer(id, answer.type === 'option' ? { ...answer, digest: subject?.digest } : answer)
  }
  await expect.poll(() => server.seen.length).toBe(2)
  // The body of a POST is whole.
  return sent(server.seen[1]?.body as AgUiRunInput)
}

/** Fails unless the official schemas accept the run, and know every member of it. */
function expectAccepted(body: AgUiRunInput): void {
  expect(schemas.RunAgentInputSchema.safeParse(body).error?.message).toBeUndefined()
  expect(Object.keys(schemas.RunAgentInputSchema.shape)).toEqual(expect.arrayContaining(Object.keys(body)))
  for (const message of body.messages) {
    expect(schemas.MessageSchema.safeParse(message).success).toBe(true)
    expect(Object.keys(MESSAGES[message.role]?.shape ?? {})).toEqual(expect.arrayContaining(Object.keys(message)))
    for (const call of message.toolCalls ?? [])
      expect(Object.keys(schemas.ToolCallSchema.shape)).toEqual(expect.arrayContaining(Object.keys(call)))
  }
  for (const entry of body.resume ?? [])
    expect(Object.keys(schemas.ResumeEntrySchema.shape)).toEqual(expect.arrayContaining(Object.keys(entry)))
}

/** The thread of the official client after the same events. */
async function officialThread(events: readonly object[]): Promise<readonly AgUiMessage[]> {
  const body = framesOf([START, ...events, FINISH])
  const page = httpAgentAt('https://app.test/agent', async () => {
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  })
  expect(await page.say('Why?')).toEqual({ ended: 'finished', errors: [] })
  // Its messages are those of the protocol.
  return sent(page.agent.messages as unknown as readonly AgUiMessage[])
}

describe('the thread that AgUiClient sends back', () => {
  it.each(SCENARIOS.map((scenario) => [scenario.name, scenario] as const))(
    'has the members of %s that the official client has, and is accepted',
    async (_name, { events }) => {
      const body = await bodyAfter([START, ...events, FINISH])
      const own = body.messages.filter(({ id }) => !id.startsWith('user-'))
      const official = (await officialThread(events)).filter(({ id }) => !/^[\da-f-]{36}$/.test(id))
      expect(own).toEqual(official)
      expectAccepted(body)
    },
  )

  it('is accepted with the handle of a provider in the form before 1.0', async () => {
    const content = [{ type: 'binary', mimeType: 'image/png', id: 'file-7', filename: 'b.png' }]
    const body = await bodyAfter([START, { type: 'MESSAGES_SNAPSHOT', messages: [{ ...USER, content }] }, FINISH])
    expect(body.messages[0]?.content).toEqual([
      {
        type: 'image',
        source: { type: 'file', value: 'file-7', mimeType: 'image/png' },
        metadata: { filename: 'b.png' },
      },
    ])
    expectAccepted(body)
  })

  it('is accepted where a server has left contents out, or made them parts', async () => {
    const messages = [
      { id: 's1', role: 'system' },
      USER,
      {
        id: 'm1',
        role: 'assistant',
        content: [
          { type: 'text', text: 'Ben' },
          { type: 'text', text: 'ds.' },
        ],
      },
      { id: 'r1', role: 'reasoning', content: null },
      { id: 'm2', role: 'assistant', content: null, toolCalls: [CALL] },
      { id: 't1', role: 'tool', toolCallId: 'c1', content: null },
    ]
    const body = await bodyAfter([START, { type: 'MESSAGES_SNAPSHOT', messages }, FINISH])
    expect(body.messages.slice(0, -1).map(({ content }) => content)).toEqual(['', 'Why?', 'Bends.', '', undefined, ''])
    expectAccepted(body)
  })

  it('is accepted without activities, whose call has no result, and with files', async () => {
    const events = [
      { type: 'ACTIVITY_SNAPSHOT', messageId: 'a1', activityType: 'search', content: { n: 1 } },
      { type: 'TOOL_CALL_START', toolCallId: 'c1', toolCallName: 'send' },
      { type: 'RUN_ERROR', message: 'The model broke.' },
    ]
    const body = await bodyAfter([START, ...events], undefined, [
      { data: 'AAAA', mimeType: 'image/png', name: 'map.png' },
    ])
    expect(body.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user'])
    expectAccepted(body)
  })

  it.each([
    ['an option', 'tool_call', { type: 'option', optionId: 'allow' }],
    ['a refusal', 'tool_call', { type: 'decline', reason: 'Not today.' }],
    ['a value', 'input_required', { type: 'value', value: { year: 1999 } }],
    ['a cancel', 'input_required', { type: 'cancel' }],
  ] as const)('is accepted with the answer to a question: %s', async (_name, reason, answer) => {
    const interrupt = { id: 'i1', reason, ...(reason === 'tool_call' && { toolCallId: 'c1' }) }
    const body = await bodyAfter(
      [
        START,
        { type: 'TOOL_CALL_START', toolCallId: 'c1', toolCallName: 'send' },
        { type: 'TOOL_CALL_ARGS', toolCallId: 'c1', delta: '{}' },
        { type: 'TOOL_CALL_END', toolCallId: 'c1' },
        { ...FINISH, outcome: { type: 'interrupt', interrupts: [interrupt] } },
      ],
      answer,
    )
    expect(body.resume).toHaveLength(1)
    expectAccepted(body)
  })

  it('is accepted with the result of a tool of the page', async () => {
    const call = { type: 'TOOL_CALL_START', toolCallId: 'c1', toolCallName: 'get_location' }
    const body = await bodyAfter([START, call, { type: 'TOOL_CALL_END', toolCallId: 'c1' }, FINISH], {
      type: 'value',
      value: { city: 'Ulm' },
    })
    expect(body.messages.at(-1)).toMatchObject({ role: 'tool', toolCallId: 'c1', content: '{"city":"Ulm"}' })
    expectAccepted(body)
  })
})
