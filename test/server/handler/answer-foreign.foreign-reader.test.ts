import { describe, expect, it } from 'vitest'
import { createAgentHandler, event, type Agent } from '../../../src/server.ts'
import type { LogReader } from '../../../src/server/event-log/event-log.ts'
import { agUiWire } from '../../../src/server/wires/ag-ui/wire.ts'
import { foreignReader } from '../../../src/server/handler/answer-foreign.ts'
// Requests of both protocols are sent here: the test goes with either.
import '../../../src/server/wires/ai-sdk/wire.ts'

// What a client of another protocol is told about the questions of a run.

type Answers = readonly { readonly approved: boolean }[]

interface Event extends Readonly<Record<string, unknown>> {
  readonly type: string
}

interface Outcome {
  readonly interrupts?: readonly { readonly id: string }[]
}

const eventsIn = (body: string): Event[] =>
  body
    .split('\n')
    .filter((row) => row.startsWith('data: {'))
    // Written by the handler.
    .map((row) => JSON.parse(row.slice(6)) as Event)

type Post = (body: object) => Promise<Event[]>

function postTo(agent: Agent, path: string): Post {
  const handler = createAgentHandler({ agent, onError: () => {} })
  return async (body) => {
    const headers = { 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    return eventsIn(await (await handler(new Request(`https://agent.test/${path}`, init))).text())
  }
}

/** Answers each question of the run in the order in which it is asked, all of a response in one request. Gives all responses. */
async function overAgUi(agent: Agent, answers: Answers): Promise<readonly Event[][]> {
  const post = postTo(agent, 'ag-ui')
  const left = [...answers]
  const responses: Event[][] = []
  for (let resume: object[] | undefined; resume === undefined || resume.length > 0;) {
    const messages = [{ id: 'u', role: 'user', content: 'Go' }]
    const events = await post({ threadId: 't', runId: `r${responses.length}`, messages, resume })
    responses.push(events)
    // As the handler writes it.
    const outcome = events.at(-1)?.['outcome'] as Outcome | undefined
    const interrupts = outcome?.interrupts ?? []
    resume = interrupts.map(({ id }) => ({ interruptId: id, status: 'resolved', payload: left.shift() }))
  }
  expect(left).toEqual([])
  return responses
}

/** The same over the stream of the AI SDK. */
async function overAiSdk(agent: Agent, answers: Answers): Promise<readonly Event[][]> {
  const post = postTo(agent, 'chat')
  const left = [...answers]
  const parts: object[] = []
  const responses: Event[][] = []
  const user = { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Go' }] }
  for (;;) {
    const id = responses[0]?.[0]?.['messageId']
    const events = await post({
      id: 'c',
      messages: parts.length === 0 ? [user] : [user, { id, role: 'assistant', parts }],
    })
    responses.push(events)
    const asked = events.filter(({ type }) => type === 'tool-approval-request')
    if (asked.length === 0) break
    for (const { approvalId, toolCallId } of asked)
      parts.push({
        type: 'dynamic-tool',
        toolName: 'send_email',
        toolCallId,
        state: 'approval-responded',
        input: {},
        approval: { id: approvalId, ...left.shift() },
      })
  }
  expect(left).toEqual([])
  return responses
}

/** Asks for consent to so many calls at once. */
function asking(count: number, told?: 'results'): Agent {
  return async function* (_request, run) {
    const calls = Array.from({ length: count }, () => run.uuid())
    const answers = await Promise.all(
      calls.map((id) =>
        run.ask({
          kind: 'approval',
          message: 'Send it?',
          subject: { name: 'send_email', input: {}, ...(told && { toolCallId: id }) },
        }),
      ),
    )
    for (const [at, answer] of answers.entries())
      if (told && answer.type === 'allowed')
        yield event('TOOL_CALL', { name: 'send_email', arguments: {}, result: 'sent' }, { id: calls[at] ?? '' })
    yield answers.map(({ type }) => type).join()
  }
}

const callsIn = (events: readonly Event[]): unknown[] =>
  events.filter(({ type }) => type === 'TOOL_CALL_START').map(({ toolCallId }) => toolCallId)
const resultsIn = (events: readonly Event[]): unknown[] =>
  events.filter(({ type }) => type === 'TOOL_CALL_RESULT').map(({ toolCallId, content }) => [toolCallId, content])
const saidIn = (events: readonly Event[]): string =>
  events.map(({ delta }) => (typeof delta === 'string' ? delta : '')).join('')

const ALLOWED = '{"approved":true}'
const DENIED = '{"error":"It was not allowed."}'

describe('a call that the user was asked for, over AG-UI,', () => {
  it('has a result when it was not allowed, before what the agent says of it', async () => {
    const [asked = [], resumed = []] = await overAgUi(asking(1), [{ approved: false }])
    expect(resultsIn(resumed)).toEqual([[callsIn(asked)[0], DENIED]])
    expect(resumed.map(({ type }) => type).slice(0, 3)).toEqual([
      'RUN_STARTED',
      'TOOL_CALL_RESULT',
      'TEXT_MESSAGE_START',
    ])
  })

  it('has the result that the agent tells, or that it was approved, when it was allowed', async () => {
    const silent = (await overAgUi(asking(1), [{ approved: true }])).flat()
    expect(resultsIn(silent)).toEqual([[callsIn(silent)[0], ALLOWED]])
    const told = (await overAgUi(asking(1, 'results'), [{ approved: true }])).flat()
    expect(resultsIn(told)).toEqual([[callsIn(told)[0], 'sent']])
  })

  it('has its own result beside others that were asked for at once, each asked and told once', async () => {
    const answers = [{ approved: false }, { approved: true }, { approved: false }]
    const responses = await overAgUi(asking(3), answers)
    const [one, two, three, ...more] = callsIn(responses.flat())
    expect(more).toEqual([])
    const results = resultsIn(responses.flat())
    expect(results).toHaveLength(3)
    expect(results).toEqual(
      expect.arrayContaining([
        [one, DENIED],
        [two, ALLOWED],
        [three, DENIED],
      ]),
    )
    expect(saidIn(responses.at(-1) ?? [])).toBe('refused,allowed,refused')
    expect(responses.at(-1)?.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } })
  })
})

