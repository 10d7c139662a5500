import { describe, expect, it } from 'vitest'
import type { ArcpTool } from '../../src/runtime/job/tool.ts'
import { createArcpRuntime } from '../../src/runtime/arcp-runtime.ts'
import type { ArcpRuntimeOptions } from '../../src/runtime/connection/runtime-core.ts'
import type { RawClient, Wire } from './served-runtime.ts'
import { OPEN, serve } from './served-runtime.ts'

const auth: ArcpRuntimeOptions['auth'] = { none: true, bearer: (token) => token }
const openAs = (token: string): object => ({ ...OPEN, auth: { scheme: 'bearer', token } })
/** How long a test waits for what it asserts: only a hang is a failure. */
const PATIENTLY = { timeout: 20_000 } as const
const sessionOf = (client: RawClient): string => String(client.last('session.accepted').session_id)
const codes = (client: RawClient): unknown[] => client.of('nack').map(({ payload }) => payload.code)

describe('the limits of a principal', () => {
  it('bound its running jobs, on all its connections, and no others', async () => {
    const wait: ArcpTool = (_given, { signal }) => new Promise((resolve) => signal.addEventListener('abort', resolve))
    const { raw, settle } = serve({ tools: { wait }, auth, limits: { jobs: 2 } })
    const [ada, tab, bob] = [
      await raw({ open: openAs('ada') }),
      await raw({ open: openAs('ada') }),
      await raw({ open: openAs('bob') }),
    ]
    ada.send('tool.invoke', { tool: 'wait' })
    tab.send('tool.invoke', { tool: 'wait' })
    const refused = tab.send('tool.invoke', { tool: 'wait' })
    bob.send('tool.invoke', { tool: 'wait' })
    await settle()
    expect(tab.last('nack')).toMatchObject({
      correlation_id: refused,
      payload: { code: 'RESOURCE_EXHAUSTED', retryable: true, details: { limit: 2 } },
    })
    expect(tab.last('nack').payload.message).toContain('cancel one')
    expect([codes(ada), codes(bob)]).toEqual([[], []])
    ada.send('cancel', { target: 'job', target_id: ada.last('job.accepted').job_id })
    await settle()
    tab.send('tool.invoke', { tool: 'wait' })
    await settle()
    expect(tab.of('job.accepted')).toHaveLength(2)
  })

  it('bound its open subscriptions, which unsubscribing and leaving free', async () => {
    const { raw, settle } = serve({ tools: {}, auth, limits: { subscriptions: 2 } })
    const [ada, tab, bob] = [
      await raw({ open: openAs('ada') }),
      await raw({ open: openAs('ada') }),
      await raw({ open: openAs('bob') }),
    ]
    for (const client of [ada, tab, tab, bob]) {
      client.send('subscribe', { filter: {} })
      await settle()
    }
    expect([codes(ada), codes(tab), codes(bob)]).toEqual([[], ['RESOURCE_EXHAUSTED'], []])
    expect(tab.last('nack').payload.message).toContain('unsubscribe')
    ada.close()
    await settle()
    tab.send('subscribe', { filter: {} })
    await settle()
    tab.send('unsubscribe', { subscription_id: tab.last('subscribe.accepted').payload.subscription_id })
    tab.send('subscribe', { filter: {} })
    await settle()
    expect(tab.of('subscribe.accepted')).toHaveLength(3)
    expect(codes(tab)).toHaveLength(1)
  })

  it('bound the bytes of its artifacts, which releasing and expiring free', async () => {
    const { raw, settle, pass } = serve({ tools: {}, auth, limits: { artifactBytes: 8 } })
    const [ada, bob] = [await raw({ open: openAs('ada') }), await raw({ open: openAs('bob') })]
    const put = async (client: RawClient): Promise<void> => {
      const { length } = client.got
      client.send('artifact.put', { media_type: 'text/plain', data: btoa('12345'), ttl_seconds: 60 })
      // The platform takes its time for the digest.
      await expect.poll(() => client.got.length, PATIENTLY).toBe(length + 1)
    }
    await put(ada)
    await put(ada)
    await put(bob)
    expect([codes(ada), codes(bob)]).toEqual([['RESOURCE_EXHAUSTED'], []])
    expect(ada.last('nack').payload.message).toContain('Release')
    ada.send('artifact.release', { artifact_id: ada.last('artifact.ref').payload.artifact_id })
    await settle()
    await put(ada)
    await pass(60_001)
    await put(ada)
    expect(ada.of('artifact.ref')).toHaveLength(3)
    expect(codes(ada)).toHaveLength(1)
  })

  it.each(['jobs', 'subscriptions', 'artifactBytes'])('have to be numbers above 0: %s', (name) => {
    for (const value of [0, -1, NaN])
      expect(() => createArcpRuntime({ tools: {}, limits: { [name]: value } })).toThrow(
        expect.objectContaining({ code: 'invalid_config', message: expect.stringContaining(`limits.${name}`) }),
      )
  })
})

