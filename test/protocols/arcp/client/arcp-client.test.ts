import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ArcpClientOptions } from '../../../../src/protocols/arcp/client/arcp-connection.ts'
import { ArcpClient } from '../../../../src/protocols/arcp/client/arcp-client.ts'
import type { ArcpMessage } from '../../../../src/protocols/arcp/read/message.ts'
import type { MemoryRuntime, RuntimeJob, RuntimeOptions } from '../../../support/arcp-memory-runtime.ts'
import { createMemoryRuntime } from '../../../support/arcp-memory-runtime.ts'
import { settle as settleOnce } from '../../../support/manual-clock.ts'
import type { ManualEnvironment } from '../../../support/manual-environment.ts'
import { createManualEnvironment } from '../../../support/manual-environment.ts'
import { loadArcpOnDemand } from '../../../support/load-arcp-on-demand.ts'

// What is loaded on demand is there.
beforeAll(loadArcpOnDemand)

let environment: ManualEnvironment
let runtime: MemoryRuntime
let arcp: ArcpClient

function connect(options: Partial<ArcpClientOptions> = {}, runtimeOptions: RuntimeOptions = {}): void {
  environment = createManualEnvironment()
  runtime = createMemoryRuntime(runtimeOptions)
  arcp = new ArcpClient({ transport: runtime.transport, environment, ...options })
}

beforeEach(() => connect())

async function settle(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await settleOnce()
}

async function pass(ms: number): Promise<void> {
  await environment.clock.advance(ms)
  await settle()
}

function job(id = 'job_1'): RuntimeJob {
  const found = runtime.jobs.get(id)
  if (found === undefined) throw new Error(`There is no ${id}.`)
  return found
}

const stateOf = (id = 'job_1') => arcp.getState().jobs.get(id)

describe('a tool that is invoked', () => {
  it('is accepted, reports its progress, and returns its value', async () => {
    const messages: string[] = []
    const handle = arcp.invoke('search', { query: 'rivers' }, { onMessage: ({ type }) => messages.push(type) })
    await settle()
    expect(await handle.accepted).toBe('job_1')
    expect(job()).toMatchObject({ tool: 'search', given: { query: 'rivers' } })
    job().emit('job.progress', { percent: 25, message: 'half of a half' })
    job().emit('job.heartbeat', { sequence: 1, deadline_ms: 30_000, state: 'running' })
    job().emit('log', { level: 'info', message: 'found one' })
    job().emit('metric', { name: 'tokens.used', value: 12, unit: 'tokens', dims: { kind: 'output' } })
    job().emit('metric', { name: 'tokens.used', value: 3, unit: 'tokens', dims: { kind: 'output' } })
    job().say('Rivers ')
    job().say('meander.')
    await settle()
    expect(stateOf()).toMatchObject({
      tool: 'search',
      state: 'running',
      percent: 25,
      message: 'half of a half',
      heartbeat: { deadlineMs: 30_000 },
      logs: [{ level: 'info', message: 'found one' }],
      usage: { outputTokens: 15 },
    })
    expect([...arcp.getState().metrics.values()]).toMatchObject([{ name: 'tokens.used', sum: 15, count: 2, last: 3 }])
    expect([...arcp.getState().streams.values()]).toMatchObject([{ jobId: 'job_1', text: 'Rivers meander.' }])
    job().end({ found: 1 })
    expect(await handle.result).toEqual({ value: { found: 1 } })
    expect(stateOf()).toMatchObject({ state: 'completed', result: { value: { found: 1 } } })
    expect(messages).toEqual([
      'job.accepted',
      'job.started',
      'job.progress',
      'job.heartbeat',
      'log',
      'metric',
      'metric',
      'stream.open',
      'stream.chunk',
      'stream.chunk',
      'tool.result',
    ])
  })

  it('rejects with the error of the runtime: one that failed, one that is unknown, one that was cancelled', async () => {
    const failed = arcp.invoke('search')
    const unknown = arcp.invoke('missing')
    await settle()
    job().fail('UNAVAILABLE', 'Upstream is gone.')
    await expect(failed.result).rejects.toMatchObject({ name: 'ArcpError', agentCode: 'UNAVAILABLE' })
    await expect(unknown.accepted).rejects.toMatchObject({ agentCode: 'UNIMPLEMENTED', severity: 'FATAL' })
    await expect(unknown.result).rejects.toMatchObject({ agentCode: 'UNIMPLEMENTED' })
    const stopped = arcp.invoke('search')
    await settle()
    const stop = stopped.cancel()
    await settle()
    expect(await stop).toBe('cancelled')
    expect(stateOf('job_2')).toMatchObject({ state: 'cancelled' })
    await expect(stopped.result).rejects.toMatchObject({ agentCode: 'CANCELLED' })
  })

  it('is not invoked with bounds, to which a runtime of version 1.0 would not keep', async () => {
    const { result } = arcp.invoke('search', {}, { bounds: { lease: { 'cost.budget': ['USD:5.00'] } } })
    result.catch(() => undefined)
    await settle()
    await expect(result).rejects.toMatchObject({ code: 'invalid_config', severity: 'FATAL' })
    expect(runtime.received.map(({ type }) => type)).not.toContain('tool.invoke')
  })

  it('is cancelled by its signal', async () => {
    const abort = new AbortController()
    const handle = arcp.invoke('search', {}, { signal: abort.signal })
    await settle()
    abort.abort()
    await settle()
    expect(runtime.of('cancel')).toMatchObject([{ payload: { target: 'job', target_id: 'job_1' } }])
    await expect(handle.result).rejects.toMatchObject({ agentCode: 'CANCELLED' })
  })

  it('ends once: of two ends the first holds, as runtimes send both', async () => {
    const handle = arcp.invoke('search')
    await settle()
    job().end('first')
    job().emit('job.completed', { result: 'second' })
    expect(await handle.result).toEqual({ value: 'first' })
    await settle()
    expect(stateOf()).toMatchObject({ result: { value: 'first' } })
  })

  it('shares one socket with all others, which closes when nobody has used it for a while', async () => {
    const handles = [arcp.invoke('a'), arcp.invoke('b'), arcp.invoke('c')]
    await settle()
    expect([runtime.sockets, runtime.jobs.size]).toEqual([1, 3])
    for (const each of runtime.jobs.values()) each.end(each.tool)
    expect((await Promise.all(handles.map(({ result }) => result))).map(({ value }) => value)).toEqual(['a', 'b', 'c'])
    await pass(9_000)
    expect(runtime.open).toBe(1)
    await pass(2_000)
    expect([runtime.open, environment.clock.pending, environment.listeners]).toEqual([0, 0, 0])
    expect(runtime.of('session.close')).toMatchObject([{ payload: { dispose_jobs: 'detach' } }])
    expect(arcp.getState().session.phase).toBe('idle')
    const again = arcp.invoke('d')
    await settle()
    job('job_4').end('d')
    expect(await again.result).toEqual({ value: 'd' })
    expect(runtime.sockets).toBe(2)
  })
})