describe('a call that the user was asked for, over the stream of the AI SDK,', () => {
  it('is asked for and denied once beside others that were asked for at once', async () => {
    const answers = [{ approved: false }, { approved: true }, { approved: false }]
    const responses = await overAiSdk(asking(3), answers)
    const calls = responses.flat().filter(({ type }) => type === 'tool-approval-request')
    const denied = responses.flat().filter(({ type }) => type === 'tool-output-denied')
    expect(calls).toHaveLength(3)
    expect(denied.map(({ toolCallId }) => toolCallId)).toEqual([calls[0]?.['toolCallId'], calls[2]?.['toolCallId']])
    expect(saidIn(responses.at(-1) ?? [])).toBe('refused,allowed,refused')
  })
})

describe('a response that answers a question', () => {
  it('continues where the log says only later what settled it', async () => {
    const [run, promptId] = [crypto.randomUUID(), crypto.randomUUID()]
    const call = {
      requestId: run,
      conversationId: crypto.randomUUID(),
      text: '',
      files: [],
      after: undefined,
      answers: [{ promptId, says: { type: 'allow' as const } }],
      seen: 0,
    }
    const prompt = (data: object): object => ({ op: 'EVENT', p: { type: 'PROMPT', id: promptId, data } })
    const slices = [
      [prompt({ state: 'open', kind: 'approval', message: 'Send it?', subject: { name: 'send_email', input: {} } })],
      [prompt({ state: 'answered' }), { op: 'DELTA', stream_id: run, p: 'Sent.' }],
    ].map((packets) =>
      packets.map((packet) => ({ kind: 'frame' as const, text: `data: ${JSON.stringify(packet)}\n\n` })),
    )
    const log: LogReader = {
      read: async (after) => ({ entries: slices[after] ?? [], end: after + 1, closed: after + 1 === slices.length }),
    }
    const reader = foreignReader(log, agUiWire, call, agUiWire.writer(call, { threadId: 't', runId: 'r' }))
    const { signal } = new AbortController()
    const first = await reader.read(0, signal)
    expect(first.closed).toBe(false)
    const second = await reader.read(1, signal)
    const texts = [...first.entries, ...second.entries].flatMap((entry) => (entry.kind === 'frame' ? entry.text : []))
    expect(eventsIn(texts.join('')).map(({ type }) => type)).toEqual(
      expect.arrayContaining(['RUN_STARTED', 'TEXT_MESSAGE_CONTENT', 'RUN_FINISHED']),
    )
  })
})
