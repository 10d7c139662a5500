import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createMemoryRuntime } from '../../support/arcp-memory-runtime.ts'
import { eventually } from '../../support/eventually.ts'

/** How often the code of rare messages was fetched, and how often that fails. */
const code = { asked: 0, fail: 0 }

beforeEach(() => {
  vi.resetModules()
  Object.assign(code, { asked: 0, fail: 0 })
  vi.doMock('../../../src/protocols/arcp/rare-messages.ts', async (original) => {
    code.asked += 1
    if (code.asked <= code.fail) throw new TypeError('Failed to fetch dynamically imported module')
    return original()
  })
})

let ids = 0
const frame = (type: string, payload: object): string =>
  JSON.stringify({ arcp: '1.0', id: `m${(ids += 1)}`, type, timestamp: '2026-03-01T08:15:00Z', payload })

const log = () => frame('log', { level: 'info', message: 'Ready' })
const ref = () => frame('artifact.ref', { artifact_id: 'a', media_type: 'text/plain' })

describe('frames', () => {
  it('of a job that streams text, logs and measures are read without the code of rare messages', async () => {
    const { readFrames } = await import('../../../src/protocols/arcp/handshake.ts')
    const messages = await readFrames([
      frame('job.accepted', { job_id: 'j' }),
      frame('stream.open', { kind: 'text' }),
      frame('stream.chunk', { sequence: 0, data: 'Rivers' }),
      frame('metric', { name: 'tokens.used', value: 3, unit: 'tokens' }),
      log(),
      frame('com.example.mood.v1', {}),
      frame('tool.result', { value: 1 }),
      '{"cut',
    ])
    expect(messages.map((message) => (message instanceof Error ? message.name : message.type))).toEqual([
      'job.accepted',
      'stream.open',
      'stream.chunk',
      'metric',
      'log',
      'extension',
      'tool.result',
      'SyntaxError',
    ])
    expect(code.asked).toBe(0)
  })

  it('keep their order where one needs the code, which is fetched once; what nobody knows stays a fault', async () => {
    const { readFrames } = await import('../../../src/protocols/arcp/handshake.ts')
    const frames = [log(), ref(), frame('cancel', {}), frame('artifact.lost', {}), log()]
    const messages = await readFrames(frames)
    expect(messages.map((message) => (message instanceof Error ? message.message : message.type))).toEqual([
      'log',
      'artifact.ref',
      'echo',
      'type "artifact.lost" is not of ARCP 1.0',
      'log',
    ])
    await readFrames(frames)
    expect(code.asked).toBe(1)
  })

  it('are all unread when the code cannot be fetched, and it is asked for again', async () => {
    code.fail = 1
    const { readFrames } = await import('../../../src/protocols/arcp/handshake.ts')
    const frames = [log(), ref()]
    await expect(readFrames(frames)).rejects.toMatchObject({ code: 'network_error', severity: 'TRANSIENT' })
    expect(await readFrames(frames)).toMatchObject([{ type: 'log' }, { type: 'artifact.ref' }])
  })
})

describe('a client', () => {
  async function connect() {
    const { ArcpClient } = await import('../../../src/protocols/arcp/client/arcp-client.ts')
    const { backoff } = await import('../../../src/base/backoff.ts')
    const { loadedRareMessages } = await import('../../../src/protocols/arcp/load-on-demand.ts')
    const runtime = createMemoryRuntime()
    const retry = backoff({ baseMs: 1, capMs: 1, maxAttempts: 5 })
    const arcp = new ArcpClient({ transport: runtime.transport, retry })
    return { runtime, arcp, loadedRareMessages }
  }

  it('fetches the code when it is made, and once its session is accepted where that failed', async () => {
    code.fail = 1
    const { runtime, arcp, loadedRareMessages } = await connect()
    await eventually(() => expect(code.asked).toBe(1))
    await arcp.connect()
    await eventually(() => expect(loadedRareMessages()).toBeDefined())
    expect(runtime.received.map(({ type }) => type)).toEqual(['session.open'])
    arcp.close()
  })

  it('loses no message when the code comes after one that needs it, on another connection', async () => {
    code.fail = 3
    const { runtime, arcp } = await connect()
    const types: string[] = []
    const handle = arcp.invoke('search', {}, { onMessage: ({ type }) => types.push(type) })
    await handle.accepted
    const job = runtime.jobs.get('job_1')
    job?.say('Rivers ')
    job?.emit('human.input.request', { prompt: 'Which?' })
    job?.say('meander.')
    await eventually(() => expect([...arcp.getState().streams.values()]).toMatchObject([{ text: 'Rivers meander.' }]))
    expect(types.filter((type) => type.startsWith('human') || type === 'stream.chunk')).toEqual([
      'stream.chunk',
      'human.input.request',
      'stream.chunk',
    ])
    expect([...arcp.getState().prompts.values()]).toMatchObject([{ kind: 'input', state: 'open' }])
    expect(runtime.sockets).toBeGreaterThan(1)
    job?.end({ found: 1 })
    expect(await handle.result).toEqual({ value: { found: 1 } })
    arcp.close()
  })
})
