import { beforeAll, describe, expect, it } from 'vitest'
import { OPEN, serve, typesOf, until } from '../served-runtime.ts'
import { loadArcpOnDemand } from '../../support/load-arcp-on-demand.ts'

// What is loaded on demand is there.
beforeAll(loadArcpOnDemand)

const openAs = (token: string): object => ({ ...OPEN, auth: { scheme: 'bearer', token } })
const bearer = (token: string): string => token

/** Counts how often it runs, and ends when it is told to. */
function countingTool() {
  const runs: unknown[] = []
  const ends: ((value: unknown) => void)[] = []
  return {
    runs,
    end: (value: unknown) => ends.shift()?.(value),
    tools: {
      count: (given: unknown) => {
        runs.push(given)
        return new Promise((resolve) => ends.push(resolve))
      },
    },
  }
}

describe('a session that is resumed', () => {
  it('says what it said after the message that is named, and continues live', async () => {
    const { runs, end, tools } = countingTool()
    const { raw, settle } = serve({ tools })
    const before = await raw()
    before.send('tool.invoke', { tool: 'count' })
    await settle()
    const { session_id: sessionId } = before.last('session.accepted')
    const accepted = before.last('job.accepted')
    before.close()
    await settle()
    const after = await raw()
    const resume = after.send('resume', { after_message_id: accepted.id }, { session_id: sessionId })
    await settle()
    expect(typesOf(after.got)).toEqual(['session.accepted', 'job.started', 'ack'])
    expect(after.last('ack')).toMatchObject({ correlation_id: resume })
    expect(after.last('job.started').session_id).toBe(sessionId)
    end('late')
    await settle()
    expect(after.last('tool.result')).toMatchObject({ session_id: sessionId, payload: { value: 'late' } })
    expect(runs).toHaveLength(1)
  })

  it('is refused to another principal, and to a named one where it is anonymous', async () => {
    const { raw, settle } = serve({ tools: {}, auth: { bearer, none: true } })
    const ada = await raw({ open: openAs('ada') })
    const nobody = await raw()
    const bob = await raw({ open: openAs('bob') })
    for (const [client, other] of [
      [bob, ada],
      [nobody, ada],
      [bob, nobody],
    ] as const) {
      const id = client.send('resume', {}, { session_id: other.last('session.accepted').session_id })
      await settle()
      expect(client.last('nack')).toMatchObject({ correlation_id: id, payload: { code: 'DATA_LOSS' } })
    }
    const again = await raw({ open: openAs('ada') })
    again.send('resume', {}, { session_id: ada.last('session.accepted').session_id })
    const anybody = await raw()
    anybody.send('resume', {}, { session_id: nobody.last('session.accepted').session_id })
    await settle()
    expect([again.of('ack'), anybody.of('ack')].map(({ length }) => length)).toEqual([1, 1])
  })

  it('leaves an anonymous client with all sessions that it has resumed, and with what was invoked in each', async () => {
    const { runs, tools } = countingTool()
    const { raw, settle } = serve({ tools })
    const clients = [await raw(), await raw()]
    for (const [index, client] of clients.entries())
      client.send('tool.invoke', { tool: 'count' }, { id: `invoke-${index}` })
    await settle()
    const heir = await raw()
    for (const client of clients) heir.send('resume', {}, { session_id: client.last('session.accepted').session_id })
    for (const index of clients.keys()) heir.send('tool.invoke', { tool: 'count' }, { id: `invoke-${index}` })
    await settle()
    for (const client of clients) heir.send('cancel', { target: 'job', target_id: client.last('job.accepted').job_id })
    await settle()
    expect(runs).toHaveLength(2)
    expect(heir.of('cancel.accepted')).toHaveLength(2)
  })

  it('is a loss of data where nothing is known of it, and checkpoints there are none', async () => {
    const { raw, settle } = serve({ tools: {} })
    const client = await raw()
    client.send('resume', {}, { session_id: 'sess_of_long_ago' })
    client.send('resume', { checkpoint_id: 'c' })
    await settle()
    expect(client.of('nack').map(({ payload }) => payload.code)).toEqual(['DATA_LOSS', 'UNIMPLEMENTED'])
  })
})

