import { describe, expect, it } from 'vitest'
import type { AgUiHandle } from '../../../../src/protocols/ag-ui/handle.ts'
import { AgUiClient } from '../../../../src/ag-ui.ts'
import type { AgentEvent, Prompt } from '../../../../src/index.ts'
import type { Ending } from '../../../../src/session/connection.ts'
import type { ResumePoint } from '../../../../src/session/resume-point.ts'
import { createSession } from '../../../../src/index.ts'
import { FINISHED, framesOf, serveAgUi, STARTED } from '../../../support/ag-ui-server.ts'
import { broken } from '../../../support/ai-sdk-server.ts'
import type { Reply } from '../../../support/ag-ui-server.ts'

interface Played {
  readonly ending: Ending
  readonly handle: AgUiHandle
  readonly events: readonly AgentEvent[]
}

/** Plays the answers of a server through the client and a session. */
async function play(
  post: Reply,
  { rest, mode = 'tolerant' }: { readonly rest?: Reply; readonly mode?: 'tolerant' | 'strict' } = {},
): Promise<Played> {
  const server = serveAgUi({ POST: [post], GET: rest === undefined ? [] : [rest] })
  const client = new AgUiClient({
    url: 'https://app.test/agent',
    fetch: server.fetch,
    mode,
    retry: { maxAttempts: 1, delayMs: () => 0 },
  })
  const request = await client.createRequest({ text: 'Why?', conversationId: 'chat-1', requestId: 'run' })
  const resumePoint: ResumePoint = { streams: new Map(), attempts: 0 }
  const events: AgentEvent[] = []
  const ending = await new Promise<Ending>((resolve) => {
    createSession({
      client,
      request,
      requestId: 'run',
      resumePoint,
      onEvents: (more) => void events.push(...more.map(({ event }) => event)),
      onEnded: resolve,
    }).start()
  })
  // The handle is that of this protocol, which gave it.
  return { ending, handle: resumePoint.handle as AgUiHandle, events }
}

const errorOf = ({ ending }: Played): unknown => (ending.type === 'failed' ? ending.error : ending.type)
const promptsIn = ({ events }: Played): readonly Prompt[] =>
  events.flatMap((event) => (event.type === 'prompt' ? [event.prompt] : []))

