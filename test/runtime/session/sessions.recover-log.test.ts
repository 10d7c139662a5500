import { beforeAll, describe, expect, it } from 'vitest'
import { ArcpClient } from '../../../src/protocols/arcp/client/arcp-client.ts'
import type { ArcpRuntimeOptions } from '../../../src/runtime/connection/runtime-core.ts'
import type { ArcpTool } from '../../../src/runtime/job/tool.ts'
import type { EventLog, LogWriter } from '../../../src/server/event-log/event-log.ts'
import { memoryTransport } from '../../../src/wire/memory-transport.ts'
import { loadArcpOnDemand } from '../../support/load-arcp-on-demand.ts'
import { createManualEnvironment } from '../../support/manual-environment.ts'
import type { RestartableLog } from '../restartable-log.ts'
import { restartableLog } from '../restartable-log.ts'
import type { RawClient, Served } from '../served-runtime.ts'
import { OPEN, serve, typesOf, until } from '../served-runtime.ts'

// What the client loads on demand is there.
beforeAll(loadArcpOnDemand)

const openAs = (token: string): object => ({ ...OPEN, auth: { scheme: 'bearer', token } })
const bearer = (token: string): string => token
const sessionOf = (client: RawClient): string => client.last('session.accepted').session_id ?? ''

/** A tool that never ends, with a stream and a lease that are open. */
const stuck: ArcpTool = async (_given, { stream, requestPermission }) => {
  await stream('text').write('Half of ')
  await requestPermission({ permission: 'files', resource: '/', operation: 'read' })
  return new Promise(() => undefined)
}

interface Processes {
  readonly log: RestartableLog
  readonly runs: string[]
  /** Another process: the one before has died, without a word to anybody. */
  restart(): Served
}

function processes(options: Partial<ArcpRuntimeOptions> = {}): Processes {
  const log = restartableLog()
  const runs: string[] = []
  const tools: ArcpRuntimeOptions['tools'] = {
    stuck,
    done: async ({ n }) => {
      runs.push(String(n))
      return n
    },
  }
  let restarts = 0
  return {
    log,
    runs,
    restart() {
      log.crash()
      const environment = createManualEnvironment()
      // Ids count up: those of each process are its own.
      for (let id = 0; id < 1_024 * restarts; id++) environment.uuid()
      restarts += 1
      return serve({ tools, log, auth: { bearer, none: true }, ...options }, environment)
    },
  }
}