describe('a tool that is invoked again', () => {
  it('under the same message id runs once, also from another connection', async () => {
    const { runs, end, tools } = countingTool()
    const { raw, settle } = serve({ tools, auth: { bearer } })
    const first = await raw({ open: openAs('ada') })
    first.send('tool.invoke', { tool: 'count' }, { id: 'invoke-1' })
    first.send('tool.invoke', { tool: 'count' }, { id: 'invoke-1' })
    await settle()
    first.close()
    const second = await raw({ open: openAs('ada') })
    second.send('tool.invoke', { tool: 'count' }, { id: 'invoke-1' })
    await settle()
    expect(runs).toHaveLength(1)
    expect(second.last('job.accepted')).toMatchObject({ correlation_id: 'invoke-1' })
    end('done')
    await settle()
    expect(second.last('tool.result').payload).toMatchObject({ value: 'done' })
  })

  it('under the same key of its principal runs once, and gives its end again when it has ended', async () => {
    const { runs, end, tools } = countingTool()
    const { raw, settle } = serve({ tools, auth: { bearer } })
    const key = { idempotency_key: 'order-42' }
    const ada = await raw({ open: openAs('ada') })
    ada.send('tool.invoke', { tool: 'count', arguments: { n: 1 } }, key)
    await settle()
    end('done')
    await settle()
    const again = await raw({ open: openAs('ada') })
    const repeated = again.send('tool.invoke', { tool: 'count', arguments: { n: 1 } }, key)
    const other = again.send('tool.invoke', { tool: 'count', arguments: { n: 2 } }, key)
    const bob = await raw({ open: openAs('bob') })
    bob.send('tool.invoke', { tool: 'count', arguments: { n: 1 } }, key)
    await settle()
    expect(again.of('job.accepted').map((one) => one.correlation_id)).toEqual([repeated])
    expect(again.last('tool.result').payload).toMatchObject({ value: 'done' })
    expect(again.last('nack')).toMatchObject({ correlation_id: other, payload: { code: 'ALREADY_EXISTS' } })
    expect(runs).toEqual([{ n: 1 }, { n: 1 }])
    expect(bob.of('job.accepted')).toHaveLength(1)
  })
})

describe('a call that is repeated on its connection once its job has ended', () => {
  it('is told the end again', async () => {
    const { raw, settle } = serve({ tools: { add: async () => 7 } })
    const client = await raw()
    const call = { idempotency_key: 'order-42' }
    client.send('tool.invoke', { tool: 'add' }, call)
    client.send('tool.invoke', { tool: 'add' })
    await settle()
    const ended = client.of('job.completed')[0]
    const before = client.got.length
    const again = client.send('tool.invoke', { tool: 'add' }, call)
    await settle()
    expect(typesOf(client.got.slice(before))).toEqual(['job.accepted', 'job.started', 'tool.result', 'job.completed'])
    expect(client.last('job.accepted')).toMatchObject({ correlation_id: again, job_id: ended?.job_id })
    expect(client.last('job.completed').id).toBe(ended?.id)
  })

  it('ends for the client of this package as well, also where both calls are made at once', async () => {
    let runs = 0
    const { client, settle } = serve({ tools: { add: async () => (runs += 1) } })
    const arcp = client()
    for (let round = 0; round < 2; round++) {
      const job = arcp.invoke('add', {}, { idempotencyKey: 'order-42' })
      await settle()
      expect(await job.result).toEqual({ value: 1, ref: undefined })
    }
    const both = [1, 2].map(() => arcp.invoke('add', {}, { idempotencyKey: 'order-43' }))
    await settle()
    expect(await Promise.all(both.map(({ result }) => result))).toEqual([{ value: 2 }, { value: 2 }])
    expect(runs).toBe(2)
    arcp.close()
  })
})

