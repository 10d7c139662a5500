import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ArcpClient } from '../../../../src/protocols/arcp/client/arcp-client.ts'
import { isPrompt } from '../../../../src/seam/prompt.ts'
import type { ResumePoint } from '../../../../src/session/resume-point.ts'
import { createResumePoint } from '../../../../src/session/resume-point.ts'
import type { ChatInstance } from '../../../../src/state/chat.ts'
import { createChat } from '../../../../src/state/chat.ts'
import type { MemoryRuntime, RuntimeJob } from '../../../support/arcp-memory-runtime.ts'
import { createMemoryRuntime } from '../../../support/arcp-memory-runtime.ts'
import type { ManualEnvironment } from '../../../support/manual-environment.ts'
import { createManualEnvironment } from '../../../support/manual-environment.ts'
import { createRandomUuid } from '../../../support/random-uuid.ts'
import { loadArcpOnDemand } from '../../../support/load-arcp-on-demand.ts'
import type { RunPage } from './run-page.ts'
import { assistantOf, openRunPage, saidOn, settlePage, storedPoint } from './run-page.ts'

// What is loaded on demand is there.
beforeAll(loadArcpOnDemand)

const uuid = createRandomUuid()
let environment: ManualEnvironment
let runtime: MemoryRuntime
let arcp: ArcpClient
let chat: ChatInstance

function newClient(): ReturnType<typeof assistantOf> {
  const auth = { scheme: 'bearer', token: 'secret-token' } as const
  arcp = new ArcpClient({ transport: runtime.transport, environment: { ...environment, uuid }, auth })
  return assistantOf(arcp)
}

beforeEach(() => {
  environment = createManualEnvironment()
  runtime = createMemoryRuntime({ token: 'secret-token' })
  const client = newClient()
  chat = createChat({ client: () => client, conversationId: 'c1' })
})

const settle = (): Promise<void> => settlePage(environment)

async function pass(ms: number): Promise<void> {
  await environment.clock.advance(ms)
  await settle()
}

async function begin(text = 'Why?'): Promise<void> {
  void chat.sendMessage(text)
  await settle()
}

function job(id = 'job_1'): RuntimeJob {
  const found = runtime.jobs.get(id)
  if (found === undefined) throw new Error(`There is no ${id}.`)
  return found
}

const answer = () => {
  const message = chat.getSnapshot().messages.findLast(({ role }) => role === 'assistant')
  if (message === undefined) throw new Error('There is no answer.')
  return message
}
const leases = () => answer().parts.flatMap((part) => (part.type === 'lease' ? [part.lease] : []))
const text = (): string =>
  answer()
    .parts.map((part) => (part.type === 'text' ? part.text : ''))
    .join('')
const prompt = () => {
  const found = answer().parts.find((part) => part.type === 'prompt')
  if (found?.type !== 'prompt') throw new Error('There is no prompt.')
  return found.prompt
}
const inputRequest = (members = {}) => ({
  prompt: 'Which branch?',
  response_schema: { type: 'object', properties: { branch: { type: 'string' } }, required: ['branch'] },
  expires_at: '2026-03-01T09:15:00.000Z',
  ...members,
})