describe('a session whose process has died', () => {
  it('is gone when its log had missed a message: what it had done since is not done again', async () => {
    const log = restartableLog()
    let isFull = false
    const runs: unknown[] = []
    const environment = createManualEnvironment()
    const failing: EventLog = {
      ...log,
      async begin(key) {
        const begun = await log.begin(key)
        if (begun.state !== 'created') return begun
        const appendAll: LogWriter['appendAll'] = async (entries) => {
          if (isFull) throw new Error('full')
          await begun.writer.appendAll?.(entries)
        }
        return { ...begun, writer: { ...begun.writer, appendAll } }
      },
    }
    const start = (): Served =>
      serve({ tools: { done: async ({ n }) => runs.push(n) }, auth: { bearer }, log: failing }, environment)
    const first = start()
    const before = await first.raw({ open: openAs('ada') })
    isFull = true
    before.send('tool.invoke', { tool: 'done', arguments: { n: 7 } }, { id: 'invoke-done' })
    await first.settle()
    expect(runs).toEqual([7])
    isFull = false
    log.crash()

    const second = start()
    const after = await second.raw({ open: openAs('ada') })
    after.send('resume', {}, { session_id: sessionOf(before) })
    await second.settle()
    expect(after.last('nack').payload).toMatchObject({ code: 'DATA_LOSS' })
  })

  it('is resumed in the next process: what had ended is said again, what had not has failed', async () => {
    const { restart } = processes()
    const first = restart()
    const before = await first.raw({ open: openAs('ada') })
    before.send('tool.invoke', { tool: 'done', arguments: { n: 7 } }, { id: 'invoke-done' })
    before.send('tool.invoke', { tool: 'stuck' }, { id: 'invoke-stuck', trace_id: 'trace-1' })
    await first.settle()
    const permission = before.last('permission.request')
    before.send('permission.grant', permission.payload, { correlation_id: permission.id })
    await first.settle()
    const jobId = before.last('lease.granted').job_id
    const streamId = before.last('stream.open').stream_id

    const second = restart()
    const after = await second.raw({ open: openAs('ada') })
    const resume = after.send('resume', {}, { session_id: sessionOf(before) })
    await second.settle()
    const said = after.got.filter(({ session_id: id }) => id === sessionOf(before))
    expect(typesOf(said).slice(0, -3)).toEqual(typesOf(before.got.filter(({ job_id: id }) => id !== undefined)))
    expect(said.slice(-3)).toMatchObject([
      { type: 'stream.error', job_id: jobId, stream_id: streamId, payload: { code: 'ABORTED' } },
      { type: 'lease.revoked', job_id: jobId, payload: { lease_id: before.last('lease.granted').payload.lease_id } },
      {
        type: 'job.failed',
        job_id: jobId,
        correlation_id: 'invoke-stuck',
        trace_id: 'trace-1',
        payload: { code: 'ABORTED', retryable: false },
      },
    ])
    expect(after.last('ack')).toMatchObject({ correlation_id: resume })
    after.send('cancel', { target: 'job', target_id: jobId })
    await second.settle()
    expect(after.last('cancel.refused').payload).toMatchObject({ reason: 'already_terminal' })

    const third = restart()
    const again = await third.raw({ open: openAs('ada') })
    again.send('resume', { after_message_id: said.at(-2)?.id }, { session_id: sessionOf(before) })
    await third.settle()
    expect(typesOf(again.got)).toEqual(['session.accepted', 'job.failed', 'ack'])
  })

  it('knows its invocations again, by message and by key', async () => {
    const { restart, runs } = processes()
    const first = restart()
    const before = await first.raw({ open: openAs('ada') })
    const key = { idempotency_key: 'order-42' }
    before.send('tool.invoke', { tool: 'done', arguments: { n: 1 } }, { id: 'invoke-1', ...key })
    await first.settle()

    const second = restart()
    const after = await second.raw({ open: openAs('ada') })
    after.send('resume', {}, { session_id: sessionOf(before) })
    after.send('tool.invoke', { tool: 'done', arguments: { n: 1 } }, { id: 'invoke-1' })
    after.send('tool.invoke', { tool: 'done', arguments: { n: 1 } }, { id: 'invoke-2', ...key })
    after.send('tool.invoke', { tool: 'done', arguments: { n: 2 } }, { id: 'invoke-3', ...key })
    await second.settle()
    expect(runs).toEqual(['1'])
    expect(after.of('job.accepted').map(({ job_id: id }) => id)).toEqual(
      Array.from({ length: 3 }, () => before.last('job.accepted').job_id),
    )
    expect(after.last('nack')).toMatchObject({ correlation_id: 'invoke-3', payload: { code: 'ALREADY_EXISTS' } })
  })

  it('is refused to others, as before', async () => {
    const { restart } = processes()
    const first = restart()
    const ada = await first.raw({ open: openAs('ada') })
    const anonymous = await first.raw()

    const second = restart()
    const bob = await second.raw({ open: openAs('bob') })
    const nobody = await second.raw()
    bob.send('resume', {}, { session_id: sessionOf(ada) })
    bob.send('resume', {}, { session_id: sessionOf(anonymous) })
    nobody.send('resume', {}, { session_id: sessionOf(ada) })
    nobody.send('resume', {}, { session_id: sessionOf(anonymous) })
    await second.settle()
    expect([...bob.of('nack'), ...nobody.of('nack')].map(({ payload }) => payload.code)).toEqual([
      'DATA_LOSS',
      'DATA_LOSS',
      'DATA_LOSS',
    ])
    expect(nobody.of('ack')).toHaveLength(1)
  })

  it('keeps whose it has become, where an anonymous one continued with another', async () => {
    const { restart } = processes()
    const first = restart()
    const origin = await first.raw()
    const heir = await first.raw()
    heir.send('resume', {}, { session_id: sessionOf(origin) })
    await first.settle()

    const second = restart()
    const later = await second.raw()
    later.send('resume', {}, { session_id: sessionOf(heir) })
    await second.settle()
    expect(later.of('ack')).toHaveLength(1)
    later.send('subscribe', { filter: { session_id: [sessionOf(origin)] } })
    await second.settle()
    expect(later.of('subscribe.accepted')).toHaveLength(1)
  })

  it('fails once, however many resume it at a time', async () => {
    const { restart } = processes()
    const first = restart()
    const before = await first.raw({ open: openAs('ada') })
    before.send('tool.invoke', { tool: 'stuck' })
    await first.settle()

    const second = restart()
    const clients = await Promise.all([1, 2, 3].map(() => second.raw({ open: openAs('ada') })))
    for (const client of clients) client.send('resume', {}, { session_id: sessionOf(before) })
    await second.settle()
    for (const client of clients) expect(client.of('job.failed')).toHaveLength(1)
    expect(new Set(clients.map((client) => client.last('job.failed').id)).size).toBe(1)
  })

  it('says its failures behind what was said, also where the clock is behind', async () => {
    const { restart } = processes()
    const first = restart()
    await first.pass(3_600_000)
    const before = await first.raw({ open: openAs('ada') })
    before.send('tool.invoke', { tool: 'stuck' })
    await first.settle()

    const second = restart()
    const after = await second.raw({ open: openAs('ada') })
    after.send('resume', { after_message_id: before.got.at(-1)?.id }, { session_id: sessionOf(before) })
    await second.settle()
    expect(after.of('job.failed')).toHaveLength(1)
  })

  it('is refused while its process lives, and leaves no timer', async () => {
    const { log, restart } = processes()
    log.crash = () => undefined
    const before = await restart().raw()
    const other = restart()
    const after = await other.raw()
    after.send('resume', {}, { session_id: sessionOf(before) })
    await other.settle()
    expect(after.of('nack')).toEqual([])
    await other.pass(20_000)
    expect(after.last('nack').payload).toMatchObject({ code: 'UNAVAILABLE', retryable: true })
    await other.runtime.close()
    expect(other.environment.clock.pending).toBe(0)
  })

  it('is unavailable where its log cannot be read', async () => {
    const { log, restart } = processes()
    const first = restart()
    const before = await first.raw()
    log.find = () => Promise.reject(new Error('the database is down'))
    const second = restart()
    const after = await second.raw()
    after.send('resume', {}, { session_id: sessionOf(before) })
    await second.settle()
    expect(after.last('nack').payload).toMatchObject({ code: 'UNAVAILABLE', retryable: true })
    expect(second.environment.reports).toHaveLength(1)
  })

  it('has ended for the client of this package too: no call waits for ever', async () => {
    const { restart } = processes()
    let served = restart()
    const { environment } = served
    // Each connection goes to the process that lives.
    const transport = memoryTransport(async (connection) => served.runtime.accept(connection))
    const arcp = new ArcpClient({ transport, environment, auth: { scheme: 'bearer', token: 'ada' } })
    const job = arcp.invoke('stuck')
    const failed = job.result.catch((error: unknown) => error)
    await served.settle()
    await job.accepted

    const dead = served
    served = restart()
    dead.runtime.disconnect()
    for (let round = 0; round < 10; round++) {
      await environment.clock.advance(1_000)
      await served.settle()
    }
    expect(await failed).toMatchObject({ agentCode: 'ABORTED', message: expect.stringContaining('restarted') })
    arcp.close()
  })
})

