import { describe, expect, it } from 'vitest'
import { createAgentHandler } from '../../../../src/server.ts'
import type { AgentRun } from '../../../../src/server.ts'

const USER = { id: 'u1', role: 'user', content: 'Why?' }
const CALL = { id: 'c1', type: 'function', function: { name: 'search', arguments: '{}' } }

interface Refusal {
  readonly code?: string
  readonly message?: string
}

/** Posts the body to an agent of capstan. Gives the status, the refusal, and the runs that it began. */
async function post(
  body: object,
): Promise<{ readonly status: number; readonly refusal: Refusal; readonly runs: readonly AgentRun[] }> {
  const runs: AgentRun[] = []
  const handler = createAgentHandler({
    async *agent(_request, run) {
      runs.push(run)
      yield 'Rivers meander.'
    },
    onError: () => {},
  })
  const response = await handler(
    new Request('https://app.test/ag-ui', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  )
  const answer = await response.text()
  // A refusal is JSON with a code and a message.
  const refusal: Refusal = response.status === 200 ? {} : (JSON.parse(answer) as Refusal)
  if (response.status === 200) expect(answer).toContain('RUN_FINISHED')
  return { status: response.status, refusal, runs }
}

const run = (more: object): object => ({ threadId: 't', runId: crypto.randomUUID(), ...more })

describe('createAgentHandler accepts a run of AG-UI', () => {
  it.each([
    ['without messages', []],
    ['with instructions alone', [{ id: 's', role: 'system', content: 'Be brief.' }]],
    ['with an assistant that only calls tools', [USER, { id: 'a', role: 'assistant', toolCalls: [CALL] }, USER]],
    ['with an assistant that says nothing', [USER, { id: 'a', role: 'assistant', content: null }, USER]],
    [
      'with parts of a message',
      [
        {
          ...USER,
          content: [
            { type: 'text', text: 'Why?' },
            { type: 'image', source: {} },
          ],
        },
      ],
    ],
    ['with a role of a later version', [{ id: 'n', role: 'narrator', mood: 'dry' }, USER]],
  ])('%s', async (_name, messages) => {
    const { status, runs } = await post(run({ messages }))
    expect([status, runs.length]).toEqual([200, 1])
    expect(runs[0]?.text).toBe(messages.at(-1)?.role === 'user' ? 'Why?' : '')
  })
})

describe('createAgentHandler refuses a run of AG-UI by the name of its member', () => {
  it.each([
    [{ threadId: 7 }, 'threadId must be a string'],
    [{ runId: undefined, messages: [USER] }, 'runId must be a string'],
    [{ messages: undefined }, 'messages must be an array'],
    [{ messages: [7] }, 'messages.0 must be an object'],
    [{ messages: [USER, { role: 'user', content: 'Sure?' }] }, 'messages.1.id must be a string'],
    [{ messages: [{ id: 'u1', role: 'user' }] }, 'messages.0.content must be a string or an array of content parts'],
    [{ messages: [{ id: 'u1', content: 'Why?' }] }, 'messages.0.role must be a string'],
    [{ messages: [{ id: 's', role: 'system' }] }, 'messages.0.content must be a string'],
    [{ messages: [{ id: 't', role: 'tool', content: '6' }] }, 'messages.0.toolCallId must be a string'],
    [
      { messages: [{ id: 'a', role: 'assistant', toolCalls: [{ id: 'c' }] }] },
      'messages.0.toolCalls.0.function must be an object',
    ],
    [{ tools: [{ name: 'search' }] }, 'tools.0.description must be a string'],
    [{ context: [{ description: 'x', value: 7 }] }, 'context.0.value must be a string'],
    [{ resume: {} }, 'resume must be an array'],
    [{ resume: [{ interruptId: 'i' }] }, 'resume.0.status must be "resolved" or "cancelled"'],
  ])('%j', async (more, problem) => {
    const { status, refusal, runs } = await post(run({ messages: [USER], ...more }))
    expect([status, refusal.code, runs]).toEqual([400, 'invalid_request', []])
    expect(refusal.message).toBe(`The request body is no RunAgentInput of AG-UI: ${problem}.`)
  })
})