describe('a principal with the name of an anonymous session', () => {
  it('is not that session: it reaches none of its jobs, artifacts, events and replies', async () => {
    let runs = 0
    const { raw, settle } = serve({
      tools: { count: () => (runs += 1) },
      auth,
      limits: { subscriptions: 1 },
      mayAccess: (principal, owner) => principal === owner,
    })
    const nobody = await raw()
    const named = `anonymous:${sessionOf(nobody)}`
    const thief = await raw({ open: openAs(named) })
    const call = { tool: 'count' }
    const key = { id: 'call-1', idempotency_key: 'key-1' }
    nobody.send('subscribe', { filter: {} })
    thief.send('subscribe', { filter: {} })
    nobody.send('tool.invoke', call, key)
    await settle()
    thief.send('tool.invoke', call, key)
    nobody.send('artifact.put', { media_type: 'text/plain', data: btoa('secret') }, { id: 'put-1' })
    thief.send('artifact.put', { media_type: 'text/plain', data: btoa('other') }, { id: 'put-1' })
    for (const client of [nobody, thief]) await expect.poll(() => client.of('artifact.ref').length, PATIENTLY).toBe(1)
    expect(runs).toBe(2)
    expect(thief.last('tool.result').payload.value).toBe(2)
    const ids = [nobody, thief].map((client) => client.last('artifact.ref').payload.artifact_id)
    expect(ids[0]).not.toBe(ids[1])
    thief.send('artifact.fetch', { artifact_id: ids[0] })
    thief.send('resume', {}, { session_id: sessionOf(nobody) })
    thief.send('cancel', { target: 'job', target_id: nobody.last('job.accepted').job_id })
    await settle()
    expect(codes(thief)).toEqual(['NOT_FOUND', 'DATA_LOSS'])
    expect(thief.last('cancel.refused').payload.reason).toBe('not_found')
    for (const client of [nobody, thief]) {
      const shown = client.of('subscribe.event').map(({ payload }) => (payload.event as unknown as Wire).session_id)
      expect(new Set(shown)).toEqual(new Set([sessionOf(client)]))
    }
  })
})

