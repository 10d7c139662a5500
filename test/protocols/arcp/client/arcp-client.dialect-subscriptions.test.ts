import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ArcpClient } from '../../../../src/protocols/arcp/client/arcp-client.ts'
import type { ArcpMessage } from '../../../../src/protocols/arcp/read/message.ts'
import type { DialectRuntime, DialectRuntimeOptions } from '../../../support/arcp-dialect-runtime.ts'
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

function newClient(token: string = DIALECT_TOKEN): ArcpClient {
  const env = { ...environment, uuid: createRandomUuid() }
  return new ArcpClient({
    dialect: '1.1',
    transport: runtime.transport,
    environment: env,
    auth: { scheme: 'bearer', token },
  })
}

function start(options: DialectRuntimeOptions = {}): void {
  environment = createManualEnvironment()
  runtime = createDialectRuntime(options)
  arcp = newClient()
}

beforeEach(() => start())

async function settle(): Promise<void> {
  for (let turn = 0; turn < 8; turn++) await settleOnce()
}

async function pass(ms: number): Promise<void> {
  await environment.clock.advance(ms)
  await settle()
}

const words = (messages: readonly ArcpMessage[]) =>
  messages.flatMap((message) => (message.type === 'log' ? [message.payload.message] : []))

describe('a subscription to a job of another session', () => {
  it.each([true, false])(
    'tells its history, then what it says, over a cut, once (history first: %s)',
    async (historyFirst) => {
      start({ historyFirst })
      const job = runtime.begin('search')
      job.emit('log', { level: 'info', message: 'one' })
      const messages: ArcpMessage[] = []
      let backfilled = -1
      const subscription = arcp.subscribe(
        { job_id: [job.id] },
        {
          after: '',
          onMessage: (message) => messages.push(message),
          onBackfilled: () => (backfilled = messages.length),
        },
      )
      await settle()
      expect(await subscription.accepted).toContain(job.id)
      expect(backfilled).toBe(messages.length)
      job.emit('log', { level: 'info', message: 'two' })
      await settle()
      runtime.expire()
      job.emit('log', { level: 'info', message: 'three' })
      await pass(20_000)
      job.end({ result: 7 })
      await settle()
      expect(words(messages)).toEqual(['one', 'two', 'three'])
      expect(messages.at(-1)).toMatchObject({ type: 'job.completed', payload: { value: 7 } })
      // It is the job of others.
      expect(arcp.getState().jobs.size).toBe(0)
      expect(arcp.getState().subscriptions.size).toBeGreaterThan(0)
      subscription.close()
      await settle()
      expect(runtime.of('job.unsubscribe')).toHaveLength(1)
    },
  )

  it('without history tells what is said from now on', async () => {
    const job = runtime.begin('search')
    job.emit('log', { level: 'info', message: 'one' })
    const messages: ArcpMessage[] = []
    arcp.subscribe({ job_id: [job.id] }, { onMessage: (message) => messages.push(message) })
    await settle()
    job.emit('log', { level: 'info', message: 'two' })
    await settle()
    expect(words(messages)).toEqual(['two'])
  })

  it('gives no right to cancel: that is refused, and the job continues', async () => {
    const job = runtime.begin('search')
    const messages: ArcpMessage[] = []
    arcp.subscribe({ job_id: [job.id] }, { after: '', onMessage: (message) => messages.push(message) })
    await settle()
    const told = arcp.cancelJob(job.id)
    await settle()
    expect(await told).toEqual({ result: 'unsupported' })
    job.emit('log', { level: 'info', message: 'still here' })
    await settle()
    expect(words(messages)).toEqual(['still here'])
    const unknown = arcp.cancelJob('job_x').catch((error: unknown) => error)
    await settle()
    expect(await unknown).toMatchObject({ code: 'not_found', severity: 'FATAL' })
  })

  it('is refused to others, of a job that nobody knows, and of anything but one job', async () => {
    const job = runtime.begin('search')
    const bob = newClient('token-of-bob')
    const onMessage = (): void => undefined
    const asked = [
      bob.subscribe({ job_id: [job.id] }, { onMessage }).accepted,
      bob.subscribe({ job_id: ['job_x'] }, { onMessage }).accepted,
      arcp.subscribe({ types: ['log'] }, { onMessage }).accepted,
      arcp.subscribe({ job_id: [job.id, 'job_y'] }, { onMessage }).accepted,
    ]
    await settle()
    const told = await Promise.allSettled(asked)
    expect(told).toMatchObject(
      ['PERMISSION_DENIED', 'JOB_NOT_FOUND', 'UNIMPLEMENTED', 'UNIMPLEMENTED'].map((agentCode) => ({
        status: 'rejected',
        reason: { agentCode },
      })),
    )
    expect(runtime.of('job.subscribe')).toHaveLength(2)
  })

  it('to a job of this client reports it beside the job itself, and asks the runtime for nothing', async () => {
    arcp.invoke('search')
    await settle()
    const [job] = [...runtime.jobs.values()]
    job?.emit('log', { level: 'info', message: 'one' })
    await settle()
    const messages: ArcpMessage[] = []
    arcp.subscribe({ job_id: [job?.id ?? ''] }, { after: '', onMessage: (message) => messages.push(message) })
    await settle()
    job?.emit('log', { level: 'info', message: 'two' })
    await settle()
    expect(words(messages)).toEqual(['one', 'two'])
    expect(
      arcp
        .getState()
        .jobs.get(job?.id ?? '')
        ?.logs.map(({ message }) => message),
    ).toEqual(['one', 'two'])
    expect(runtime.of('job.subscribe')).toEqual([])
  })
})

