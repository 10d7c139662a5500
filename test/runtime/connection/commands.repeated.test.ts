import { describe, expect, it } from 'vitest'
import type { ArcpTool } from '../../../src/runtime/job/tool.ts'
import { memoryEventLog } from '../../../src/server/event-log/memory-event-log.ts'
import type { RawClient } from '../served-runtime.ts'
import { OPEN, serve } from '../served-runtime.ts'

const auth = { bearer: (token: string): string => token }
const openAs = (token: string): object => ({ ...OPEN, auth: { scheme: 'bearer', token } })
const wait: ArcpTool = (_given, { signal }) => new Promise((resolve) => signal.addEventListener('abort', resolve))
/** How long a test waits for what it asserts: only a hang is a failure. */
const PATIENTLY = { timeout: 20_000 } as const

/** The answers to a message, without their own ids. */
const answersTo = (client: RawClient, id: string): unknown[] =>
  client.got
    .filter(({ correlation_id: answered, payload }) => answered === id || payload.ack_for === id)
    .map(({ type, payload }) => ({ type, payload }))

describe('a command that is refused and repeated under its id', () => {
  it('gets the same answer again, of every type', async () => {
    const { raw, settle } = serve({ tools: { wait }, auth, limits: { artifactBytes: 1 } })
    const client = await raw({ open: openAs('ada') })
    const none = 'does_not_exist'
    const commands: readonly (readonly [type: string, payload: object, members?: object])[] = [
      ['tool.invoke', { tool: none }],
      ['tool.invoke', { tool: 7 }],
      ['cancel', { target: 'job', target_id: none }],
      ['cancel', { target: 'stream', target_id: none }],
      ['interrupt', { target: 'job', target_id: none }],
      ['resume', {}, { session_id: none }],
      ['resume', { checkpoint_id: none }],
      ['backpressure', { desired_rate_per_second: 1 }, { stream_id: none }],
      ['lease.refresh', { lease_id: none, requested_seconds: 1 }],
      ['lease.revoked', { lease_id: none, reason: 'No' }],
      ['subscribe', { filter: { session_id: [none] } }],
      ['subscribe', { filter: { job_id: [none] } }],
      ['subscribe', { filter: { stream_id: [none] } }],
      ['subscribe', { filter: { colour: ['red'] } }],
      ['unsubscribe', { subscription_id: none }],
      ['artifact.put', { media_type: 'text/plain', data: '*' }],
      ['artifact.put', { media_type: 'text/plain', data: btoa('too long') }],
      ['artifact.fetch', { artifact_id: none }],
      ['artifact.release', { artifact_id: none }],
      ['job.schedule', { job: {}, when: { every: 'day' } }],
      ['agent.delegate', { target: none, task: none }],
      ['arcpx.acme.thing.v1', {}],
      ['tool.explode', {}],
      ['session.open', OPEN],
    ]
    for (const [at, [type, payload, members]] of commands.entries()) {
      const id = `refused-${at}`
      client.send(type, payload, { ...members, id })
      await expect.poll(() => answersTo(client, id).length, { ...PATIENTLY, message: type }).toBe(1)
      client.send(type, payload, { ...members, id })
      await expect.poll(() => answersTo(client, id).length, { ...PATIENTLY, message: type }).toBe(2)
      const [first, second] = answersTo(client, id)
      expect(second, type).toEqual(first)
      expect(JSON.stringify(first), type).toMatch(/nack|refused|rejected/)
    }
    await settle()
  })

  it('is not carried out when it could be by then, and is under another id', async () => {
    let runs = 0
    const { raw, settle } = serve({
      auth,
      limits: { jobs: 1, subscriptions: 1 },
      tools: { wait: (given, context) => ((runs += 1), wait(given, context)) },
    })
    const [ada, tab] = [await raw({ open: openAs('ada') }), await raw({ open: openAs('ada') })]
    const call = (client: RawClient, id: string): string => client.send('tool.invoke', { tool: 'wait' }, { id })
    const subscribe = (client: RawClient, id: string): string => client.send('subscribe', { filter: {} }, { id })
    call(ada, 'call-1')
    subscribe(ada, 'subscribe-1')
    await settle()
    for (const client of [ada, tab]) {
      call(client, 'call-2')
      subscribe(client, 'subscribe-2')
      await settle()
    }
    ada.send('cancel', { target: 'job', target_id: ada.last('job.accepted').job_id })
    ada.send('unsubscribe', { subscription_id: ada.last('subscribe.accepted').payload.subscription_id })
    await settle()
    for (const client of [ada, tab]) {
      call(client, 'call-2')
      subscribe(client, 'subscribe-2')
      await settle()
      for (const id of ['call-2', 'subscribe-2']) {
        const [first, ...more] = answersTo(client, id)
        expect(first, id).toMatchObject({ type: 'nack', payload: { code: 'RESOURCE_EXHAUSTED' } })
        expect(more, id).toEqual([first])
      }
    }
    expect(runs).toBe(1)
    call(tab, 'call-3')
    subscribe(tab, 'subscribe-3')
    await settle()
    expect(runs).toBe(2)
    expect(answersTo(tab, 'subscribe-3')).toMatchObject([{ type: 'subscribe.accepted' }])
  })

  it('does not take the id of a call that was accepted', async () => {
    const { raw, settle } = serve({ auth, tools: { echo: ({ n }) => n } })
    const ada = await raw({ open: openAs('ada') })
    for (const n of [1, 2, 1]) {
      ada.send('tool.invoke', { tool: 'echo', arguments: { n } }, { id: 'call' })
      await settle()
    }
    expect(ada.of('nack').map(({ payload }) => payload.code)).toEqual(['ALREADY_EXISTS'])
    expect(ada.of('job.accepted').map(({ correlation_id: id }) => id)).toEqual(['call', 'call'])
  })
})