describe('a session that has ended', () => {
  it('can be read by its owner for as long as the store keeps it', async () => {
    const { restart } = processes({ retentionMs: 60_000 })
    const first = restart()
    const before = await first.raw({ open: openAs('ada') })
    before.send('tool.invoke', { tool: 'done', arguments: { n: 7 } })
    await first.settle()
    before.close()
    await first.settle()
    await first.pass(60_000)
    expect(first.runtime.sessions).toEqual([])
    for (const served of [first, restart()]) {
      const after = await served.raw({ open: openAs('ada') })
      after.send('resume', {}, { session_id: sessionOf(before) })
      await served.settle()
      expect(after.last('tool.result').payload).toEqual({ value: 7 })
    }
  })

  it('by its runtime, which was closed, reports the jobs that were cancelled', async () => {
    const { restart } = processes()
    const first = restart()
    const before = await first.raw({ open: openAs('ada') })
    before.send('tool.invoke', { tool: 'stuck' })
    await first.settle()
    await first.runtime.close()
    const second = restart()
    const after = await second.raw({ open: openAs('ada') })
    after.send('resume', {}, { session_id: sessionOf(before) })
    await second.settle()
    expect(after.last('job.cancelled').payload).toMatchObject({ source: 'runtime' })
    expect(after.of('job.failed')).toEqual([])
  })

  it('by an eviction is gone, also where nobody was connected', async () => {
    const { restart } = processes()
    const first = restart()
    for (const isConnected of [true, false]) {
      const before = await first.raw({ open: openAs('ada') })
      before.send('tool.invoke', { tool: 'stuck' })
      await first.settle()
      if (!isConnected) before.close()
      await first.settle()
      first.runtime.evict(sessionOf(before))
      await first.settle()
      expect(first.runtime.sessions).toEqual([])
      const after = await first.raw({ open: openAs('ada') })
      after.send('resume', {}, { session_id: sessionOf(before) })
      await first.settle()
      expect(after.last('nack').payload).toMatchObject({ code: 'DATA_LOSS' })
      after.send('session.close')
      await first.settle()
      first.runtime.evict(sessionOf(after))
      await first.settle()
    }
  })
})