describe('a list of jobs', () => {
  it('is given with what the runtime says of each', async () => {
    runtime.begin('search')
    runtime.begin('survey').end()
    const list = arcp.listJobs({ status: ['running'], createdAfter: '2026-01-01T00:00:00Z', limit: 10 })
    await settle()
    expect(await list).toEqual({
      jobs: [
        expect.objectContaining({ agent: 'search', status: 'running', lease: {} }),
        expect.objectContaining({ agent: 'survey', status: 'success' }),
      ],
      nextCursor: undefined,
    })
    expect(runtime.of('session.list_jobs')[0]?.payload).toEqual({
      filter: { status: ['running'], created_after: '2026-01-01T00:00:00Z' },
      limit: 10,
    })
  })

  it('is not asked for where the session has no such lists', async () => {
    start({ features: ['heartbeat'] })
    const list = arcp.listJobs()
    list.catch(() => undefined)
    await settle()
    await expect(list).rejects.toMatchObject({ agentCode: 'UNIMPLEMENTED' })
    expect(runtime.of('session.list_jobs')).toEqual([])
  })
})

describe('what was taken', () => {
  it('is acknowledged a while later, and only where both sides know the word', async () => {
    for (const features of [undefined, ['heartbeat']]) {
      start(features === undefined ? {} : { features })
      arcp.invoke('search')
      await settle()
      const [job] = [...runtime.jobs.values()]
      job?.emit('log', { level: 'info', message: 'one' })
      await settle()
      expect(runtime.of('session.ack')).toEqual([])
      await pass(500)
      job?.emit('log', { level: 'info', message: 'two' })
      await pass(500)
      const acks = runtime.of('session.ack').map(({ payload }) => payload.last_processed_seq)
      expect(acks).toEqual(features === undefined ? [2, 3] : [])
    }
  })

  it('is not asked about by pings where the runtime knows none', async () => {
    start({ features: [] })
    const handle = arcp.invoke('search')
    await settle()
    await pass(1_000)
    const [job] = [...runtime.jobs.values()]
    job?.end({ result: 1 })
    await pass(60_000)
    expect(await handle.result).toEqual({ value: 1 })
    expect(runtime.of('session.ping')).toEqual([])
  })
})