describe('requests about what belongs to somebody else', () => {
  it('are answered like requests about what does not exist', async () => {
    const { raw, settle } = serve({
      auth,
      tools: {
        async ask(_given, { requestPermission, stream, artifact, choose }) {
          await artifact('text', { mediaType: 'text/plain' })
          stream('text')
          await requestPermission({ permission: 'p', resource: 'r', operation: 'o' })
          await choose({ prompt: 'Which?', options: [{ id: 'a', label: 'A' }] })
        },
      },
    })
    const [ada, bob] = [await raw({ open: openAs('ada') }), await raw({ open: openAs('bob') })]
    ada.send('tool.invoke', { tool: 'ask' })
    ada.send('subscribe', { filter: {} })
    await expect.poll(() => ada.of('permission.request').length, PATIENTLY).toBe(1)
    ada.send('permission.grant', {}, { correlation_id: ada.last('permission.request').id })
    await settle()
    const real = {
      session: sessionOf(ada),
      job: String(ada.last('job.accepted').job_id),
      stream: String(ada.last('stream.open').stream_id),
      lease: String(ada.last('lease.granted').payload.lease_id),
      artifact: String(ada.last('artifact.ref').payload.artifact_id),
      prompt: ada.last('human.choice.request').id,
      subscription: String(ada.last('subscribe.accepted').payload.subscription_id),
    }
    type Ids = typeof real
    const unknown = Object.fromEntries(Object.keys(real).map((name) => [name, `${name}_unknown`])) as Ids
    const questions: Record<string, (ids: Ids) => readonly [type: string, payload: object, members?: object]> = {
      resume: ({ session }) => ['resume', {}, { session_id: session }],
      cancel: ({ job }) => ['cancel', { target: 'job', target_id: job }],
      interrupt: ({ job }) => ['interrupt', { target: 'job', target_id: job }],
      'subscribe to a session': ({ session }) => ['subscribe', { filter: { session_id: [session] } }],
      'subscribe to a job': ({ job }) => ['subscribe', { filter: { job_id: [job] } }],
      'subscribe to a stream': ({ stream }) => ['subscribe', { filter: { stream_id: [stream] } }],
      unsubscribe: ({ subscription }) => ['unsubscribe', { subscription_id: subscription }],
      backpressure: ({ stream }) => ['backpressure', { desired_rate_per_second: 1 }, { stream_id: stream }],
      'refresh a lease': ({ lease }) => ['lease.refresh', { lease_id: lease, requested_seconds: 1 }],
      'revoke a lease': ({ lease }) => ['lease.revoked', { lease_id: lease, reason: 'No' }],
      'fetch an artifact': ({ artifact }) => ['artifact.fetch', { artifact_id: artifact }],
      'release an artifact': ({ artifact }) => ['artifact.release', { artifact_id: artifact }],
      'answer a question': ({ prompt }) => ['human.choice.response', { choice_id: 'a' }, { correlation_id: prompt }],
      'decline a question': ({ prompt }) => [
        'human.input.cancelled',
        { code: 'CANCELLED' },
        { correlation_id: prompt },
      ],
      'grant a permission': ({ prompt }) => ['permission.grant', {}, { correlation_id: prompt }],
    }
    let count = 0
    /** The answer without what differs in each message, and with the ids that were asked for replaced by their names. */
    const answer = async (question: (typeof questions)[string], ids: Ids): Promise<unknown> => {
      const before = bob.got.length
      const id = `question-${(count += 1)}`
      const [type, payload, members] = question(ids)
      bob.send(type, payload, { ...members, id })
      await settle()
      let text = JSON.stringify(bob.got.slice(before).map(({ type: got, payload: said }) => ({ got, said })))
      for (const [name, value] of Object.entries({ ...ids, question: id })) text = text.replaceAll(value, `<${name}>`)
      return text.replaceAll(/sub_\w+/g, '<new>')
    }
    const compared: Record<string, unknown> = {}
    const expected: Record<string, unknown> = {}
    for (const [name, question] of Object.entries(questions)) {
      expected[name] = await answer(question, unknown)
      compared[name] = await answer(question, real)
    }
    expect(compared).toEqual(expected)
    expect(Object.keys(expected)).toHaveLength(15)
    for (const text of Object.values(expected)) expect(text).not.toBe('[]')
    for (const name of ['subscribe to a session', 'subscribe to a job', 'subscribe to a stream'])
      expect(expected[name], name).toContain('PERMISSION_DENIED')
    // All of Ada's is as it was.
    expect(ada.of('nack')).toEqual([])
    expect(ada.of('tool.result')).toEqual([])
    expect(ada.of('lease.revoked')).toEqual([])
  })
})

it('keeps the calls of one principal, however many those of another are', async () => {
  let runs = 0
  const { raw, settle } = serve({ tools: { count: () => (runs += 1) }, auth, limits: { jobs: Infinity } })
  const [ada, bob] = [await raw({ open: openAs('ada') }), await raw({ open: openAs('bob') })]
  bob.send('tool.invoke', { tool: 'count' }, { id: 'call', idempotency_key: 'key' })
  await settle()
  for (let call = 0; call < 10_050; call++) ada.send('tool.invoke', { tool: 'count' })
  await settle()
  await expect.poll(() => ada.of('tool.result').length, { timeout: 60_000 }).toBe(10_050)
  bob.send('tool.invoke', { tool: 'count' }, { id: 'call-again', idempotency_key: 'key' })
  await settle()
  expect(runs).toBe(10_051)
  expect(bob.last('job.accepted')).toMatchObject({ correlation_id: 'call-again' })
}, 120_000)
