import { beforeAll, describe, expect, it } from 'vitest'
import type { ArcpMessage } from '../../src/protocols/arcp/read/message.ts'
import { ArcpFault } from '../../src/runtime/session/arcp-fault.ts'
import { createArcpRuntime } from '../../src/runtime/arcp-runtime.ts'
import { loadArcpOnDemand } from '../support/load-arcp-on-demand.ts'
import { serve, typesOf } from './served-runtime.ts'

// What the client loads on demand is there.
beforeAll(() => Promise.all([loadArcpOnDemand(), import('../../src/protocols/arcp/client/runtime-calls.ts')]))

describe('a tool of the runtime', () => {
  it('is invoked by the client, and gives what it returns', async () => {
    const { client, runtime, settle } = serve({ tools: { add: async ({ a, b }) => Number(a) + Number(b) } })
    const arcp = client()
    const messages: ArcpMessage[] = []
    const job = arcp.invoke('add', { a: 2, b: 3 }, { onMessage: (message) => messages.push(message) })
    await settle()
    expect(await job.result).toEqual({ value: 5 })
    // What reports the end a second time comes after it.
    expect(typesOf(messages)).toEqual(['job.accepted', 'job.started', 'tool.result'])
    expect(arcp.getState().jobs.get(await job.accepted)).toMatchObject({ state: 'completed', tool: 'add' })
    expect(arcp.getState().session).toMatchObject({ phase: 'accepted', runtime: { kind: 'capstan' } })
    arcp.close()
    await runtime.close()
  })

  it('streams what an async generator yields, text as text and the rest as events', async () => {
    const { client, settle } = serve({
      tools: {
        async *tell() {
          yield 'Rivers '
          yield { width: 3 }
          yield 'meander.'
          return 'done'
        },
      },
    })
    const arcp = client()
    const { result } = arcp.invoke('tell')
    await settle()
    expect(await result).toEqual({ value: 'done' })
    const streams = [...arcp.getState().streams.values()]
    expect(streams).toMatchObject([
      { kind: 'text', text: 'Rivers meander.', state: 'closed' },
      { kind: 'event', chunks: 1, state: 'closed' },
    ])
    arcp.close()
  })

  it('reports progress, logs, tokens and cost', async () => {
    const { client, settle } = serve({
      tools: {
        work: async (_given, { progress, log, usage, metric }) => {
          progress({ percent: 25, message: 'a quarter' })
          log('info', 'found one', { id: 1 })
          usage({ inputTokens: 7, outputTokens: 5, cost: 0.25 })
          metric('rivers', 3)
        },
      },
    })
    const arcp = client()
    const job = arcp.invoke('work')
    await settle()
    expect(await job.result).toEqual({})
    expect(arcp.getState().jobs.get(await job.accepted)).toMatchObject({
      percent: 25,
      message: 'a quarter',
      logs: [{ level: 'info', message: 'found one', attributes: { id: 1 } }],
      usage: { inputTokens: 7, outputTokens: 5, cost: 0.25 },
    })
    expect([...arcp.getState().metrics.values()].find(({ name }) => name === 'rivers')).toMatchObject({ sum: 3 })
    arcp.close()
  })

  it('fails under the code that it throws, and says nothing of any other error', async () => {
    const { client, environment, settle } = serve({
      tools: {
        missing: async () => {
          throw new ArcpFault('NOT_FOUND', 'There is no such city.', { details: { city: 'Ys' } })
        },
        broken: async () => {
          throw new Error('password is hunter2')
        },
      },
    })
    const arcp = client()
    const missing = arcp.invoke('missing').result.catch((error: unknown) => error)
    const broken = arcp.invoke('broken').result.catch((error: unknown) => error)
    await settle()
    expect(await missing).toMatchObject({ agentCode: 'NOT_FOUND', code: 'not_found', details: { city: 'Ys' } })
    expect(await broken).toMatchObject({ agentCode: 'INTERNAL', message: 'The tool has failed.' })
    expect(environment.reports).toMatchObject([{ message: 'password is hunter2' }])
    arcp.close()
  })

  it('is refused where there is none of the name, or its arguments do not fit', async () => {
    const { client, settle } = serve({
      tools: { square: { run: async ({ n }) => Number(n) ** 2, schema: { type: 'object', required: ['n'] } } },
    })
    const arcp = client()
    const none = arcp.invoke('toString').result.catch((error: unknown) => error)
    const wrong = arcp.invoke('square').result.catch((error: unknown) => error)
    const right = arcp.invoke('square', { n: 3 }).result
    await settle()
    expect(await none).toMatchObject({ agentCode: 'UNIMPLEMENTED' })
    expect(await wrong).toMatchObject({ agentCode: 'INVALID_ARGUMENT' })
    expect(await right).toEqual({ value: 9 })
    arcp.close()
  })

  it('is told to stop when its job is cancelled, and what it does after that is not heard', async () => {
    const reasons: unknown[] = []
    const { client, environment, settle } = serve({
      tools: {
        wait: (_given, { signal, progress }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              reasons.push(signal.reason)
              progress({ percent: 99 })
              reject(new Error('stopped'))
            })
          }),
      },
    })
    const arcp = client()
    const job = arcp.invoke('wait')
    job.result.catch(() => undefined)
    await settle()
    const id = await job.accepted
    const stopped = arcp.cancelJob(id)
    await settle()
    expect(await stopped).toEqual({ result: 'accepted' })
    expect(arcp.getState().jobs.get(id)).toMatchObject({ state: 'cancelled', cancelled: { source: 'client' } })
    expect(arcp.getState().jobs.get(id)?.percent).toBeUndefined()
    expect(reasons).toMatchObject([{ code: 'CANCELLED' }])
    expect(environment.reports).toEqual([])
    const again = arcp.cancelJob(id)
    await settle()
    expect(await again).toEqual({ result: 'too-late' })
    arcp.close()
  })
})

describe('an option of the runtime', () => {
  it('is refused where it cannot work', () => {
    expect(() => createArcpRuntime({ tools: {}, heartbeatSeconds: 0 })).toThrow('heartbeatSeconds is 0')
    expect(() => createArcpRuntime({ tools: {}, auth: { signedJwt: { secret: 'short' } } })).toThrow('HS256 needs 32')
  })
})
