import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ArcpClientOptions } from '../../../../src/protocols/arcp/client/arcp-connection.ts'
import { ArcpClient, toolClient } from '../../../../src/protocols/arcp/client/arcp-client.ts'
import type { ArcpMessage } from '../../../../src/protocols/arcp/read/message.ts'
import { openRun } from '../../../../src/session/session.ts'
import type { SessionEvent } from '../../../../src/session/stream-ledger.ts'
import type { DialectJob, DialectRuntime, DialectRuntimeOptions } from '../../../support/arcp-dialect-runtime.ts'
import { createDialectRuntime, DIALECT_TOKEN } from '../../../support/arcp-dialect-runtime.ts'
import { loadArcpOnDemand } from '../../../support/load-arcp-on-demand.ts'
import { settle as settleOnce } from '../../../support/manual-clock.ts'
import type { ManualEnvironment } from '../../../support/manual-environment.ts'
import { createManualEnvironment } from '../../../support/manual-environment.ts'
import { createRandomUuid } from '../../../support/random-uuid.ts'

beforeAll(loadArcpOnDemand)

let environment: ManualEnvironment
let runtime: DialectRuntime
let arcp: ArcpClient
let heard: ArcpMessage[]

function newClient(options: Partial<ArcpClientOptions> = {}): ArcpClient {
  const auth = { scheme: 'bearer', token: DIALECT_TOKEN } as const
  const env = { ...environment, uuid: createRandomUuid() }
  const client = new ArcpClient({ dialect: '1.1', transport: runtime.transport, environment: env, auth, ...options })
  client.onMessage((message) => heard.push(message))
  return client
}

function connect(options: Partial<ArcpClientOptions> = {}, runtimeOptions: DialectRuntimeOptions = {}): void {
  environment = createManualEnvironment()
  runtime = createDialectRuntime(runtimeOptions)
  heard = []
  arcp = newClient(options)
}

beforeEach(() => connect())

async function settle(): Promise<void> {
  for (let turn = 0; turn < 8; turn++) await settleOnce()
}

async function pass(ms: number): Promise<void> {
  await environment.clock.advance(ms)
  await settle()
}

function job(at = 0): DialectJob {
  const found = [...runtime.jobs.values()][at]
  if (found === undefined) throw new Error(`There is no job ${at}.`)
  return found
}

const stateOf = (id = job().id) => arcp.getState().jobs.get(id)
const types = () => heard.map(({ type }) => type)

