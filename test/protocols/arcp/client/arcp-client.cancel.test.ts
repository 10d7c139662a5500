import { beforeAll, describe, expect, it } from 'vitest'
import { backoff } from '../../../../src/base/backoff.ts'
import { ArcpClient, toolClient } from '../../../../src/protocols/arcp/client/arcp-client.ts'
import type { ArcpRuntimeOptions } from '../../../../src/runtime/connection/runtime-core.ts'
import { createChat } from '../../../../src/state/chat.ts'
import { promptsOf } from '../../../../src/state/prompts.ts'
import { type DuplexTransport, connectionLost } from '../../../../src/wire/duplex-transport.ts'
import { memoryTransport } from '../../../../src/wire/memory-transport.ts'
import { serve } from '../../../runtime/served-runtime.ts'
import type { Served } from '../../../runtime/served-runtime.ts'
import { createDialectRuntime, DIALECT_TOKEN } from '../../../support/arcp-dialect-runtime.ts'
import { loadArcpOnDemand } from '../../../support/load-arcp-on-demand.ts'
import { createManualEnvironment } from '../../../support/manual-environment.ts'
import { createRandomUuid } from '../../../support/random-uuid.ts'

beforeAll(loadArcpOnDemand)

interface StubbornTool {
  readonly tools: ArcpRuntimeOptions['tools']
  /** Lets the tool return. */
  release(): void
}

/** A tool that does not look at its signal. */
function stubborn(): StubbornTool {
  let release = (): void => undefined
  const tool = (): Promise<string> =>
    new Promise((resolve) => {
      release = () => resolve('done anyway')
    })
  return { tools: { tool }, release: () => release() }
}

async function pass(served: Served, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) await served.pass(1_000)
}

const bearer = async (token: string): Promise<{ id: string }> => ({ id: token })
const auth = { scheme: 'bearer', token: 'ada' } as const

describe('the cancel of a job', () => {
  it('is confirmed when the tool has returned, and not before', async () => {
    const { tools, release } = stubborn()
    const served = serve({ tools })
    const arcp = served.client()
    const job = arcp.invoke('tool')
    await served.settle()
    const known: string[] = []
    const result = job.result.catch((error: unknown) => error)
    void job.cancel().then((stop) => known.push(stop))
    await served.pass(1_500)
    expect(known).toEqual([])
    release()
    await served.settle()
    expect(known).toEqual(['cancelled'])
    expect(await result).toMatchObject({ agentCode: 'CANCELLED' })
    arcp.close()
  })

  it('is left when the tool has not returned in time, also for who asks again and for a page that was reloaded', async () => {
    const { tools, release } = stubborn()
    const served = serve({ tools, auth: { bearer } })
    const arcp = served.client({ auth })
    const job = arcp.invoke('tool')
    await served.settle()
    const result = job.result.catch((error: unknown) => error)
    const stop = job.cancel()
    await pass(served, 2)
    expect(await stop).toBe('left')
    expect(await result).toMatchObject({ agentCode: 'ABORTED' })
    const id = await job.accepted
    expect(arcp.getState().jobs.get(id)).toMatchObject({ state: 'failed', error: { code: 'ABORTED' } })
    await expect(arcp.cancelJob(id)).rejects.toMatchObject({ agentCode: 'ABORTED', severity: 'FATAL' })
    const reloaded = served.client({ auth })
    const again = reloaded.cancelJob(id)
    await served.settle()
    expect(await again).toEqual({ result: 'unsupported' })
    release()
    await served.settle()
    const later = reloaded.cancelJob(id)
    await served.settle()
    expect(await later).toEqual({ result: 'too-late' })
    for (const client of [arcp, reloaded]) client.close()
  })

  it('is left when the runtime has accepted it and says nothing more', async () => {
    const { tools } = stubborn()
    const served = serve({ tools, cancelTimeoutMs: 3_600_000 })
    const arcp = served.client()
    const messages: string[] = []
    arcp.onMessage(({ type }) => messages.push(type))
    const job = arcp.invoke('tool')
    job.result.catch(() => undefined)
    await served.settle()
    const stop = job.cancel()
    await pass(served, 15)
    expect(messages).toContain('cancel.accepted')
    expect(await stop).toBe('left')
    arcp.close()
  })

  it('is left when the job was abandoned before, without a sign of its tool', async () => {
    const forever = (): Promise<never> => new Promise(() => undefined)
    const served = serve({ tools: { tool: { heartbeat: 'tool', run: forever } }, heartbeatSeconds: 1 })
    const arcp = served.client()
    const job = arcp.invoke('tool')
    const result = job.result.catch((error: unknown) => error)
    await pass(served, 3)
    expect(await result).toMatchObject({ agentCode: 'HEARTBEAT_LOST' })
    expect(await job.cancel()).toBe('left')
    arcp.close()
  })

  it('is refused when the runtime does not know the job: another process may be working on it', async () => {
    const served = serve({ tools: {} })
    const arcp = served.client()
    const told = arcp.cancelJob('job_x').catch((error: unknown) => error)
    await served.settle()
    expect(await told).toMatchObject({ code: 'not_found', severity: 'FATAL' })
    arcp.close()
  })

  it('is shown as left in a chat whose tool has not returned', async () => {
    const { tools } = stubborn()
    const served = serve({ tools })
    const arcp = served.client()
    const client = toolClient(arcp, { tool: 'tool', toArguments: () => ({}) })
    const chat = createChat({ client: () => client, conversationId: 'c1' })
    void chat.sendMessage('Go.')
    await served.settle()
    const stop = chat.stop()
    await pass(served, 2)
    expect(await stop).toBe('left')
    expect(chat.getSnapshot().messages.at(-1)).toMatchObject({ status: 'stopped', stop: 'left' })
    arcp.close()
  })

  it('in dialect 1.1 is left when the runtime has acknowledged it and the job continues', async () => {
    const environment = { ...createManualEnvironment(), uuid: createRandomUuid() }
    const runtime = createDialectRuntime({ ignoresCancel: true })
    const settle = async (ms = 0): Promise<void> => {
      await environment.clock.advance(ms)
      for (let turn = 0; turn < 8; turn++) await environment.clock.advance(0)
    }
    const arcp = new ArcpClient({
      dialect: '1.1',
      transport: runtime.transport,
      environment,
      auth: { scheme: 'bearer', token: DIALECT_TOKEN },
    })
    const job = arcp.invoke('search')
    job.result.catch(() => undefined)
    await settle()
    const stop = job.cancel()
    for (let second = 0; second < 15; second++) await settle(1_000)
    expect(await stop).toBe('left')
    expect(arcp.getState().jobs.get(await job.accepted)).toMatchObject({ state: 'running' })
    arcp.close()
  })
})