describe('a command', () => {
  it('that is repeated is answered again and not carried out again', async () => {
    const { raw, settle } = serve({ tools: {}, auth: { bearer } })
    const client = await raw({ open: openAs('ada') })
    const put = { media_type: 'text/plain', data: btoa('Hello') }
    client.send('artifact.put', put, { id: 'put-1' })
    client.send('artifact.put', put, { id: 'put-1' })
    await until(() => client.of('artifact.ref').length === 2)
    client.close()
    const next = await raw({ open: openAs('ada') })
    next.send('artifact.put', put, { id: 'put-1' })
    await settle()
    const ids = [...client.of('artifact.ref'), ...next.of('artifact.ref')].map(({ payload }) => payload.artifact_id)
    expect(ids).toHaveLength(3)
    expect(new Set(ids).size).toBe(1)
  })

  it('that cannot be read is refused with what is wrong, and the session continues', async () => {
    const { raw, settle } = serve({ tools: {} })
    const client = await raw()
    client.raw('{"arcp"')
    const unknown = client.send('tool.explode')
    const invalid = client.send('tool.invoke', { tool: 7 })
    const version = client.send('ping', {}, { arcp: '2.0' })
    const later = client.send('job.schedule', { job: {}, when: { every: 'day' } })
    const extension = client.send('arcpx.acme.thing.v1', {})
    client.send('arcpx.acme.thing.v1', {}, { extensions: { optional: true } })
    client.send('ack', {})
    const ping = client.send('ping')
    await settle()
    expect(client.of('nack').map(({ correlation_id: id, payload }) => [id, payload.code])).toEqual([
      [undefined, 'INVALID_ARGUMENT'],
      [unknown, 'UNIMPLEMENTED'],
      [invalid, 'INVALID_ARGUMENT'],
      [version, 'INVALID_ARGUMENT'],
      [later, 'UNIMPLEMENTED'],
      [extension, 'UNIMPLEMENTED'],
    ])
    expect(client.of('nack')[2]?.payload).toMatchObject({ details: { errors: [{ path: '/payload/tool' }] } })
    expect(client.last('pong')).toMatchObject({ correlation_id: ping })
  })

  it('of an extension reaches the app, with whom it comes from', async () => {
    const heard: unknown[] = []
    const { raw, settle, environment } = serve({
      tools: {},
      auth: { bearer },
      extensions: {
        'arcpx.acme.note.v1': (payload, { principal }) => {
          heard.push([principal, payload])
          if (payload.text === 'fail') throw new Error('a secret of the app')
        },
      },
    })
    const client = await raw({
      open: { ...openAs('ada'), capabilities: { extensions: ['arcpx.acme.note.v1', 'x.y.v1'] } },
    })
    expect(client.last('session.accepted').payload).toMatchObject({
      capabilities: { extensions: ['arcpx.acme.note.v1'] },
    })
    client.send('arcpx.acme.note.v1', { text: 'hi' })
    client.send('arcpx.acme.note.v1', { text: 'fail' })
    await settle()
    expect(heard).toEqual([
      ['ada', { text: 'hi' }],
      ['ada', { text: 'fail' }],
    ])
    expect(client.last('nack').payload).toMatchObject({ code: 'INTERNAL', message: 'The command has failed.' })
    expect(environment.reports).toHaveLength(1)
  })

  it('to cancel is refused for what is unknown, of others, over, or no job', async () => {
    const { raw, settle } = serve({
      tools: { wait: () => new Promise(() => undefined), done: async () => 1 },
      auth: { bearer },
    })
    const ada = await raw({ open: openAs('ada') })
    const bob = await raw({ open: openAs('bob') })
    ada.send('tool.invoke', { tool: 'wait' })
    await settle()
    const waiting = ada.last('job.accepted').job_id
    ada.send('tool.invoke', { tool: 'done' })
    await settle()
    const over = ada.last('job.accepted').job_id
    bob.send('cancel', { target: 'job', target_id: waiting })
    ada.send('cancel', { target: 'job', target_id: over })
    ada.send('cancel', { target: 'stream', target_id: 'str_1' })
    await settle()
    expect(bob.last('cancel.refused').payload).toMatchObject({ reason: 'not_found' })
    expect(ada.of('cancel.refused').map(({ payload }) => payload.reason)).toEqual([
      'already_terminal',
      'not_cancellable',
    ])
    expect(ada.of('job.cancelled')).toEqual([])
  })
})