describe('a chat with a tool', () => {
  it('shows what the job streams, with its parts, and completes', async () => {
    await begin('Why do rivers meander?')
    expect(job()).toMatchObject({ tool: 'assistant', given: { question: 'Why do rivers meander?' } })
    const thought = { stream_id: 's1' }
    job().emit('stream.open', { kind: 'thought', related_job_id: 'job_1' }, thought)
    job().emit('stream.chunk', { sequence: 0, role: 'assistant_thought', content: 'Hm.', redacted: false }, thought)
    job().emit('stream.close', {}, thought)
    job().emit('job.progress', { percent: 50, message: 'Reading' })
    job().emit('artifact.ref', { artifact_id: 'a1', uri: 'arcp://a1', media_type: 'text/csv', size: 12 })
    job().emit('metric', { name: 'cost.usd', value: 0.5, unit: 'usd' })
    job().emit('log', { level: 'warn', message: 'Slow source' })
    job().emit('arcpx.acme.note.v1', { text: 'x' })
    job().say('They ')
    job().say('erode.')
    job().end({ words: 2 })
    await settle()
    expect(text()).toBe('They erode.')
    expect(answer()).toMatchObject({ status: 'complete', usage: { cost: 0.5 } })
    expect(answer().parts.map((part) => part.type)).toEqual([
      'thought',
      'progress',
      'artifact',
      'notice',
      'unknown',
      'text',
      'data',
    ])
    expect(answer().parts[0]).toMatchObject({ type: 'thought', text: 'Hm.', status: 'complete' })
    expect(answer().parts[1]).toMatchObject({ label: 'assistant', detail: 'Reading', status: 'complete' })
  })

  it.each([
    ['is done', () => job().end(null), { label: 'assistant', detail: 'Failed to read 2 of 8', status: 'complete' }],
    [
      'fails',
      () => job().fail('INTERNAL', 'The gauge is gone.'),
      { label: 'Failed to read 2 of 8', detail: '3 / 8', status: 'failed' },
    ],
    [
      'is cancelled by its runtime',
      () => void job().emit('job.cancelled', { reason: 'Shutting down.' }),
      { label: 'Failed to read 2 of 8', detail: '3 / 8', status: 'running' },
    ],
    ['is stopped', () => void chat.stop(), { label: 'Failed to read 2 of 8', detail: '3 / 8', status: 'running' }],
  ])('claims no more for the last words of a job that %s than the job has reached', async (_, end, expected) => {
    await begin()
    job().emit('job.progress', { current: 3, total: 8, message: 'Failed to read 2 of 8' })
    await settle()
    end()
    await settle()
    expect(answer().status).not.toBe('streaming')
    expect(answer().parts).toEqual([expect.objectContaining({ type: 'progress', ...expected })])
  })

  it('shows the value of a tool that streams nothing, and the error of one that fails', async () => {
    await begin()
    job().end('Because.')
    await settle()
    expect(text()).toBe('Because.')
    await begin('And now?')
    job('job_2').fail('RESOURCE_EXHAUSTED', 'Come back later.')
    await settle()
    expect(answer()).toMatchObject({
      status: 'failed',
      error: { agentCode: 'RESOURCE_EXHAUSTED', code: 'rate_limited' },
    })
  })

  it('stops its job, and says that the runtime confirmed it', async () => {
    await begin()
    job().say('They ')
    const stopping = chat.stop()
    await settle()
    expect(await stopping).toBe('cancelled')
    expect(answer()).toMatchObject({ status: 'stopped', stop: 'cancelled' })
    expect(runtime.of('cancel')).toHaveLength(1)
  })

  it('reconnects with the connection of all, is seen to, and misses nothing', async () => {
    await begin()
    job().say('They ')
    await settle()
    expect(chat.getSnapshot().connection.phase).toBe('streaming')
    runtime.refuse = 1
    runtime.cut()
    job().say('erode')
    await settle()
    expect(chat.getSnapshot().connection).toMatchObject({ phase: 'waiting', attempt: 1, hasOpened: true })
    await pass(10_000)
    expect(chat.getSnapshot().connection).toMatchObject({ phase: 'streaming', attempt: 0 })
    job().say('.')
    job().end()
    await settle()
    expect(text()).toBe('They erode.')
    expect([runtime.of('tool.invoke').length, runtime.mostOpen]).toEqual([1, 1])
  })

  it('is left and resumed while others use the connection, and reads on where it was', async () => {
    const other = arcp.invoke('other')
    await begin()
    job('job_2').say('They ')
    await settle()
    void chat.disconnect()
    await settle()
    job('job_2').say('erode')
    job('job_2').emit('metric', { name: 'tokens.used', value: 5, unit: 'tokens' })
    await settle()
    expect(text()).toBe('They ')
    void chat.resume()
    await settle()
    job('job_2').say('.')
    job('job_2').end()
    job('job_1').end('other')
    await settle()
    expect(text()).toBe('They erode.')
    expect(await other.result).toEqual({ value: 'other' })
    expect(runtime.sockets).toBe(1)
    expect([...arcp.getState().metrics.values()]).toMatchObject([{ sum: 5, count: 1 }])
  })

  it('is shown where numbers of its stream are missing', async () => {
    await begin()
    job().say('one ')
    job().emit('stream.chunk', { sequence: 3, data: 'four' }, { stream_id: 'str_job_1' })
    job().emit('stream.chunk', { sequence: 3, data: 'four' }, { stream_id: 'str_job_1' })
    await settle()
    expect(answer().parts.map((part) => part.type)).toEqual(['text', 'gap', 'text'])
    expect(text()).toBe('one four')
  })
})

