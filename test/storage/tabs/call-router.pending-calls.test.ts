import { beforeEach, describe, expect, it } from 'vitest'
import { AgentError } from '../../../src/base/agent-error.ts'
import type { ChatCall } from '../../../src/storage/tabs/tab-message.ts'
import { type PendingCalls, createPendingCalls } from '../../../src/storage/tabs/call-router.ts'

const REGENERATE: ChatCall = { action: 'regenerate', messageId: undefined }
const STOP: ChatCall = { action: 'stop', requestId: 'r1' }
const ANSWER: ChatCall = { action: 'answer', promptId: 'p1', answer: { type: 'decline' } }

let calls: PendingCalls

beforeEach(() => {
  let ids = 0
  calls = createPendingCalls(
    () => `call-${(ids += 1)}`,
    (init) => new AgentError(init),
  )
})

describe('the calls of a tab', () => {
  it('are kept in order until they settle, each once', async () => {
    const first = calls.add(REGENERATE, 10)
    const second = calls.add(STOP, 20, 'queued-before')
    expect(calls.all()).toMatchObject([
      { id: 'call-1', call: REGENERATE, madeAt: 10, isAcknowledged: false, isRepeated: false },
      { id: 'queued-before', call: STOP, madeAt: 20 },
    ])
    calls.settle('call-1', { status: 'queued' })
    calls.settle('call-1', new Error('A second leader says otherwise.'))
    expect(await first.settled).toEqual({ status: 'queued' })
    expect(calls.all().map(({ id }) => id)).toEqual([second.pending.id])
  })

  it('may have been performed once a leader had them, and are not acknowledged by the next one', () => {
    calls.add(REGENERATE, 0)
    calls.add(STOP, 0)
    calls.acknowledge('call-1')
    calls.acknowledge('no-such-call')
    expect(calls.all()).toMatchObject([
      { isAcknowledged: true, isRepeated: true },
      { isAcknowledged: false, isRepeated: false },
    ])
    calls.reset()
    expect(calls.all()).toMatchObject([
      { isAcknowledged: false, isRepeated: true },
      { isAcknowledged: false, isRepeated: false },
    ])
  })

  it('resolve with an error of the agent and reject with any other', async () => {
    const refusal = new AgentError({ kind: 'runtime', code: 'app_error', severity: 'FATAL', message: 'No.' })
    const refused = calls.add(REGENERATE, 0)
    const thrown = calls.add(REGENERATE, 0)
    calls.settle('call-1', refusal)
    calls.settle('call-2', new RangeError('A bug.'))
    expect(await refused.settled).toEqual({ status: 'refused', error: refusal })
    await expect(thrown.settled).rejects.toThrow('A bug.')
  })
})

describe('calls whose outcome nobody knows', () => {
  const outcomes = async (end: (id: string) => void): Promise<unknown> => {
    const settled = [REGENERATE, STOP, ANSWER].map((call) => calls.add(call, 0))
    for (const { pending } of settled) end(pending.id)
    return Promise.all(settled.map((call) => call.settled))
  }
  const UNKNOWN = [
    { status: 'accepted' },
    { status: 'left' },
    { status: 'unconfirmed', error: { code: 'app_error', severity: 'TRANSIENT' } },
  ]

  it('claim nothing of a stop or an answer, whether they settle without one or the chat is disposed of', async () => {
    expect(await outcomes((id) => calls.settle(id))).toMatchObject(UNKNOWN)
    expect(await outcomes(() => calls.dispose())).toMatchObject(UNKNOWN)
    expect(calls.all()).toEqual([])
  })
})