const TEXT = { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm1', delta: 'Half ' }
const CALL = { type: 'TOOL_CALL_CHUNK', toolCallId: 'c1', toolCallName: 'search', parentMessageId: 'p1', delta: '{' }

const CONTRADICTIONS = [
  ['another role', TEXT, { ...TEXT, role: 'user' }],
  ['another role than it has said', { ...TEXT, role: 'developer' }, { ...TEXT, role: 'assistant' }],
  ['another name', { ...TEXT, name: 'planner' }, { type: TEXT.type, name: 'writer' }],
  ['a name of its own', TEXT, { ...TEXT, name: 'writer' }],
  ['another tool', CALL, { ...CALL, toolCallName: 'send' }],
  ['another tool, without an id', CALL, { type: CALL.type, toolCallName: 'send' }],
  ['another message of its call', CALL, { ...CALL, parentMessageId: 'p2' }],
] as const

describe('AgUiClient fails when a chunk has', () => {
  it.each(CONTRADICTIONS)('%s', async (_name, first, second) => {
    const played = await play([STARTED, first, second, FINISHED])
    expect(errorOf(played)).toMatchObject({ kind: 'protocol', code: 'invalid_packet' })
    expect(errorOf(played)).toMatchObject({ message: expect.stringContaining('than its first one') as string })
  })

  it.each(CONTRADICTIONS)('%s, on the next connection', async (_name, first, second) => {
    const cut = broken(framesOf([STARTED, first], 1))
    const played = await play(cut, { rest: framesOf([second, FINISHED], 3) })
    expect(errorOf(played)).toMatchObject({ kind: 'protocol', code: 'invalid_packet' })
  })
})

describe('AgUiClient accepts a chunk that repeats', () => {
  it.each([
    ['its text message', { ...TEXT, role: 'assistant', name: 'x' }, { ...TEXT, role: 'assistant', name: 'x' }],
    ['the default role', TEXT, { ...TEXT, role: 'assistant' }],
    ['its call', CALL, CALL],
  ])('%s', async (_name, first, second) => {
    const played = await play([STARTED, first, second, FINISHED])
    expect(played.ending.type).toBe('finished')
  })
})

const form = (responseSchema: unknown): object => ({
  ...FINISHED,
  outcome: { type: 'interrupt', interrupts: [{ id: 'i1', reason: 'input_required', responseSchema }] },
})

describe('AgUiClient reads questions', () => {
  it.each([[[]], ['{}'], [7]])('and fails when a responseSchema is %j', async (responseSchema) => {
    const played = await play([STARTED, form(responseSchema)])
    expect(errorOf(played)).toMatchObject({ kind: 'protocol', code: 'invalid_packet' })
  })

  it.each([[undefined], [null]])('without a responseSchema (%j)', async (responseSchema) => {
    expect(promptsIn(await play([STARTED, form(responseSchema)]))).toMatchObject([{ kind: 'form', schema: {} }])
  })

  it.each([
    ['an object', { id: 'k1', reason: 'input_required', message: 'Which year?' }, ['run/k1'], 'Which year?'],
    ['a list', [{ id: 'k1', value: { q: 1 } }, { id: 'k2' }], ['run/k1', 'run/k2'], 'interrupt'],
    ['an object without an id', { payload: { q: 1 } }, ['run/interrupt-1'], 'interrupt'],
  ])('in the form of drafts: %s without an outcome', async (_name, interrupt, ids, message) => {
    const played = await play([STARTED, { ...FINISHED, interrupt }])
    expect(promptsIn(played).map(({ id }) => id)).toEqual(ids)
    expect(promptsIn(played)[0]?.message).toBe(message)
    expect(played.ending).toMatchObject({ type: 'finished', outcome: 'awaiting-input' })
    const strict = await play([STARTED, { ...FINISHED, interrupt }], { mode: 'strict' })
    expect(errorOf(strict)).toMatchObject({ kind: 'protocol' })
  })

  it.each([
    ['no sentence', undefined, ''],
    ['the question of our own servers', 'Allow send_mail?', ''],
    ['a sentence of the agent', 'Allow it?', 'Allow it?'],
  ])('and leaves the words of a consent to the page: with %s', async (_name, message, shown) => {
    const call = [
      { type: 'TOOL_CALL_START', toolCallId: 'c1', toolCallName: 'send_mail' },
      { type: 'TOOL_CALL_ARGS', toolCallId: 'c1', delta: '{}' },
      { type: 'TOOL_CALL_END', toolCallId: 'c1' },
    ]
    const interrupt = { id: 'i1', reason: 'tool_call', toolCallId: 'c1', ...(message !== undefined && { message }) }
    const played = await play([
      STARTED,
      ...call,
      { ...FINISHED, outcome: { type: 'interrupt', interrupts: [interrupt] } },
    ])
    expect(promptsIn(played)).toMatchObject([{ kind: 'approval', message: shown, subject: { name: 'send_mail' } }])
  })

  it.each([[null], [[]]])('and has none when the draft member is %j', async (interrupt) => {
    const played = await play([STARTED, { ...FINISHED, interrupt }])
    expect(played.ending).toMatchObject({ type: 'finished', outcome: 'complete' })
  })
})

describe('AgUiClient keeps of an activity', () => {
  const snapshot = { type: 'ACTIVITY_SNAPSHOT', messageId: 'a1', activityType: 'search', content: { n: 1 } }
  const delta = {
    type: 'ACTIVITY_DELTA',
    messageId: 'a1',
    activityType: 'found',
    patch: [{ op: 'replace', path: '/n', value: 2 }],
  }
  const activity = async (...events: readonly object[]): Promise<unknown> =>
    (await play([STARTED, ...events, FINISHED])).handle.messages.find(({ role }) => role === 'activity')

  it('the type that a patch gives it, and shows it', async () => {
    const played = await play([STARTED, snapshot, delta, FINISHED])
    expect(played.handle.messages.at(-1)).toMatchObject({ activityType: 'found', content: { n: 2 } })
    expect(played.events.findLast(({ type }) => type === 'part')).toMatchObject({
      part: { name: 'found', data: { n: 2 } },
    })
  })

  it('its type, when the patch does not fit or names none', async () => {
    const misfit = { ...delta, patch: [{ op: 'remove', path: '/zzz' }] }
    expect(await activity(snapshot, misfit)).toMatchObject({ activityType: 'search', content: { n: 1 } })
    expect(await activity(snapshot, { ...delta, activityType: undefined })).toMatchObject({
      activityType: 'search',
      content: { n: 2 },
    })
  })

  it('its metadata, key by key, and whose it is', async () => {
    const events = [
      { ...snapshot, metadata: { a: 1, b: 1 }, subagentRunId: 's1' },
      { ...snapshot, replace: false, metadata: { b: 2 } },
      { ...delta, patch: [{ op: 'remove', path: '/zzz' }], metadata: { c: 3 } },
    ]
    expect(await activity(...events)).toMatchObject({ metadata: { a: 1, b: 2, c: 3 }, subagentRunId: 's1' })
    expect(await activity(...events, { ...snapshot, content: { n: 9 } })).toEqual({
      id: 'a1',
      role: 'activity',
      activityType: 'search',
      content: { n: 9 },
      metadata: { a: 1, b: 2, c: 3 },
    })
  })
})

describe('AgUiClient fails when a snapshot has', () => {
  it.each([
    ['a result without its call', { id: 't', role: 'tool', content: '6' }],
    ['a text part without a text', { id: 'u', role: 'user', content: [{ type: 'text' }] }],
    ['a picture without a source', { id: 'u', role: 'user', content: [{ type: 'image' }] }],
  ])('%s', async (_name, message) => {
    const played = await play([STARTED, { type: 'MESSAGES_SNAPSHOT', messages: [message] }, FINISHED])
    expect(errorOf(played)).toMatchObject({ kind: 'protocol', code: 'invalid_packet' })
  })
})