describe('a session of dialect 1.1', () => {
  it('is opened with a bearer token, and says what it can do', async () => {
    const ready = arcp.connect()
    await settle()
    expect(await ready).toMatchObject({
      phase: 'accepted',
      runtime: { kind: 'test', version: '1' },
      capabilities: { subscriptions: true, agents: ['search'] },
    })
    const { capabilities } = arcp.getState().session
    expect([capabilities?.human_input, capabilities?.artifacts, capabilities?.interrupt]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(runtime.of('session.hello')[0]?.payload).toMatchObject({
      client: { name: 'capstan' },
      auth: { scheme: 'bearer', token: DIALECT_TOKEN },
    })
  })

  it('is refused for good with a wrong token and without one, and the client closes the connection', async () => {
    for (const auth of [{ scheme: 'bearer', token: 'wrong' }, { scheme: 'none' }] as const) {
      connect({ auth })
      const ready = arcp.connect()
      ready.catch(() => undefined)
      await settle()
      await expect(ready).rejects.toMatchObject({
        code: 'unauthorized',
        severity: 'FATAL',
        agentCode: 'UNAUTHENTICATED',
      })
      expect(arcp.getState().session).toMatchObject({ phase: 'rejected', error: { code: 'UNAUTHENTICATED' } })
      expect(arcp.connection.phase).toBe('failed')
    }
    expect(runtime.received).toEqual([])
  })

  it('answers pings, sends its own, and is evicted and resumed when its heartbeat was lost', async () => {
    void arcp.connect()
    await settle()
    runtime.say('session.ping', { nonce: 'n1', sent_at: '2026-03-01T08:15:00Z' })
    await settle()
    expect(runtime.of('session.pong')[0]?.payload).toMatchObject({ ping_nonce: 'n1' })
    const before = runtime.of('session.ping').length
    await pass(20_000)
    expect(runtime.of('session.ping').length).toBe(before + 1)
    runtime.say('session.error', { code: 'HEARTBEAT_LOST', message: 'Silence.', retryable: true })
    await settle()
    expect(arcp.getState().session.phase).toBe('evicted')
    await pass(60_000)
    expect(arcp.getState().session.phase).toBe('accepted')
    expect(runtime.of('session.hello').at(-1)?.payload).toHaveProperty('resume')
  })

  it('says something as often as the runtime wants to hear from a client', async () => {
    connect({}, { heartbeat: 5 })
    void arcp.connect()
    await settle()
    const before = runtime.of('session.ping').length
    await pass(16_000)
    expect(runtime.of('session.ping').length).toBe(before + 3)
    runtime.cut()
    await settle()
    const after = runtime.of('session.ping').length
    await pass(500)
    expect(runtime.of('session.ping').length).toBe(after)
  })

  it('is closed with both words when nobody uses it, and another one is opened afterwards', async () => {
    const handle = arcp.invoke('search')
    await settle()
    job().end({ result: 1 })
    await settle()
    await handle.result
    await pass(10_000)
    expect(runtime.received.slice(-2).map(({ type }) => type)).toEqual(['session.close', 'session.bye'])
    arcp.invoke('search')
    await settle()
    expect(runtime.of('session.hello').at(-1)?.payload).not.toHaveProperty('resume')
  })
})

describe('a job of dialect 1.1', () => {
  it('is submitted, reports its progress, and returns its result', async () => {
    const lease = { 'cost.budget': ['USD:5.00'] }
    const bounds = { lease, leaseExpiresAt: '2026-03-01T09:00:00Z', maxSeconds: 60 }
    const handle = arcp.invoke('search', { query: 'rivers' }, { bounds, idempotencyKey: 'k1' })
    await settle()
    expect(await handle.accepted).toBe(job().id)
    const [submitted] = runtime.of('job.submit')
    expect(submitted?.payload).toEqual({
      agent: 'search',
      input: { query: 'rivers' },
      idempotency_key: 'k1',
      lease_request: lease,
      lease_constraints: { expires_at: '2026-03-01T09:00:00Z' },
      max_runtime_sec: 60,
    })
    expect(submitted?.trace_id).toMatch(/^[0-9a-f]{32}$/)
    job().emit('progress', { current: 1, total: 4, message: 'one of four' })
    job().emit('log', { level: 'info', message: 'found one' })
    job().emit('thought', { text: 'Hm.' })
    job().emit('metric', { name: 'tokens.used', value: 12, unit: 'tokens', dimensions: { kind: 'output' } })
    job().emit('metric', { name: 'cost.inference', value: 0.5, unit: 'USD' })
    job().emit('artifact_ref', { uri: 'arcp://a/b', content_type: 'text/html', byte_size: 3 })
    job().say('Rivers ')
    job().say('meander.', false)
    await settle()
    expect(stateOf()).toMatchObject({
      tool: 'search',
      state: 'running',
      current: 1,
      total: 4,
      message: 'one of four',
      logs: [{ level: 'info', message: 'found one' }],
      usage: { outputTokens: 12, cost: 0.5 },
    })
    expect([...arcp.getState().streams.values()]).toMatchObject([
      { kind: 'thought', text: 'Hm.', state: 'closed' },
      { kind: 'text', text: 'Rivers meander.', state: 'closed' },
    ])
    expect(arcp.getState().artifacts.get('arcp://a/b')).toMatchObject({
      media_type: 'text/html',
      size: 3,
      jobId: job().id,
    })
    job().end({ result_id: 'res_1', result_size: 15, summary: 'Two chunks.' })
    await settle()
    expect(await handle.result).toEqual({ value: 'Rivers meander.' })
    expect(stateOf()).toMatchObject({ state: 'completed', message: 'Two chunks.' })
    expect(types().slice(0, 3)).toEqual(['session.accepted', 'job.accepted', 'job.started'])
  })

  it('gives an inline result, and rejects when it failed, timed out or was cancelled', async () => {
    const inline = arcp.invoke('search')
    await settle()
    job().end({ result: { found: 1 } })
    await settle()
    expect(await inline.result).toEqual({ value: { found: 1 } })
    const late = arcp.invoke('search')
    await settle()
    job(1).fail('TIMEOUT', 'Too long.', 'timed_out')
    await settle()
    await expect(late.result).rejects.toMatchObject({ agentCode: 'TIMEOUT' })
    const costly = arcp.invoke('search')
    await settle()
    job(2).fail('BUDGET_EXHAUSTED', 'No money is left.')
    await settle()
    await expect(costly.result).rejects.toMatchObject({ agentCode: 'BUDGET_EXHAUSTED', severity: 'FATAL' })
    const stopped = arcp.invoke('search')
    await settle()
    const stop = stopped.cancel()
    await settle()
    expect(await stop).toBe('cancelled')
    expect(stateOf(job(3).id)).toMatchObject({ state: 'cancelled', cancelled: { reason: 'It was cancelled.' } })
  })

  it('alone is refused by an error that names nothing, among several that were submitted', async () => {
    const handles = ['search', 'missing', 'search', 'missing', 'search'].map((agent) => arcp.invoke(agent))
    await settle()
    const settled = await Promise.allSettled(handles.map(({ accepted }) => accepted))
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled'])
    await expect(handles[1]?.result).rejects.toMatchObject({ code: 'not_found', agentCode: 'AGENT_NOT_AVAILABLE' })
    expect(new Set(runtime.of('job.submit').map(({ trace_id: id }) => id)).size).toBe(5)
  })

  it('is the answer to another call under its key, whether the input is the same or not', async () => {
    const first = arcp.invoke('search', { n: 1 }, { idempotencyKey: 'k' })
    await settle()
    const same = arcp.invoke('search', { n: 1 }, { idempotencyKey: 'k' })
    const other = arcp.invoke('search', { n: 2 }, { idempotencyKey: 'k' })
    await settle()
    expect(await Promise.all([first.accepted, same.accepted, other.accepted])).toEqual([job().id, job().id, job().id])
    job().end({ result: 7 })
    await settle()
    expect(await Promise.all([first.result, same.result, other.result])).toEqual([
      { value: 7 },
      { value: 7 },
      { value: 7 },
    ])
    const later = arcp.invoke('search', { n: 1 }, { idempotencyKey: 'k' })
    await settle()
    expect(await later.result).toEqual({ value: 7 })
  })

  it('of another page is joined by a key that was used there, and read from its beginning', async () => {
    arcp.invoke('search', { n: 1 }, { idempotencyKey: 'k' })
    await settle()
    job().say('one ')
    const [before] = [arcp]
    arcp = newClient()
    const joined = arcp.invoke('search', { n: 2 }, { idempotencyKey: 'k' })
    await settle()
    job().say('two', false)
    job().end({ result_id: 'res_1' })
    await settle()
    expect(await joined.result).toEqual({ value: 'one two' })
    before.close()
  })

  it('that another job has begun is reported, and is not an answer to a call', async () => {
    arcp.invoke('search')
    await settle()
    runtime.mute.add('job.submit')
    const pending = arcp.invoke('search')
    await settle()
    const { trace_id: traceId } = runtime.of('job.submit').at(-1) ?? {}
    const child = { job_id: 'job_child', agent: 'survey', lease: {}, parent_job_id: job().id, delegate_id: 'd1' }
    runtime.say('job.accepted', { ...child, trace_id: traceId }, { job_id: 'job_child' })
    await settle()
    expect(stateOf('job_child')).toMatchObject({ state: 'accepted' })
    expect(stateOf('job_child')?.tool).toBeUndefined()
    runtime.say(
      'job.accepted',
      { job_id: 'job_own', agent: 'search', lease: {}, trace_id: traceId },
      { job_id: 'job_own' },
    )
    await settle()
    expect(await pending.accepted).toBe('job_own')
  })

  it('that is refused for a while is submitted again', async () => {
    runtime.mute.add('job.submit')
    const handle = arcp.invoke('search')
    await settle()
    runtime.say('session.error', { code: 'INTERNAL_ERROR', message: 'Busy.', retryable: true })
    runtime.mute.clear()
    await pass(20_000)
    expect(await handle.accepted).toBe(job().id)
    expect(stateOf()).toMatchObject({ tool: 'search', state: 'running', error: undefined })
    job().end({ result: 1 })
    await settle()
    expect(await handle.result).toEqual({ value: 1 })
  })

  it('that nothing is said of for a minute lets the next one be submitted, and is submitted again under its key', async () => {
    runtime.mute.add('job.submit')
    const silent = arcp.invoke('search')
    await settle()
    const next = arcp.invoke('search')
    await settle()
    expect(runtime.of('job.submit')).toHaveLength(1)
    runtime.mute.clear()
    await pass(60_000)
    await pass(60_000)
    expect(await next.accepted).toBe(job(0).id)
    expect(await silent.accepted).toBe(job(1).id)
    const submitted = runtime.of('job.submit')
    expect(submitted).toHaveLength(3)
    expect(submitted[2]?.payload.idempotency_key).toBe(submitted[0]?.payload.idempotency_key)
    expect(submitted[2]?.trace_id).not.toBe(submitted[0]?.trace_id)
  })

  it('shows its bounds and its budget as leases that nobody changes, and no credentials anywhere', async () => {
    const credentials = [{ id: 'c1', scheme: 'bearer', value: 'sk-secret', endpoint: 'https://gateway.example' }]
    const authority = {
      lease: { 'cost.budget': ['USD:5.00'] },
      lease_constraints: { expires_at: '2026-03-01T09:00:00Z' },
      budget: { USD: 5 },
      credentials,
    }
    connect({}, { authority })
    const handle = arcp.invoke('search')
    await settle()
    job().emit('status', { phase: 'credential_rotated', message: 'sk-secret' })
    job().emit('metric', { name: 'cost.budget.remaining', value: 1.5, unit: 'USD' })
    await settle()
    expect([...arcp.getState().leases.values()]).toMatchObject([
      {
        permission: 'cost.budget',
        resource: 'USD:5.00',
        operation: '',
        expiresAt: '2026-03-01T09:00:00Z',
        state: 'active',
      },
    ])
    expect([...arcp.getState().metrics.values()]).toMatchObject([
      { name: 'cost.budget.remaining', last: 1.5, count: 2, dims: { job_id: job().id } },
    ])
    const everything = JSON.stringify([heard, [...arcp.getState().jobs], arcp.getState().logs, arcp.getState().session])
    expect(everything).not.toContain('sk-secret')
    expect(everything).not.toContain('resume-token')
    expect(everything).not.toContain(DIALECT_TOKEN)
    job().end()
    await settle()
    await handle.result
    expect([...arcp.getState().leases.values()]).toMatchObject([{ state: 'revoked', reason: 'expired' }])
  })
})

describe('what dialect 1.1 has no word for', () => {
  it('is refused before anything is sent', async () => {
    const handle = arcp.invoke('search')
    await settle()
    const before = runtime.received.length
    expect(await arcp.interruptJob(job().id)).toEqual({ result: 'unsupported' })
    const calls = [
      arcp.putArtifact('x', { mediaType: 'text/plain' }),
      arcp.fetchArtifact('a'),
      arcp.refreshLease('l', 5),
      arcp.sendExtension('arcpx.acme.x.v1', {}),
    ]
    const told = await Promise.allSettled(calls)
    for (const { status, ...rest } of told)
      expect([status, rest]).toMatchObject(['rejected', { reason: { agentCode: 'UNIMPLEMENTED' } }])
    expect(await arcp.revokeLease('l')).toEqual({ result: 'unsupported' })
    expect(await arcp.answer('p', { type: 'value', value: 1 })).toEqual({ result: 'too-late' })
    await settle()
    expect(runtime.received.slice(before).filter(({ type }) => type !== 'session.ping')).toEqual([])
    job().end()
    await settle()
    await handle.result
  })
})

describe('frames that cannot be read', () => {
  it('are one warning each, and everything continues; kinds that nobody knows are passed on', async () => {
    const warnings: string[] = []
    const client = toolClient(arcp, { tool: 'search', toArguments: () => ({}) })
    const request = await client.createRequest({ text: 'Why?', conversationId: 'c1', requestId: 'r1' })
    const onEvents = (events: readonly SessionEvent<ArcpMessage>[]): void => {
      for (const { event } of events)
        if (event.type === 'warning') warnings.push(`${event.error.code} ${event.error.message}`)
    }
    openRun({ client, request, requestId: 'r1', onEvents, onEnded: () => undefined }).start()
    await settle()
    runtime.raw('no json')
    runtime.raw({ arcp: '1.1', id: 'x', type: 'session.bogus', session_id: 's', payload: {} })
    job().emit('log', { level: 'loud', message: 'x' })
    job().emit('x-vendor.acme.note', { any: 1 })
    job().emit('novel', 'text')
    runtime.raw({ arcp: '1.1', id: 'y', type: 'x-vendor.acme.hello', session_id: 's', payload: { a: 1 } })
    job().end({ result: 1 })
    await settle()
    expect(stateOf()).toMatchObject({ state: 'completed', result: { value: 1 } })
    const not = 'invalid_packet The agent sent something that is not ARCP: '
    expect(warnings).toEqual([
      'invalid_json The agent sent a frame that is not JSON.',
      `${not}type "session.bogus" is not of ARCP 1.1.`,
      `${not}job.event: level must be one of trace, debug, info, warn, error, critical.`,
    ])
    const names = heard.flatMap((message) => (message.type === 'extension' ? [message.name] : []))
    expect(names).toEqual(['arcpx.event.x-vendor.acme.note', 'arcpx.event.novel', 'arcpx.event.x-vendor.acme.hello'])
  })

  it('count once when they come twice', async () => {
    connect({}, { doubles: true })
    const handle = arcp.invoke('search')
    const other = arcp.invoke('search')
    await settle()
    expect([await handle.accepted, await other.accepted]).toEqual([job(0).id, job(1).id])
    job().emit('log', { level: 'info', message: 'one' })
    job().emit('metric', { name: 'tokens.used', value: 2, unit: 'tokens' })
    job().emit('thought', { text: 'Hm.' })
    job().end({ result: 1 })
    await settle()
    expect(await handle.result).toEqual({ value: 1 })
    expect(stateOf()).toMatchObject({ logs: [{ message: 'one' }], usage: { totalTokens: 2 } })
    expect(stateOf()?.logs).toHaveLength(1)
    expect(arcp.getState().streams.size).toBe(1)
  })
})