describe('a socket that breaks', () => {
  it('is replaced once, and what the jobs said since is replayed: each gets all of it once', async () => {
    const handles = [arcp.invoke('a'), arcp.invoke('b')]
    await settle()
    job('job_1').say('one ')
    await settle()
    runtime.cut()
    job('job_1').say('two ')
    job('job_2').say('other')
    await pass(3_000)
    runtime.doubles = true
    job('job_1').say('three')
    for (const each of runtime.jobs.values()) each.end(each.tool)
    await settle()
    expect((await Promise.all(handles.map(({ result }) => result))).map(({ value }) => value)).toEqual(['a', 'b'])
    expect([...arcp.getState().streams.values()].map(({ text }) => text)).toEqual(['one two three', 'other'])
    expect([runtime.sockets, runtime.mostOpen, runtime.of('tool.invoke').length]).toEqual([2, 1, 2])
    expect(runtime.of('resume')).toMatchObject([{ session_id: 'sess_1' }])
  })

  it('before the job was accepted has it invoked again under the same id, and it runs once', async () => {
    runtime.refuse = 2
    const handle = arcp.invoke('a')
    await settle()
    await pass(10_000)
    expect(runtime.jobs.size).toBe(1)
    runtime.cut()
    await pass(5_000)
    job().end('once')
    expect(await handle.result).toEqual({ value: 'once' })
    expect(runtime.jobs.size).toBe(1)
  })

  it('is abandoned after the attempts, and the job with it', async () => {
    const handle = arcp.invoke('a')
    await settle()
    runtime.refuse = 1_000
    runtime.cut()
    await pass(600_000)
    await expect(handle.result).rejects.toMatchObject({ code: 'network_error', severity: 'TRANSIENT' })
    expect(arcp.connection.phase).toBe('failed')
    expect(environment.clock.pending).toBe(0)
  })

  it('whose log is gone fails the jobs that were on it, and no others', async () => {
    const lost = arcp.invoke('a')
    await settle()
    const other = createMemoryRuntime({ name: 'other_' })
    runtime.cut()
    Object.assign(runtime.transport, { connect: other.transport.connect })
    await pass(3_000)
    await expect(lost.result).rejects.toMatchObject({ code: 'log_expired', agentCode: 'DATA_LOSS' })
    const next = arcp.invoke('b')
    await settle()
    other.jobs.get('other_job_1')?.end('b')
    expect(await next.result).toEqual({ value: 'b' })
  })

  it('that is half open is found by its silence, because pings are not answered', async () => {
    arcp.invoke('a')
    await settle()
    await pass(300_000)
    expect(runtime.sockets).toBe(1)
    runtime.mute()
    await pass(70_000)
    expect([runtime.sockets, runtime.open]).toEqual([2, 1])
  })

  it('is resumed also where the runtime does not acknowledge it', async () => {
    connect({}, { acks: false })
    const handle = arcp.invoke('a')
    await settle()
    runtime.cut()
    job().say('said')
    await pass(3_000)
    const second = arcp.invoke('b')
    await pass(1_000)
    for (const each of runtime.jobs.values()) each.end(each.tool)
    expect([await handle.result, await second.result]).toEqual([{ value: 'a' }, { value: 'b' }])
  })
})