describe('a command about a job of an anonymous session whose connection was abandoned', () => {
  async function broken(tools: ArcpRuntimeOptions['tools']) {
    const served = serve({ tools })
    const inner = memoryTransport(served.runtime.accept)
    let isDown = false
    const transport: DuplexTransport = {
      connect: (options) => (isDown ? Promise.reject(connectionLost('No connection.')) : inner.connect(options)),
    }
    const arcp = served.client({ transport, retry: backoff({ maxAttempts: 2, baseMs: 100, capMs: 100 }) })
    const client = toolClient(arcp, { tool: 'tool', toArguments: () => ({}) })
    const chat = createChat({ client: () => client, conversationId: 'c1' })
    void chat.sendMessage('Go.')
    await served.settle()
    isDown = true
    served.runtime.disconnect()
    await pass(served, 5)
    expect(chat.getSnapshot().status).toBe('error')
    isDown = false
    return { served, arcp, chat }
  }

  it('answers its question', async () => {
    const answers: unknown[] = []
    const { served, arcp, chat } = await broken({
      tool: async (_given, { requestPermission }) => {
        await requestPermission({ permission: 'fs.write', resource: 'notes.txt', operation: 'write' }).then(
          () => answers.push('granted'),
          () => answers.push('denied'),
        )
      },
    })
    const prompt = chat.getSnapshot().messages.flatMap(promptsOf)[0]
    const told = chat.answer(prompt?.id ?? '', { type: 'decline' })
    await pass(served, 2)
    expect(await told).toEqual({ status: 'accepted' })
    expect(answers).toEqual(['denied'])
    arcp.close()
  })

  it('cancels it', async () => {
    let isAborted = false
    const { served, arcp } = await broken({
      tool: (_given, { signal }) =>
        new Promise((resolve) =>
          signal.addEventListener('abort', () => {
            isAborted = true
            resolve('stopped')
          }),
        ),
    })
    const [id = ''] = arcp.getState().jobs.keys()
    const told = arcp.cancelJob(id)
    await pass(served, 2)
    expect(await told).toEqual({ result: 'accepted' })
    expect(isAborted).toBe(true)
    arcp.close()
  })
})
