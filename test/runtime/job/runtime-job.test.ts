import { describe, expect, it } from 'vitest'
import type { ArcpToolContext } from '../../../src/runtime/job/tool.ts'
import { OPEN, serve, typesOf } from '../served-runtime.ts'

const forever = (): Promise<never> => new Promise(() => undefined)

describe('the heartbeat of a job', () => {
  it('comes from the runtime at the shorter interval of both sides, and says when the job waits for the user', async () => {
    const { raw, pass, settle } = serve({
      tools: { ask: (_given, { askHuman }) => askHuman({ prompt: 'Which?', expiresInMs: 1e9 }) },
      heartbeatSeconds: 20,
    })
    const client = await raw({
      open: { ...OPEN, capabilities: { ...OPEN.capabilities, heartbeat_interval_seconds: 5 } },
    })
    client.send('tool.invoke', { tool: 'ask' })
    await settle()
    await pass(15_000)
    expect(client.of('job.heartbeat').map(({ payload }) => payload)).toEqual(
      [1, 2, 3].map((sequence) => ({ sequence, deadline_ms: 10_000, state: 'blocked' })),
    )
    // It is not taken for dead while it waits.
    await pass(3_600_000)
    expect(client.of('job.failed')).toEqual([])
  })

  it('that a tool has to give and does not ends the job after two intervals', async () => {
    let aborted: unknown
    let context: ArcpToolContext | undefined
    const { raw, pass, settle } = serve({
      tools: {
        external: {
          heartbeat: 'tool',
          run: (_given, given) => {
            context = given
            given.signal.addEventListener('abort', () => (aborted = given.signal.reason))
            return forever()
          },
        },
      },
      heartbeatSeconds: 10,
    })
    const client = await raw()
    client.send('tool.invoke', { tool: 'external' })
    await settle()
    await pass(15_000)
    context?.heartbeat()
    await pass(15_000)
    context?.progress({ percent: 1 })
    await pass(15_000)
    expect(client.of('job.failed')).toEqual([])
    await pass(10_000)
    expect(client.last('job.failed').payload).toMatchObject({ code: 'HEARTBEAT_LOST' })
    expect(client.of('tool.error')).toEqual([])
    expect(aborted).toMatchObject({ code: 'HEARTBEAT_LOST' })
  })
})

describe('the end of a job', () => {
  it('is told by the tool and by the job', async () => {
    const { raw, settle } = serve({
      tools: { good: async () => 1, bad: () => Promise.reject(new Error('no')) },
    })
    const client = await raw()
    for (const [tool, types] of [
      ['good', ['tool.result', 'job.completed']],
      ['bad', ['tool.error', 'job.failed']],
    ] as const) {
      const id = client.send('tool.invoke', { tool })
      await settle()
      const ended = client.got.filter(({ correlation_id: of }) => of === id)
      expect(typesOf(ended)).toEqual(['job.accepted', 'job.started', ...types])
    }
  })

  it('is the first one: what a tool gives after it was cancelled is not heard', async () => {
    let finish = (_value: unknown): void => undefined
    const { raw, settle, environment, runtime } = serve({
      tools: { wait: () => new Promise((resolve) => (finish = resolve)) },
    })
    const client = await raw()
    client.send('tool.invoke', { tool: 'wait' })
    await settle()
    client.send('cancel', { target: 'job', target_id: client.last('job.accepted').job_id })
    finish('too late')
    await settle()
    const ends = client.got.filter(({ type }) => /^(tool\.|job\.(cancelled|completed|failed))/.test(type))
    expect(ends).toHaveLength(2)
    expect(new Set(typesOf(ends))).toEqual(new Set(['tool.result', 'job.completed']))
    await runtime.close()
    expect(environment.clock.pending).toBe(0)
  })

  it('leaves an async generator where it is, and its last words are not sent', async () => {
    const did: string[] = []
    const { raw, settle, pass } = serve({
      tools: {
        async *tell(_given, { signal }) {
          try {
            yield 'one'
            await new Promise((resolve) => signal.addEventListener('abort', resolve))
            yield 'two'
            did.push('went on')
          } finally {
            did.push('cleaned up')
          }
        },
      },
    })
    const client = await raw()
    client.send('tool.invoke', { tool: 'tell' })
    await settle()
    client.send('cancel', { target: 'job', target_id: client.last('job.accepted').job_id })
    await pass(10)
    expect(did).toEqual(['cleaned up'])
    expect(client.of('stream.chunk')).toHaveLength(1)
    expect(client.last('stream.close').payload).toMatchObject({ reason: 'cancelled' })
  })
})