describe('a session', () => {
  it('is opened with a token, and once more with another one when it is refused', async () => {
    const asked: unknown[] = []
    const token = async ({ rejected }: { rejected?: string | undefined }) => {
      asked.push(rejected)
      return rejected === undefined ? 'old' : 'new'
    }
    connect({ auth: { scheme: 'bearer', token } }, { token: 'new' })
    const session = await arcp.connect()
    expect(session).toMatchObject({ phase: 'accepted', id: 'sess_1', runtime: { kind: 'memory' } })
    expect(asked).toEqual([undefined, 'old'])
    expect([runtime.sockets, runtime.mostOpen]).toEqual([2, 1])
    expect(JSON.stringify(arcp.getState())).not.toContain('new')
  })

  it('that is refused for good fails at once, and its socket is closed', async () => {
    connect({ auth: { scheme: 'bearer', token: 'wrong' } }, { token: 'right' })
    await expect(arcp.connect()).rejects.toMatchObject({ code: 'unauthorized', severity: 'FATAL' })
    expect([runtime.sockets, runtime.open]).toEqual([1, 0])
    expect(arcp.getState().session).toMatchObject({ phase: 'rejected', error: { code: 'UNAUTHENTICATED' } })
  })

  it('answers a challenge', async () => {
    const answerChallenge = ({ challenge }: { challenge: string }) => `signed ${challenge}`
    connect({ auth: { scheme: 'signed_jwt', token: 'jwt', answerChallenge } }, { challenge: true, token: 'signed c1' })
    expect(await arcp.connect()).toMatchObject({ phase: 'accepted' })
  })

  it('that is not answered is tried again, because a runtime of another version says nothing', async () => {
    const silent = { connect: runtime.transport.connect }
    connect({ transport: { connect: (options) => silent.connect(options) }, maxRetries: 1 })
    const mute = createMemoryRuntime()
    Object.assign(silent, {
      connect: async (options: { signal: AbortSignal }) => {
        const connecting = await mute.transport.connect(options)
        mute.mute()
        return connecting
      },
    })
    const connecting = arcp.connect()
    connecting.catch(() => undefined)
    await pass(120_000)
    await expect(connecting).rejects.toMatchObject({ code: 'timeout' })
    expect(mute.sockets).toBe(2)
  })

  it('proves itself again when the runtime asks for it, and ends when it is evicted', async () => {
    let tokens = 0
    connect({ auth: { scheme: 'bearer', token: () => `token ${(tokens += 1)}` } })
    await arcp.connect()
    runtime.emit('session.refresh', { reason: 'expiring', deadline_ms: 30_000 })
    await settle()
    expect(runtime.of('session.authenticate')).toHaveLength(1)
    expect(arcp.getState().session.phase).toBe('refreshing')
    runtime.emit('session.evicted', { reason: 'DEADLINE_EXCEEDED', message: 'Too late.' })
    await settle()
    expect(arcp.connection).toMatchObject({ phase: 'failed', error: { agentCode: 'DEADLINE_EXCEEDED' } })
    expect(arcp.getState().session).toMatchObject({ phase: 'evicted', error: { message: 'Too late.' } })
    expect(runtime.open).toBe(0)
  })
})

describe('what the runtime sends', () => {
  it('and cannot be read is a warning to the jobs, and disturbs nothing', async () => {
    const handle = arcp.invoke('a')
    await settle()
    for (const frame of ['', 'no JSON', '[]', '{"arcp":"2.0"}', '{"arcp":"1.0","id":"x","type":"session.banana"}'])
      runtime.raw(frame)
    job().end('fine')
    expect(await handle.result).toEqual({ value: 'fine' })
    expect(runtime.sockets).toBe(1)
  })

  it('as an extension reaches who listens, once, and is sent in the same way', async () => {
    const heard: ArcpMessage[] = []
    const stop = arcp.onMessage((message) => heard.push(message))
    await arcp.connect()
    runtime.doubles = true
    runtime.emit('arcpx.acme.weather.v1', { rain: true })
    await settle()
    expect(heard.filter(({ type }) => type === 'extension')).toMatchObject([
      { name: 'arcpx.acme.weather.v1', payload: { rain: true } },
    ])
    stop()
    const sent = arcp.sendExtension('arcpx.acme.weather.v1', { ask: true })
    await settle()
    await sent
    expect(runtime.of('arcpx.acme.weather.v1')).toHaveLength(1)
    const refused = arcp.sendExtension('arcpx.unknown.thing.v1', {})
    await expect(refused).rejects.toMatchObject({ agentCode: 'UNIMPLEMENTED' })
  })

  it('as a ping is answered', async () => {
    await arcp.connect()
    const id = runtime.emit('ping', { nonce: 'n' })
    await settle()
    expect(runtime.of('pong')).toMatchObject([{ correlation_id: id, payload: { ack_for: id, nonce: 'n' } }])
  })
})

