import { afterEach, describe, expect, it } from 'vitest'
import type { UiMessage, UiPart } from '../../src/ai-sdk.ts'
import type { PromptAnswer } from '../../src/index.ts'
import type { CapturableChat } from '../../src/state/chat-options.ts'
import { promptOf } from '../support/answer-of.ts'
import { chatWithAiSdk, framesOf, serveAiSdk, textAnswer } from '../support/ai-sdk-server.ts'
import type { Major } from './sdk.ts'
import { MAJORS } from './sdk.ts'

// What AiSdkClient sends back of an answer, against the reader of each major of the AI SDK: what that builds of the same chunks, and what
// it accepts in a request. Servers drop members that they do not know without a word, and refuse a whole conversation for one part.

interface OfficialReader {
  readUIMessageStream(options: {
    readonly stream: ReadableStream<unknown>
    readonly onError?: (error: unknown) => void
  }): AsyncIterable<UiMessage>
  validateUIMessages(options: { readonly messages: readonly UiMessage[] }): Promise<readonly UiMessage[]>
}

// The types of the package are those of whichever major it is.
const readerOf = async (major: Major): Promise<OfficialReader> =>
  (await import(/* @vite-ignore */ `ai-${major}`)) as OfficialReader

const META = { provider: { itemId: 'item-1' } }
const CALL = { toolCallId: 'c1', toolName: 'send', providerMetadata: META }
const FULL = { ...CALL, toolMetadata: { icon: 'mail' }, providerExecuted: false }
const INPUT = { type: 'tool-input-available', input: { to: 'ann', cc: null } }
const REQUEST = { type: 'tool-approval-request', approvalId: 'ap-1', toolCallId: 'c1' }
const OUTPUT = { type: 'tool-output-available', toolCallId: 'c1', output: { sent: [1, null] } }
const CALLED = { ...INPUT, ...CALL }
const WHOLE_REQUEST = {
  ...REQUEST,
  reason: 'Mail leaves.',
  approvalDescriptor: { scope: 'mail' },
  inputSchemaInput: { to: 'ANN' },
  signature: 'hmac',
  isAutomatic: false,
  later: 'unknown',
}
const APPROVAL = {
  id: 'ap-1',
  requestReason: 'Mail leaves.',
  descriptor: { scope: 'mail' },
  inputSchemaInput: { to: 'ANN' },
  signature: 'hmac',
}
const BARE = { type: 'tool-input-start', toolCallId: 'c1', toolName: 'send' }
const START = { ...BARE, providerMetadata: META }
const DELTA = { type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta: '{"to":"an' }
const FAILED = { type: 'tool-output-error', toolCallId: 'c1', errorText: 'No route.' }

interface Scenario {
  readonly name: string
  readonly chunks: readonly object[]
  /** How the answer ends. @default a `finish` */
  readonly end?: 'error' | 'cut'
  /** What the user answers. Absent: a new message is sent. */
  readonly answer?: 'allow' | 'deny' | Exclude<PromptAnswer, { readonly type: 'option' }>
  /** The first major that knows these chunks. @default 5 */
  readonly since?: Major
  /** How the call is sent back, where that is not as it was received. */
  readonly settled?: Partial<UiPart>
}