describe('a question of a job', () => {
  it('is a form: an answer that is wrong says what is, one that is right continues', async () => {
    await begin()
    const id = job().emit('human.input.request', inputRequest({ response_schema: { type: 'string' } }))
    await settle()
    expect(prompt()).toMatchObject({ id, kind: 'form', state: 'open', message: 'Which branch?', onExpiry: 'cancel' })
    expect(arcp.getState().jobs.get('job_1')).toMatchObject({ state: 'blocked' })
    const wrong = chat.answer(id, { type: 'value', value: { value: 'wrong' } })
    await settle()
    const errors = [{ path: '/branch', message: 'is not a branch' }]
    expect(await wrong).toEqual({ status: 'invalid', errors })
    expect(prompt()).toMatchObject({ state: 'open', errors })
    const right = chat.answer(id, { type: 'value', value: { value: 'main' } })
    await settle()
    expect(await right).toEqual({ status: 'accepted' })
    expect(runtime.of('human.input.response').at(-1)).toMatchObject({
      correlation_id: id,
      payload: { value: 'main', responded_by: 'user' },
    })
    expect(prompt().state).toBe('answered')
    expect(arcp.getState().jobs.get('job_1')).toMatchObject({ state: 'running' })
  })

  it('that is a choice takes one of its options', async () => {
    await begin()
    const options = [
      { id: 'fix', label: 'Fix it' },
      { id: 'skip', label: 'Skip', description: 'Leave it red' },
    ]
    const id = job().emit('human.choice.request', { prompt: 'How?', options, expires_at: '2026-03-01T09:15:00Z' })
    await settle()
    expect(prompt()).toMatchObject({ kind: 'choice', options: [{ label: 'Fix it', kind: 'neutral' }, { id: 'skip' }] })
    const told = chat.answer(id, { type: 'option', optionId: 'fix' })
    await settle()
    expect(await told).toEqual({ status: 'accepted' })
    expect(runtime.of('human.choice.response')).toMatchObject([{ payload: { choice_id: 'fix' } }])
  })

  it('for a permission gives a lease, or is denied', async () => {
    await begin()
    const request = {
      permission: 'payment.refund',
      resource: 'order:1',
      operation: 'refund',
      reason: 'Refund it',
      requested_lease_seconds: 300,
    }
    const first = job().emit('permission.request', request)
    await settle()
    const { subject, options } = prompt()
    expect([subject?.name, subject?.input]).toEqual(['payment.refund', { operation: 'refund', resource: 'order:1' }])
    expect(options).toMatchObject([{ kind: 'allow-once', ttlMs: 300_000 }, { kind: 'reject-once' }])
    const granted = chat.answer(first, { type: 'option', optionId: 'grant', digest: subject?.digest })
    await settle()
    expect(await granted).toEqual({ status: 'accepted' })
    expect(runtime.of('permission.grant')).toMatchObject([
      { payload: { permission: 'payment.refund', resource: 'order:1', operation: 'refund', lease_seconds: 300 } },
    ])
    expect(arcp.getState().leases.get('lease_1')).toMatchObject({ state: 'active', permission: 'payment.refund' })
    const second = job().emit('permission.request', { ...request, operation: 'refund twice' })
    await settle()
    const denied = chat.answer(second, { type: 'decline', reason: 'Never.' })
    await settle()
    expect(await denied).toEqual({ status: 'accepted' })
    expect(runtime.of('permission.deny')).toMatchObject([{ payload: { operation: 'refund twice', reason: 'Never.' } }])
  })

  it('for a permission of which the runtime does not say for how long claims no time, also when it is read again', async () => {
    await begin()
    const id = job().emit('permission.request', { permission: 'fs.read', resource: '/', operation: 'read' })
    await settle()
    expect(prompt().options).toMatchObject([{ kind: 'allow-once', ttlMs: null }, { kind: 'reject-once' }])
    expect(isPrompt(structuredClone(prompt()))).toBe(true)
    const granted = chat.answer(id, { type: 'option', optionId: 'grant', digest: prompt().subject?.digest })
    await settle()
    expect(await granted).toEqual({ status: 'accepted' })
    expect(runtime.of('permission.grant').map(({ payload }) => payload)).toEqual([
      { permission: 'fs.read', resource: '/', operation: 'read' },
    ])
  })

  it('for a permission gives a lease that the user extends and gives back', async () => {
    await begin()
    const request = { permission: 'fs.write', resource: '/reports', operation: 'write', requested_lease_seconds: 300 }
    const id = job().emit('permission.request', request)
    await settle()
    void chat.answer(id, { type: 'option', optionId: 'grant', digest: prompt().subject?.digest })
    await settle()
    const until = Date.parse('2026-03-01T08:20:00.000Z') + arcp.clockOffsetMs
    const lease = { name: 'fs.write', resource: '/reports', grants: 'write', state: 'active', until }
    expect(leases()).toMatchObject([lease])
    const extended = chat.changeLease('lease_1', { type: 'extend', ms: 900_000 })
    await settle()
    expect(await extended).toEqual({ status: 'accepted' })
    // What is left of the lease, five minutes, and what the user wants more.
    expect(runtime.of('lease.refresh')).toMatchObject([{ payload: { lease_id: 'lease_1', requested_seconds: 1200 } }])
    expect(leases()).toMatchObject([{ ...lease, until: until + 3_600_000 }])
    const revoked = chat.changeLease('lease_1', { type: 'revoke' })
    await settle()
    expect(await revoked).toEqual({ status: 'accepted' })
    expect(leases()).toMatchObject([{ state: 'revoked' }])
    expect(arcp.getState().leases.get('lease_1')).toMatchObject({ state: 'revoked', jobId: 'job_1' })
  })

  it('gives a lease that the runtime ends, or does not take back', async () => {
    runtime = createMemoryRuntime({ takesBack: false })
    const client = newClient()
    chat = createChat({ client: () => client, conversationId: 'c1' })
    await begin()
    const id = job().emit('permission.request', { permission: 'p', resource: 'r', operation: 'o' })
    await settle()
    void chat.answer(id, { type: 'option', optionId: 'grant', digest: prompt().subject?.digest })
    await settle()
    const told = chat.changeLease('lease_1', { type: 'revoke' })
    await settle()
    expect(await told).toMatchObject({ status: 'refused' })
    expect(leases()).toMatchObject([{ state: 'active' }])
    runtime.emit('lease.revoked', { lease_id: 'lease_1', reason: 'expired' })
    await settle()
    expect(leases()).toMatchObject([{ state: 'expired' }])
    expect(await chat.changeLease('lease_1', { type: 'revoke' })).toEqual({ status: 'too-late' })
  })

  it.each([
    ['DEADLINE_EXCEEDED', 'expired'],
    ['CANCELLED', 'answered-elsewhere'],
  ])('that the runtime settles with %s is %s, and takes no answer', async (code, state) => {
    await begin()
    const id = job().emit('human.input.request', inputRequest())
    await settle()
    job().emit('human.input.cancelled', { code }, { correlation_id: id })
    await settle()
    expect(prompt().state).toBe(state)
    expect(await chat.answer(id, { type: 'value', value: { branch: 'main' } })).toEqual({ status: 'too-late' })
    expect(runtime.of('human.input.response')).toEqual([])
  })

  it('takes the default where the runtime says so, and is withdrawn where its job ends', async () => {
    await begin()
    const id = job().emit('human.input.request', inputRequest({ default: { branch: 'main' } }))
    await settle()
    expect(prompt()).toMatchObject({ onExpiry: 'default', initial: { branch: 'main' } })
    job().emit('human.input.response', { value: { branch: 'main' }, responded_by: 'default' }, { correlation_id: id })
    await settle()
    expect(prompt().state).toBe('expired')
    job().emit('human.input.request', inputRequest())
    job().fail('HEARTBEAT_LOST', 'The job is gone.')
    await settle()
    const states = answer().parts.flatMap((part) => (part.type === 'prompt' ? [part.prompt.state] : []))
    expect(states).toEqual(['expired', 'withdrawn'])
  })

  it('is answered once, also when the connection breaks under the answer', async () => {
    await begin()
    const id = job().emit('human.input.request', inputRequest())
    await settle()
    runtime.mute()
    const told = chat.answer(id, { type: 'value', value: { branch: 'main' } })
    await settle()
    runtime.refuse = 2
    runtime.cut()
    await pass(60_000)
    expect(await told).toEqual({ status: 'accepted' })
    expect(runtime.of('human.input.response')).toHaveLength(1)
    expect(prompt().state).toBe('answered')
  })

  it('that the user interrupts for is asked by the runtime', async () => {
    await begin()
    const told = arcp.interruptJob('job_1')
    await settle()
    expect(await told).toEqual({ result: 'accepted' })
    expect(runtime.of('interrupt')).toMatchObject([{ payload: { target: 'job', target_id: 'job_1' } }])
  })
})