describe('artifacts and leases', () => {
  it('are stored, fetched, and released', async () => {
    const ref = await arcp.putArtifact('Grüße', { mediaType: 'text/plain', ttlSeconds: 60 })
    expect(ref).toMatchObject({ artifact_id: 'art_1', size: 7 })
    expect(runtime.of('artifact.put')).toMatchObject([{ payload: { ttl_seconds: 60, sha256: expect.any(String) } }])
    const { mediaType, content } = await arcp.fetchArtifact('art_1')
    expect([mediaType, new TextDecoder().decode(content)]).toEqual(['text/plain', 'Grüße'])
    await arcp.releaseArtifact('art_1')
    await expect(arcp.fetchArtifact('art_1')).rejects.toMatchObject({ code: 'not_found' })
  })

  it('are fetched over a connection that breaks meanwhile', async () => {
    await arcp.putArtifact(new Uint8Array([1, 2, 3]), { mediaType: 'application/octet-stream' })
    runtime.mute()
    const fetching = arcp.fetchArtifact('art_1')
    await settle()
    runtime.cut()
    await pass(5_000)
    expect([...(await fetching).content]).toEqual([1, 2, 3])
  })

  it('are extended, and told about when they are revoked', async () => {
    await arcp.connect()
    const lease = { permission: 'p', resource: 'r', operation: 'o', expires_at: '2026-03-01T08:20:00Z' }
    runtime.emit('lease.granted', { lease_id: 'l1', ...lease })
    expect(await arcp.refreshLease('l1', 60)).toBe('2026-03-01T09:20:00.000Z')
    expect(arcp.getState().leases.get('l1')).toMatchObject({ state: 'active', expiresAt: '2026-03-01T09:20:00.000Z' })
    runtime.emit('lease.revoked', { lease_id: 'l1', reason: 'expired' })
    await settle()
    expect(arcp.getState().leases.get('l1')).toMatchObject({ state: 'revoked', reason: 'expired' })
  })
})

describe('a subscription', () => {
  it('gives what was said before, then what follows, once, over connections', async () => {
    const heard: string[] = []
    arcp.invoke('a')
    await settle()
    let isBackfilled = 0
    const subscription = arcp.subscribe(
      { types: ['job.accepted'] },
      { after: '', onMessage: ({ type }) => heard.push(type), onBackfilled: () => (isBackfilled += 1) },
    )
    await settle()
    const id = await subscription.accepted
    expect([heard, isBackfilled]).toEqual([['job.accepted', 'job.started'], 1])
    expect(arcp.getState().subscriptions.get(id)).toMatchObject({ isBackfilled: true, events: 2 })
    runtime.cut()
    job().emit('job.progress', { percent: 10 })
    await pass(3_000)
    expect(heard).toEqual(['job.accepted', 'job.started', 'job.progress'])
    expect(runtime.of('subscribe')).toHaveLength(2)
    subscription.close()
    await settle()
    expect(runtime.of('unsubscribe')).toHaveLength(1)
  })

  it('says why the runtime closed it', async () => {
    const reasons: string[] = []
    const subscription = arcp.subscribe({}, { onMessage: () => undefined, onClosed: (why) => reasons.push(why) })
    await settle()
    const id = await subscription.accepted
    runtime.emit('subscribe.closed', { subscription_id: id, reason: 'overflow', code: 'BACKPRESSURE_OVERFLOW' })
    await settle()
    expect(reasons).toEqual(['BACKPRESSURE_OVERFLOW'])
    await pass(11_000)
    expect([runtime.open, environment.clock.pending]).toEqual([0, 0])
  })
})

describe('an option that cannot work', () => {
  it.each([{ timeoutMs: 0 }, { maxRetries: -1 }, { pingMs: Number.NaN }, { limits: { bytes: 0 } }])('%o', (option) => {
    expect(() => connect(option)).toThrow(expect.objectContaining({ name: 'ArcpError', code: 'invalid_config' }))
  })
})