const SCENARIOS: readonly Scenario[] = [
  {
    name: 'text and reasoning with metadata of the provider',
    chunks: [
      { type: 'reasoning-start', id: 'r', providerMetadata: META },
      { type: 'reasoning-delta', id: 'r', delta: 'hm' },
      { type: 'reasoning-end', id: 'r', providerMetadata: { provider: { signature: 's' } } },
      { type: 'text-start', id: 't', providerMetadata: META },
      { type: 'text-delta', id: 't', delta: 'Bends.' },
      { type: 'text-end', id: 't' },
    ],
  },
  {
    name: 'text and reasoning that were cut',
    chunks: [
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', delta: 'hm', providerMetadata: META },
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'Ben', providerMetadata: META },
    ],
    end: 'cut',
  },
  {
    name: 'sources and data',
    chunks: [
      { type: 'source-url', sourceId: 's1', url: 'https://a.test', title: 'A', providerMetadata: META },
      { type: 'source-document', sourceId: 's2', mediaType: 'text/plain', title: 'B', filename: 'b.txt' },
      { type: 'data-weather', id: 'd1', data: { sky: 'grey' } },
      { type: 'data-weather', id: 'd1', data: { sky: 'blue' } },
      { type: 'data-note', data: null },
      { type: 'data-seen', id: 'd2', data: 1, transient: true },
      { type: 'message-metadata', messageMetadata: { tokens: 7 } },
    ],
  },
  {
    name: 'files',
    since: 6,
    chunks: [{ type: 'file', url: 'data:text/plain,hi', mediaType: 'text/plain', providerMetadata: META }],
  },
  {
    name: 'citations, files of reasoning, custom parts and steering messages',
    since: 7,
    chunks: [
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: 'Bends.' },
      {
        type: 'text-end',
        id: 't',
        citations: [
          { source: { type: 'source', sourceType: 'url', id: 's', url: 'https://a.test' }, startIndex: 0, endIndex: 5 },
        ],
      },
      { type: 'reasoning-file', url: 'data:text/plain,hi', mediaType: 'text/plain', providerMetadata: META },
      { type: 'custom', kind: 'provider.thing', providerMetadata: META },
      { type: 'steering-message', id: 'u9', parts: [{ type: 'text', text: 'Shorter.' }] },
    ],
  },
  {
    name: 'a call that was cut in its input',
    since: 6,
    chunks: [{ type: 'tool-input-start', ...FULL, inputEncoding: 'json' }, DELTA, { ...DELTA, inputTextDelta: 'n"' }],
    end: 'cut',
  },
  {
    name: 'a dynamic call that was cut in its input',
    since: 6,
    chunks: [{ ...START, dynamic: true, inputEncoding: 'text' }, DELTA],
    end: 'cut',
  },
  { name: 'a call that was cut before its input', chunks: [BARE], end: 'cut' },
  { name: 'a call that was cut before its output', chunks: [CALLED], end: 'cut', settled: { state: 'output-error' } },
  { name: 'a call with an output', chunks: [START, DELTA, CALLED, OUTPUT] },
  {
    name: 'a dynamic call',
    chunks: [
      { ...CALLED, dynamic: true },
      { ...OUTPUT, dynamic: true },
    ],
  },
  {
    name: 'a call with metadata',
    since: 6,
    chunks: [
      { ...INPUT, ...FULL },
      { ...OUTPUT, providerExecuted: true, providerMetadata: META, toolMetadata: { icon: 'sent' } },
    ],
  },
  {
    // The servers of 6 drop it.
    name: 'a call with a title',
    since: 7,
    chunks: [{ ...INPUT, ...FULL, title: 'Send a mail' }, OUTPUT],
  },
  {
    name: 'a call whose name changes',
    since: 6,
    chunks: [{ ...START, toolName: 'draft' }, CALLED, OUTPUT],
  },
  { name: 'a preliminary output', chunks: [CALLED, { ...OUTPUT, preliminary: true }] },
  { name: 'a preliminary output, then the last', chunks: [CALLED, { ...OUTPUT, preliminary: true }, OUTPUT] },
  { name: 'a preliminary output, then a failure', chunks: [CALLED, { ...OUTPUT, preliminary: true }, FAILED] },
  { name: 'a call that failed', chunks: [CALLED, FAILED] },
  {
    name: 'a call that failed, with metadata',
    since: 6,
    chunks: [CALLED, { ...FAILED, providerMetadata: META, toolMetadata: { icon: 'no' } }],
  },
  { name: 'a failure, then an output', chunks: [CALLED, FAILED, OUTPUT] },
  { name: 'a call that failed while its input was sent', since: 6, chunks: [START, DELTA, FAILED] },
  {
    name: 'an input that does not fit',
    since: 7,
    chunks: [START, { type: 'tool-input-error', ...CALL, input: { to: 1 }, errorText: 'Bad.', toolMetadata: { a: 1 } }],
  },
  {
    name: 'an output from the user',
    chunks: [CALLED],
    answer: { type: 'value', value: { city: 'Ulm' } },
    settled: { state: 'output-available', output: { city: 'Ulm' } },
  },
  {
    name: 'an output that the user declines',
    chunks: [CALLED],
    answer: { type: 'decline', reason: 'Private.' },
    settled: { state: 'output-error', errorText: 'Private.' },
  },
  {
    name: 'a question that the user allows',
    since: 6,
    chunks: [CALLED, { ...REQUEST, signature: 'hmac' }],
    answer: 'allow',
    settled: { state: 'approval-responded', approval: { id: 'ap-1', approved: true, signature: 'hmac' } },
  },
  {
    name: 'a question with everything that it may have',
    since: 7,
    chunks: [CALLED, WHOLE_REQUEST],
    answer: { type: 'decline', reason: 'Not today.' },
    settled: { state: 'approval-responded', approval: { ...APPROVAL, approved: false, reason: 'Not today.' } },
  },
  {
    name: 'a question of a run that failed',
    since: 7,
    chunks: [CALLED, WHOLE_REQUEST],
    end: 'error',
    settled: { state: 'output-denied', approval: { ...APPROVAL, approved: false } },
  },
  {
    name: 'a call that the rules of the server allow',
    since: 7,
    chunks: [
      CALLED,
      { ...REQUEST, isAutomatic: true, inputSchemaInput: null },
      { type: 'tool-approval-response', approvalId: 'ap-1', approved: true, reason: 'Rule 7.', providerMetadata: META },
      OUTPUT,
    ],
  },
  {
    name: 'a call that the rules of the server deny',
    since: 7,
    chunks: [
      CALLED,
      { ...REQUEST, isAutomatic: true },
      { type: 'tool-approval-response', approvalId: 'ap-1', approved: false, providerExecuted: true },
      { type: 'tool-output-denied', toolCallId: 'c1' },
    ],
  },
  {
    name: 'a call that the server makes without the answer it has asked for',
    since: 6,
    chunks: [CALLED, REQUEST, OUTPUT],
    settled: { approval: undefined },
  },
  {
    name: 'a call that the server denies without the answer it has asked for',
    since: 6,
    chunks: [CALLED, REQUEST, { type: 'tool-output-denied', toolCallId: 'c1' }],
    settled: { approval: { id: 'ap-1', approved: false } },
  },
  {
    name: 'a call that the server denies without having asked',
    since: 6,
    chunks: [CALLED, { type: 'tool-output-denied', toolCallId: 'c1' }],
    settled: { state: 'output-error', errorText: 'The call was denied.' },
  },
]