describe('a run of another page', () => {
  async function open(client: ReturnType<typeof newClient>, resumePoint: ResumePoint): Promise<RunPage> {
    const page = await openRunPage(client, resumePoint)
    await settle()
    return page
  }

  it('is read on under its old session, with its streams, and invoked once', async () => {
    const first = await open(newClient(), createResumePoint())
    job().say('They ')
    await settle()
    const kept = storedPoint(first)
    expect(kept.handle).toMatchObject({ sessionId: 'sess_1', jobs: ['job_1'], streams: { str_job_1: 'text' } })
    expect(JSON.stringify(kept.handle)).not.toContain('secret')
    runtime.cut()
    arcp.close()
    job().say('erode')
    const second = await open(newClient(), kept)
    job().say('.')
    job().end()
    await settle()
    expect([saidOn(first), saidOn(second)]).toEqual(['They ', 'erode.'])
    expect(second.endings).toMatchObject([{ type: 'finished' }])
    expect(runtime.of('tool.invoke')).toHaveLength(1)
    expect(runtime.of('resume')).toMatchObject([{ session_id: 'sess_1' }])
  })

  it('that was not accepted yet finds its job, or invokes the tool under the same id', async () => {
    const first = await open(newClient(), createResumePoint())
    const kept: ResumePoint = { ...storedPoint(first), handle: { invoke: runtime.of('tool.invoke')[0]?.id } }
    arcp.close()
    const second = await open(newClient(), kept)
    await pass(20_000)
    expect(new Set(runtime.of('tool.invoke').map(({ id }) => id)).size).toBe(1)
    expect(runtime.jobs.size).toBe(1)
    expect(second.endings).toEqual([])
  })

  it('answers a question that the page before was asked', async () => {
    const first = await open(newClient(), createResumePoint())
    const request = { permission: 'p', resource: 'r', operation: 'o', requested_lease_seconds: 60 }
    const id = job().emit('permission.request', request)
    await settle()
    const kept = storedPoint(first)
    arcp.close()
    const client = newClient()
    const second = await open(client, kept)
    const handle = second.resumePoint.handle
    const act = client.protocol.act?.(
      {
        type: 'answer',
        requestId: 'r1',
        handle,
        promptId: id,
        answerId: 'a1',
        answer: { type: 'option', optionId: 'grant' },
      },
      { signal: new AbortController().signal },
    )
    await settle()
    expect(await act).toEqual({ result: 'accepted' })
    expect(runtime.of('permission.grant')).toMatchObject([
      { correlation_id: id, payload: { permission: 'p', resource: 'r', operation: 'o' } },
    ])
  })

  it('is told what becomes of a lease that the page before was given', async () => {
    const first = await open(newClient(), createResumePoint())
    const id = job().emit('permission.request', { permission: 'p', resource: 'r', operation: 'o' })
    await settle()
    void arcp.grant(id)
    await settle()
    const kept = storedPoint(first)
    expect(kept.handle).toMatchObject({ leases: { lease_1: { permission: 'p', resource: 'r', operation: 'o' } } })
    arcp.close()
    const second = await open(newClient(), kept)
    runtime.emit('lease.extended', { lease_id: 'lease_1', expires_at: '2026-03-01T09:20:00.000Z' })
    await settle()
    expect(second.events).toContainEqual(
      expect.objectContaining({ type: 'part', partId: 'lease_1', part: expect.objectContaining({ type: 'lease' }) }),
    )
  })

  it('that remembers nothing is not begun again', async () => {
    const page = await open(newClient(), { ...createResumePoint(), attempts: 1, restored: true })
    expect(page.endings).toMatchObject([{ type: 'failed', error: { code: 'delivery_unknown' } }])
    expect(runtime.of('tool.invoke')).toEqual([])
  })
})