describe('the log of a session', () => {
  it('holds no token', async () => {
    const { log, restart } = processes({ auth: { bearer: () => 'ada', challenge: true } })
    const { raw, settle } = restart()
    const secret = 'a-token-that-nobody-may-read'
    const client = await raw({ open: openAs(secret) })
    client.send('session.authenticate', {
      response: secret,
      challenge: client.last('session.challenge').payload.challenge,
    })
    await settle()
    client.send('tool.invoke', { tool: 'done', arguments: { n: 1 } })
    await settle()
    expect(client.of('tool.result')).toHaveLength(1)
    expect(log.texts().length).toBeGreaterThan(4)
    expect(log.texts().join('\n')).not.toContain(secret)
    expect(client.frames.join('\n')).not.toContain(secret)
  })
})

describe('an artifact whose process has died', () => {
  it('is kept by the process that resumes its session until it expires, and counts among its bytes', async () => {
    const { restart, log } = processes({ artifacts: { maxBytes: 10 } })
    const first = restart()
    const before = await first.raw({ open: openAs('ada') })
    before.send('artifact.put', { media_type: 'text/plain', data: btoa('Hello'), ttl_seconds: 60 })
    // The digest is made outside of the clock of the test.
    await until(() => before.of('artifact.ref').length > 0)
    const { artifact_id } = before.last('artifact.ref').payload

    const second = restart()
    const after = await second.raw({ open: openAs('ada') })
    after.send('resume', {}, { session_id: sessionOf(before) })
    await second.settle()
    after.send('artifact.put', { media_type: 'text/plain', data: btoa('Hello!') })
    after.send('artifact.fetch', { artifact_id })
    await until(() => after.of('artifact.put').length > 0)
    expect(after.last('nack').payload).toMatchObject({ code: 'RESOURCE_EXHAUSTED' })
    expect(after.last('artifact.put').payload).toMatchObject({ artifact_id, data: btoa('Hello') })

    await second.pass(60_000)
    after.send('artifact.fetch', { artifact_id })
    await second.settle()
    expect(after.last('nack').payload).toMatchObject({ code: 'NOT_FOUND' })
    expect(await log.find(`arcp:artifact:${artifact_id}`)).toEqual({ state: 'expired' })
    await second.runtime.close()
    expect(second.environment.clock.pending).toBe(0)
  })
})