const chats: CapturableChat[] = []
afterEach(() => {
  for (const chat of chats.splice(0)) void chat.dispose()
})

/** As JSON, as it is sent. */
const sent = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value

function whole(chunks: readonly object[]): readonly object[] {
  return [
    { type: 'start', messageId: 'm1', messageMetadata: { model: 'x', tokens: null } },
    { type: 'start-step' },
    ...chunks,
    { type: 'finish-step' },
  ]
}

async function officialMessage(major: Major, chunks: readonly object[]): Promise<UiMessage> {
  const { readUIMessageStream } = await readerOf(major)
  const stream = new ReadableStream({
    start(controller) {
      for (const chunk of whole(chunks)) controller.enqueue(chunk)
      controller.close()
    },
  })
  let last: UiMessage | undefined
  const errors: unknown[] = []
  for await (const message of readUIMessageStream({ stream, onError: (error) => errors.push(error) })) last = message
  expect(errors).toEqual([])
  return sent(last as UiMessage)
}

const ENDS = { error: [{ type: 'error', errorText: 'The model broke.' }], cut: [] } as const

/** What is posted of the answer: before the next question, or with the answer of the user. */
async function returnedMessage({ chunks, end, answer }: Scenario): Promise<UiMessage> {
  const finish = { type: 'finish', finishReason: answer === undefined ? 'stop' : 'tool-calls' }
  const first = [...whole(chunks), ...(end === undefined ? [finish] : ENDS[end])]
  const server = serveAiSdk({ POST: [framesOf(first, end === undefined), textAnswer('m2', 'Yes.')] })
  const chat = chatWithAiSdk(server, { resumeUrl: false })
  chats.push(chat)
  await chat.sendMessage('Mail Ann.')
  if (answer === undefined) await chat.sendMessage('And?')
  else {
    const { id, subject } = promptOf(chat)
    const own =
      typeof answer === 'string' ? ({ type: 'option', optionId: answer, digest: subject?.digest } as const) : answer
    await chat.answer(id, own)
  }
  await expect.poll(() => server.seen.length).toBe(2)
  // The messages of a request are there.
  return server.seen[1]?.body.messages?.[1] as UiMessage
}

