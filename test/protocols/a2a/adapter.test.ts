import { beforeEach, describe, expect, it } from 'vitest'
import { backoff } from '../../../src/base/backoff.ts'
import { A2AClient } from '../../../src/protocols/a2a/client/a2a-client.ts'
import { createResumePoint } from '../../../src/session/resume-point.ts'
import { createSession } from '../../../src/session/session.ts'
import type { ChatInstance } from '../../../src/state/chat.ts'
import { createChat } from '../../../src/state/chat.ts'
import type { MemoryAgent } from '../../support/a2a/memory-agent.ts'
import { createMemoryAgent, rpcError } from '../../support/a2a/memory-agent.ts'
import { settle as settleOnce } from '../../support/manual-clock.ts'
import type { ManualEnvironment } from '../../support/manual-environment.ts'
import { createManualEnvironment } from '../../support/manual-environment.ts'

let environment: ManualEnvironment
let agent: MemoryAgent
let chat: ChatInstance
let client: A2AClient

function connect(streaming?: boolean): void {
  client = new A2AClient({ transport: agent.transport, environment, streaming, retry: backoff({ maxAttempts: 3 }) })
  chat = createChat({ client: () => client, conversationId: 'c1' })
}

beforeEach(() => {
  environment = createManualEnvironment()
  agent = createMemoryAgent()
  connect()
})