describe('a subscription to sessions whose process has died', () => {
  const filter = { types: ['job.completed', 'job.failed'] }
  const shown = (client: RawClient): string[] =>
    client.of('subscribe.event').map(({ payload }) => {
      // An event is a message.
      const { type, payload: inner } = payload.event as unknown as { type: string; payload: { name?: string } }
      return inner.name ?? type
    })

  it('shows what they logged before it is complete, and what becomes of their jobs', async () => {
    const { restart } = processes()
    const first = restart()
    const before = await first.raw({ open: openAs('ada') })
    before.send('tool.invoke', { tool: 'done', arguments: { n: 1 } })
    before.send('tool.invoke', { tool: 'stuck' })
    await first.settle()

    const second = restart()
    const [ada, bob] = [await second.raw({ open: openAs('ada') }), await second.raw({ open: openAs('bob') })]
    for (const client of [ada, bob]) client.send('subscribe', { filter, since: { after_message_id: '' } })
    await second.settle()
    expect(shown(ada)).toEqual(['job.completed', 'job.failed', 'subscription.backfill_complete'])
    expect(shown(bob)).toEqual(['subscription.backfill_complete'])
  })

  it('shows them also where they are found later, and nothing twice', async () => {
    const { restart } = processes()
    const first = restart()
    const before = await first.raw()
    before.send('tool.invoke', { tool: 'done', arguments: { n: 1 } })
    before.send('tool.invoke', { tool: 'stuck' })
    await first.settle()

    const second = restart()
    const after = await second.raw()
    after.send('subscribe', { filter, since: { after_message_id: '' } })
    await second.settle()
    // Nobody lists anonymous sessions: this one is found by its id alone.
    expect(shown(after)).toEqual(['subscription.backfill_complete'])
    after.send('resume', {}, { session_id: sessionOf(before) })
    await second.settle()
    after.send('resume', {}, { session_id: sessionOf(before) })
    await second.settle()
    expect(shown(after).slice(1).toSorted()).toEqual(['job.completed', 'job.failed'])
  })

  it('may name one of their jobs, and is refused later while their process may be alive, for unknown jobs too', async () => {
    for (const isAlive of [false, true]) {
      const { log, restart } = processes()
      const first = restart()
      const before = await first.raw({ open: openAs('ada') })
      before.send('tool.invoke', { tool: 'done', arguments: { n: 1 } })
      await first.settle()
      if (isAlive) log.crash = () => undefined

      const second = restart()
      const [ada, bob] = [await second.raw({ open: openAs('ada') }), await second.raw({ open: openAs('bob') })]
      for (const job of [before.last('job.accepted').job_id, 'job_unknown'])
        for (const client of [ada, bob])
          client.send('subscribe', { filter: { ...filter, job_id: [job] }, since: { after_message_id: '' } })
      await second.pass(isAlive ? 3_000 : 0)
      const codes = [ada, bob].map((client) => client.of('nack').map(({ payload }) => payload.code))
      expect(codes).toEqual([
        isAlive ? ['UNAVAILABLE', 'UNAVAILABLE'] : ['PERMISSION_DENIED'],
        ['PERMISSION_DENIED', 'PERMISSION_DENIED'],
      ])
      expect(shown(ada)).toEqual(isAlive ? [] : ['job.completed', 'subscription.backfill_complete'])
    }
  })
})