/** The two rules by which a part differs from the official one: reasoning has no id, and a partial input is its text alone. */
function expectedPart({ settled = {} }: Scenario, part: UiPart): UiPart {
  const { id: _id, ...rest } = part
  const own = part.type === 'reasoning' ? rest : part
  if (part.toolCallId === undefined) return { ...own, ...(own.state === 'streaming' && { state: 'done' }) }
  const isCut = part.state === 'input-streaming' || part.rawInput !== undefined
  return { ...own, ...(isCut && { input: undefined }), ...settled, ...errorOf(settled) }
}

function errorOf({ state, errorText = 'interrupted' }: Partial<UiPart>): Partial<UiPart> {
  return state === 'output-error' ? { errorText } : {}
}

describe.each(MAJORS)('the messages that AiSdkClient sends to ai %s', (major) => {
  const known = SCENARIOS.filter(({ since = 5 }) => major >= since)

  it.each(known.map((scenario) => [scenario.name, scenario] as const))(
    'have the members of %s that the official reader has, and are accepted',
    async (_name, scenario) => {
      const official = await officialMessage(major, scenario.chunks)
      const returned = await returnedMessage(scenario)
      expect(sent(returned)).toEqual(
        sent({ ...official, parts: official.parts.map((part) => expectedPart(scenario, part)) }),
      )
      const { validateUIMessages } = await readerOf(major)
      // Equal: the server drops no member either.
      expect(sent(await validateUIMessages({ messages: [sent(returned)] }))).toEqual([sent(returned)])
    },
  )

  it('are accepted where a server of another language has left members out', async () => {
    const returned = await returnedMessage({
      name: '',
      chunks: [
        { type: 'data-note' },
        { type: 'tool-input-available', toolCallId: 'c0', toolName: 'now' },
        { type: 'tool-output-available', toolCallId: 'c0' },
        { type: 'tool-input-available', toolCallId: 'c1', toolName: 'now' },
      ],
      answer: { type: 'value', value: 'noon' },
    })
    expect(returned.parts.slice(1)).toEqual([
      { type: 'data-note', data: null },
      { type: 'tool-now', toolCallId: 'c0', state: 'output-available', input: {}, output: null },
      { type: 'tool-now', toolCallId: 'c1', state: 'output-available', input: {}, output: 'noon' },
    ])
    const { validateUIMessages } = await readerOf(major)
    expect(sent(await validateUIMessages({ messages: [sent(returned)] }))).toEqual([sent(returned)])
  })

  it('are accepted with messages of another protocol and with files of the user', async () => {
    const call = { id: 'c1', type: 'tool-call', name: 'search' } as const
    const server = serveAiSdk({ POST: [textAnswer('m2', 'Yes.')] })
    const chat = chatWithAiSdk(server, {}, undefined, [
      { id: 'u1', role: 'user', status: 'sent', parts: [{ id: 't', type: 'text', text: 'Why?' }] },
      {
        id: 'a1',
        role: 'assistant',
        status: 'complete',
        parts: [
          { ...call, status: 'complete', output: null },
          { ...call, id: 'c2', status: 'complete', input: { q: 'rivers' }, output: [1] },
          { ...call, id: 'c3', status: 'failed', input: {} },
          { id: 't', type: 'text', text: 'Bends.' },
        ],
      },
    ])
    chats.push(chat)
    await chat.sendMessage({ text: 'What is this?', files: [{ data: 'AAAA', mimeType: 'image/png', name: 'map.png' }] })
    const messages = sent(server.seen[0]?.body.messages ?? [])
    expect(messages.map(({ parts }) => parts.map(({ type }) => type))).toEqual([
      ['text'],
      ['dynamic-tool', 'dynamic-tool', 'text'],
      ['file', 'text'],
    ])
    const { validateUIMessages } = await readerOf(major)
    expect(sent(await validateUIMessages({ messages }))).toEqual(messages)
  })
})