/** All that is under way comes to rest, modules that are loaded on demand included, and is painted. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) {
    await settleOnce()
    environment.paint()
  }
}

async function pass(ms: number): Promise<void> {
  await environment.clock.advance(ms)
  await settle()
}

async function begin(text = 'Why?'): Promise<void> {
  void chat.sendMessage(text)
  await settle()
}

const answer = () => {
  const message = chat.getSnapshot().messages.findLast(({ role }) => role === 'assistant')
  if (message === undefined) throw new Error('There is no answer.')
  return message
}
const text = (): string =>
  answer()
    .parts.map((part) => (part.type === 'text' ? part.text : ''))
    .join('')
const prompts = () => answer().parts.flatMap((part) => (part.type === 'prompt' ? [part.prompt] : []))
const count = (name: string): number => agent.calls.filter((call) => call === name).length

describe('a task that is silent', () => {
  it('for an hour completes on the connection it had', async () => {
    await begin()
    agent.append('a', 'Rivers ')
    await pass(3_600_000)
    expect(agent.streams).toBe(1)
    expect(count('GetTask')).toBeGreaterThan(60)
    agent.append('a', 'bend.')
    agent.status('COMPLETED')
    await settle()
    expect(text()).toBe('Rivers bend.')
    expect(answer().status).toBe('complete')
    expect([count('SendStreamingMessage'), count('SubscribeToTask')]).toEqual([1, 0])
  })

  it('on a connection that is half open is found by a probe, before the connection counts as silent', async () => {
    await begin()
    agent.append('a', 'Rivers ')
    await settle()
    agent.mute()
    agent.append('a', 'bend')
    await pass(50_000)
    expect(text()).toBe('Rivers bend')
    await pass(3_000)
    agent.append('a', '.')
    agent.status('COMPLETED')
    await settle()
    expect(text()).toBe('Rivers bend.')
    expect(count('SendStreamingMessage')).toBe(1)
  })

  it('has ended when a probe says so', async () => {
    await begin()
    agent.mute()
    agent.append('a', 'Done.')
    agent.status('COMPLETED')
    await pass(50_000)
    expect(text()).toBe('Done.')
    expect(answer().status).toBe('complete')
    expect(count('SubscribeToTask')).toBe(0)
  })
})

describe('an agent that does not stream', () => {
  it('is polled, with nothing open in between', async () => {
    connect(false)
    await begin()
    for (const word of ['Rivers ', 'bend.']) {
      agent.append('a', word)
      await pass(1_000)
      expect([agent.pending, agent.streams]).toEqual([0, 0])
      await pass(1_000)
    }
    expect(text()).toBe('Rivers bend.')
    agent.status('COMPLETED')
    await pass(2_000)
    expect(answer().status).toBe('complete')
    expect(agent.calls).toEqual(['SendMessage', 'GetTask', 'GetTask', 'GetTask'])
  })
})

describe('a message whose answer did not come', () => {
  it('is looked up by its id, and not sent again', async () => {
    agent.postFaults.push('answer-lost')
    await begin()
    await pass(3_000)
    agent.append('a', 'Found.')
    agent.status('COMPLETED')
    await settle()
    expect(text()).toBe('Found.')
    expect(agent.calls).toEqual(['SendStreamingMessage', 'ListTasks', 'SubscribeToTask', 'GetTask'])
  })

  it.each(['lost', 'answer-lost'] as const)(
    'and of which the agent says nothing may have arrived: %s',
    async (fault) => {
      agent.postFaults.push(fault)
      agent.cannotList = true
      await begin()
      await pass(3_000)
      expect(chat.getSnapshot().error).toMatchObject({ name: 'A2AError', code: 'delivery_unknown', severity: 'FATAL' })
      expect(chat.getSnapshot().messages).toMatchObject([{ role: 'user', status: 'not-sent' }])
      expect(count('SendStreamingMessage')).toBe(1)
      void chat.retry()
      await settle()
      agent.append('a', 'Sent again.')
      agent.status('COMPLETED')
      await settle()
      expect(text()).toBe('Sent again.')
    },
  )

  it('is not sent by another page that resumes the run', async () => {
    const request = await client.createRequest({ text: 'Why?', conversationId: 'c1', requestId: 'r1' })
    const endings: unknown[] = []
    createSession({
      client,
      request,
      requestId: 'r1',
      resumePoint: { ...createResumePoint(), restored: true },
      onEvents: () => undefined,
      onEnded: (ending) => void endings.push(ending),
    }).start()
    await settle()
    expect(agent.calls).toEqual(['ListTasks'])
    expect(endings).toMatchObject([{ type: 'failed', error: { code: 'delivery_unknown' } }])
  })
})

describe('a connection that breaks', () => {
  it.each(['end', 'reset', 'error'] as const)('is resumed by the task, which says its state: %s', async (how) => {
    await begin()
    agent.append('a', 'Rivers ')
    await settle()
    agent.cut(how)
    await settle()
    agent.append('a', 'bend')
    await pass(3_000)
    expect(text()).toBe('Rivers bend')
    agent.append('a', '.')
    agent.status('COMPLETED')
    await settle()
    expect(text()).toBe('Rivers bend.')
    expect(count('SendStreamingMessage')).toBe(1)
  })

  it('after each snapshot, without anything new, is abandoned after the attempts', async () => {
    agent.cutsAfterSnapshot = true
    await begin()
    await pass(120_000)
    expect(chat.getSnapshot().connection).toMatchObject({ phase: 'failed', error: { code: 'network_error' } })
    expect([count('SendStreamingMessage'), count('SubscribeToTask')]).toEqual([1, 3])
  })
})

describe('a question', () => {
  it('ends the run, and is not asked again by the old snapshot that opens the next one', async () => {
    await begin()
    agent.append('a', 'Draft. ')
    agent.status('INPUT_REQUIRED', 'Which river?', 'q1')
    await settle()
    expect(prompts()).toMatchObject([{ id: 'q1', state: 'open', message: 'Which river?' }])
    const answered = chat.answer('q1', { type: 'value', value: { reply: 'The Loire' } })
    // What sends it is loaded on demand.
    await expect.poll(() => agent.messages.length).toBe(2)
    await settle()
    expect(chat.getSnapshot().status).toBe('streaming')
    agent.status('WORKING')
    agent.append('b', 'The Loire bends.')
    agent.status('COMPLETED')
    await settle()
    expect(await answered).toEqual({ status: 'accepted' })
    expect(text()).toBe('The Loire bends.')
    expect(prompts()).toEqual([])
    expect(agent.task.history?.[1]).toMatchObject({
      taskId: 'task-1',
      contextId: 'ctx-1',
      parts: [{ text: 'The Loire' }],
    })
  })

  it('that follows an answer is a new one', async () => {
    await begin()
    agent.status('INPUT_REQUIRED', 'Which river?', 'q1')
    await settle()
    void chat.answer('q1', { type: 'value', value: { reply: 'The Loire' } })
    // What sends it is loaded on demand.
    await expect.poll(() => agent.messages.length).toBe(2)
    await settle()
    agent.status('INPUT_REQUIRED', 'Which bend?', 'q2')
    await settle()
    expect(prompts()).toMatchObject([{ id: 'q2', state: 'open' }])
    expect(chat.getSnapshot().status).toBe('awaiting-input')
  })

  it('to sign in stays one over a reconnect, and is settled when the task continues', async () => {
    await begin()
    agent.status('AUTH_REQUIRED', 'Sign in.', 's1')
    await settle()
    expect(prompts()).toMatchObject([{ id: 's1', kind: 'sign-in', state: 'open' }])
    agent.cut('reset')
    await pass(3_000)
    expect(await chat.answer('s1', { type: 'done' })).toEqual({ status: 'accepted' })
    agent.status('WORKING', 'Thanks', 'w1')
    await settle()
    expect(prompts()).toMatchObject([{ id: 's1', state: 'answered' }])
  })
})

describe('what is not known', () => {
  it('is a warning, and the task continues', async () => {
    await begin()
    agent.send({ sparkle: {} })
    agent.status('DREAMING')
    agent.append('a', 'Still here.')
    agent.status('COMPLETED')
    await settle()
    expect(chat.getSnapshot().warnings).toMatchObject([{ code: 'invalid_response' }, { code: 'invalid_packet' }])
    expect(text()).toBe('Still here.')
    expect(count('GetTask')).toBe(1)
  })
})

describe('a cancel', () => {
  it.each([
    [undefined, 'WORKING', 'cancelled'],
    ['-32002', 'WORKING', 'left'],
    ['-32002', 'COMPLETED', 'cancelled'],
    ['-32001', 'WORKING', 'left'],
    ['-32004', 'WORKING', 'left'],
  ])('that is answered with %s while the task is %s is %s', async (code, state, result) => {
    agent.cancelCode = code
    await begin()
    // The client does not learn of it by the stream.
    agent.mute()
    agent.status(state)
    const stopped = chat.stop()
    await pass(15_000)
    expect(await stopped).toBe(result)
    expect(count('CancelTask')).toBe(1)
  })

  it('is confirmed once the agent returns a task that has ended, and not by one that continues', async () => {
    agent.slowCancels = 2
    await begin()
    const stopped = chat.stop()
    for (let second = 0; second < 15; second++) await pass(1_000)
    expect(await stopped).toBe('cancelled')
    expect(count('CancelTask')).toBe(3)
  })

  it('of a task that continues is left', async () => {
    agent.slowCancels = Infinity
    await begin()
    const stopped = chat.stop()
    for (let second = 0; second < 16; second++) await pass(1_000)
    expect(await stopped).toBe('left')
  })

  it('throws what the agent says of a call', async () => {
    await expect(client.cancelTask('none')).rejects.toMatchObject({ agentCode: rpcError('-32001').agentCode })
  })
})
