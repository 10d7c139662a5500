import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ValidationError } from '../../../src/base/format/validation-error.ts'
import { read as readShape } from '../../../src/base/format/shape.ts'
import { readStreamResponse, TASK as TASK_SHAPE } from '../../../src/protocols/a2a/messages.ts'
import { streamResponseSchema } from '../../../src/protocols/a2a/schemas.ts'
import { mutationsOf, SEED } from './mutations-of.ts'
import { RESPONSES, TASK } from './samples.ts'

function read(value: unknown): unknown {
  try {
    return readStreamResponse(value, 'result')
  } catch (error) {
    if (error instanceof ValidationError) return 'refused'
    throw error
  }
}

describe('an event of A2A 1.0', () => {
  it.each(RESPONSES.map((response) => [Object.keys(response)[0], response] as const))(
    'is taken, or not, as the schema takes it: %s',
    (_, response) => {
      expect(read(response)).toEqual(response)
      fc.assert(
        fc.property(mutationsOf(response), (value) => {
          const parsed = streamResponseSchema.safeParse(value)
          expect(read(value)).toEqual(parsed.success ? parsed.data : 'refused')
        }),
        { seed: SEED, numRuns: 1500 },
      )
    },
  )

  it('says where it is not what A2A says', () => {
    expect(() => readStreamResponse({ task: { id: 't', status: {} } }, 'result')).toThrow(
      'result.task.status.state must be a string',
    )
    expect(() => readStreamResponse({ sparkle: {} }, 'result')).toThrow('and has sparkle')
    expect(() => readStreamResponse({ task: TASK, message: { role: 'x', parts: [] } }, 'result')).toThrow('exactly one')
  })

  it('keeps a state that it does not know, and ignores members that it does not know', () => {
    const status = { state: 'TASK_STATE_DREAMING', mood: 1 }
    expect(readShape(TASK_SHAPE, { id: 't', status, index: 2 }, 'task')).toEqual({
      id: 't',
      status: { state: 'TASK_STATE_DREAMING' },
    })
  })
})

describe('an event of A2A 0.3', () => {
  const status = { state: 'input-required', message: { kind: 'message', messageId: 'm', role: 'agent', parts: [] } }
  const newer = {
    state: 'TASK_STATE_INPUT_REQUIRED',
    message: { messageId: 'm', role: 'ROLE_AGENT', parts: [] },
  }

  it('is read as one of 1.0', () => {
    expect(read({ kind: 'task', id: 't', contextId: 'c', status })).toEqual({
      task: { id: 't', contextId: 'c', status: newer },
    })
    expect(read({ kind: 'status-update', taskId: 't', contextId: 'c', status, final: true })).toEqual({
      statusUpdate: { taskId: 't', contextId: 'c', status: newer },
    })
    expect(read({ kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'Hi' }] })).toEqual({
      message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'Hi' }] },
    })
  })

  it('has files as parts of 1.0, and so has one without a kind', () => {
    const file = { name: 'a.txt', mimeType: 'text/plain', bytes: 'QQ==' }
    const parts = [
      { kind: 'file', file },
      { kind: 'file', file: { uri: 'https://x.example/a' } },
      { fileUrl: { url: 'https://x.example/b', mediaType: 'text/css' } },
      { kind: 'data', data: { a: 1 } },
    ]
    expect(read({ taskId: 't', artifact: { artifactId: 'a', parts }, append: true })).toEqual({
      artifactUpdate: {
        taskId: 't',
        append: true,
        artifact: {
          artifactId: 'a',
          parts: [
            { raw: 'QQ==', filename: 'a.txt', mediaType: 'text/plain' },
            { url: 'https://x.example/a' },
            { url: 'https://x.example/b', mediaType: 'text/css' },
            { data: { a: 1 } },
          ],
        },
      },
    })
  })

  it.each([
    ['submitted', 'TASK_STATE_SUBMITTED'],
    ['auth-required', 'TASK_STATE_AUTH_REQUIRED'],
    ['canceled', 'TASK_STATE_CANCELED'],
    ['unknown', 'TASK_STATE_UNSPECIFIED'],
  ])('has state %s as %s', (state, expected) => {
    expect(readShape(TASK_SHAPE, { kind: 'task', id: 't', status: { state } }, 'task').status.state).toBe(expected)
  })
})