describe('a cancelled job', () => {
  const stubborn = (): { release: () => void; tool: () => Promise<string> } => {
    let release = (): void => undefined
    const tool = (): Promise<string> =>
      new Promise((resolve) => {
        release = () => resolve('done anyway')
      })
    return { release: () => release(), tool }
  }

  it('is reported as cancelled once its tool has returned, and not while it works', async () => {
    const { release, tool } = stubborn()
    const { raw, pass, settle, environment, runtime } = serve({ tools: { tool } })
    const client = await raw()
    client.send('tool.invoke', { tool: 'tool' })
    await settle()
    const cancel = { target: 'job', target_id: client.last('job.accepted').job_id }
    client.send('cancel', { ...cancel, reason: 'Enough.' })
    await pass(1_900)
    expect(client.of('cancel.accepted')).toHaveLength(1)
    expect(client.of('job.cancelled')).toEqual([])
    // Another cancel waits for the same end.
    client.send('cancel', cancel)
    await settle()
    expect(client.of('cancel.accepted')).toHaveLength(2)
    release()
    await settle()
    expect(client.of('job.cancelled').map(({ payload }) => payload)).toEqual([{ reason: 'Enough.', source: 'client' }])
    expect(client.of('tool.result')).toEqual([])
    client.send('cancel', cancel)
    await settle()
    expect(client.last('cancel.refused').payload).toMatchObject({ reason: 'already_terminal' })
    await runtime.close()
    expect(environment.clock.pending).toBe(0)
  })

  it.each([
    ['the limit of the runtime', {}, {}, 2_000],
    ['an own limit of the runtime', { cancelTimeoutMs: 500 }, {}, 500],
    ['the shorter limit of the client', {}, { deadline_ms: 300 }, 300],
    ['the limit of the runtime where the client allows more', {}, { deadline_ms: 9_000 }, 2_000],
  ])('fails with ABORTED when its tool has not returned within %s', async (_, options, members, limitMs) => {
    const { release, tool } = stubborn()
    const { raw, pass, settle } = serve({ tools: { tool }, ...options })
    const client = await raw()
    client.send('tool.invoke', { tool: 'tool' })
    await settle()
    const cancel = { target: 'job', target_id: client.last('job.accepted').job_id }
    client.send('cancel', { ...cancel, ...members })
    await pass(limitMs - 1)
    expect(client.of('job.failed')).toEqual([])
    await pass(1)
    expect(client.last('job.failed').payload).toMatchObject({ code: 'ABORTED', retryable: false })
    // Nobody is told that it has ended before its tool has.
    client.send('cancel', cancel)
    await settle()
    expect(client.last('cancel.refused').payload).toMatchObject({ reason: 'not_cancellable' })
    release()
    await settle()
    client.send('cancel', cancel)
    await settle()
    expect(client.last('cancel.refused').payload).toMatchObject({ reason: 'already_terminal' })
    expect(client.of('job.cancelled')).toEqual([])
    expect(client.of('tool.result')).toEqual([])
  })

  it('takes nothing more from its tool, and asks the user nothing more', async () => {
    let context: ArcpToolContext | undefined
    const { raw, settle, pass } = serve({
      tools: {
        tool: (_given, given) => {
          context = given
          return forever()
        },
      },
      heartbeatSeconds: 1,
    })
    const client = await raw()
    client.send('tool.invoke', { tool: 'tool' })
    await settle()
    const jobId = client.last('job.accepted').job_id
    client.send('cancel', { target: 'job', target_id: jobId })
    await settle()
    const before = client.got.length
    context?.progress({ percent: 50 })
    context?.heartbeat()
    await expect(context?.askHuman({ prompt: 'Still there?' })).rejects.toMatchObject({ code: 'CANCELLED' })
    client.send('interrupt', { target: 'job', target_id: jobId })
    await pass(1_500)
    expect(typesOf(client.got.slice(before))).toEqual(['nack'])
  })

  it('has failed when the runtime is closed before its tool has returned', async () => {
    const { raw, settle, runtime, environment } = serve({
      tools: {
        forever,
        polite: (_given, { signal }) => new Promise((resolve) => signal.addEventListener('abort', resolve)),
      },
    })
    const client = await raw()
    const ids = ['forever', 'polite'].map((tool) => client.send('tool.invoke', { tool }))
    await settle()
    await runtime.close()
    await settle()
    const endOf = (id: string | undefined) =>
      typesOf(
        client.got.filter(({ correlation_id: of, type }) => of === id && /^job\.(?:cancelled|failed)$/.test(type)),
      )
    expect(ids.map(endOf)).toEqual([['job.failed'], ['job.cancelled']])
    expect(environment.clock.pending).toBe(0)
  })
})