it('subscribe that was accepted and is repeated under its id gives the same subscription, which shows each event once', async () => {
  const { raw, settle } = serve({ auth, tools: { echo: ({ n }) => n } })
  const [ada, tab] = [await raw({ open: openAs('ada') }), await raw({ open: openAs('ada') })]
  for (const client of [ada, ada, tab]) {
    client.send('subscribe', { filter: { types: ['tool.result'] } }, { id: 'subscribe' })
    await settle()
  }
  const ids = [ada, tab].map((client) =>
    client.of('subscribe.accepted').map(({ payload }) => String(payload.subscription_id)),
  )
  expect(ids.map((each) => each.length)).toEqual([2, 1])
  expect(new Set(ids[0]).size).toBe(1)
  expect(ids[1]).not.toContain(ids[0]?.[0])
  ada.send('tool.invoke', { tool: 'echo', arguments: { n: 1 } })
  await settle()
  expect([ada, tab].map((client) => client.of('subscribe.event').length)).toEqual([1, 1])
})

describe('a subscription to a job or a stream', () => {
  it('is accepted where the subscriber may see it, also after it has ended', async () => {
    const { raw, settle } = serve({
      auth,
      mayAccess: (viewer, owner) => viewer === 'admin' && owner === 'ada',
      log: memoryEventLog(),
      tools: {
        async read(_given, { stream }) {
          await stream('text').write('Hello')
        },
        wait(given, context) {
          context.stream('text')
          return wait(given, context)
        },
      },
    })
    const [ada, admin, bob] = [
      await raw({ open: openAs('ada') }),
      await raw({ open: openAs('admin') }),
      await raw({ open: openAs('bob') }),
    ]
    const codes = (client: RawClient): unknown[] => client.of('nack').map(({ payload }) => payload.code)
    for (const tool of ['read', 'wait']) {
      ada.send('tool.invoke', { tool })
      await settle()
      const [{ job_id: job }, { stream_id: stream }] = [ada.last('job.accepted'), ada.last('stream.open')]
      for (const filter of [{ job_id: [job] }, { stream_id: [stream] }, { job_id: [job], stream_id: [stream] }]) {
        for (const client of [ada, admin, bob]) client.send('subscribe', { filter, since: { after_message_id: '' } })
        await settle()
      }
      // One that is not visible is enough.
      ada.send('subscribe', { filter: { job_id: [job, 'job_unknown'] } })
      await settle()
    }
    expect([codes(admin), codes(ada), codes(bob)]).toEqual([
      [],
      Array(2).fill('PERMISSION_DENIED'),
      Array(6).fill('PERMISSION_DENIED'),
    ])
    expect(bob.of('subscribe.accepted')).toEqual([])
    for (const client of [ada, admin]) {
      expect(client.of('subscribe.accepted')).toHaveLength(6)
      const shown = client.of('subscribe.event').map(({ payload }) => payload.event as unknown as { type: string })
      expect(shown.filter(({ type }) => type === 'stream.open')).toHaveLength(6)
    }
  })
})
