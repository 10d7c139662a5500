import { describe, expect, it } from 'vitest'
import { systemClock } from '../../../src/base/ports/clock.ts'
import type { Agent, AgentProxyOptions } from '../../../src/server.ts'
import { memoryEventLog } from '../../../src/server/event-log/memory-event-log.ts'
import { eventsOf, nextEvent, outline, pageOf, type Page } from '../control-peer.ts'
import { allPackets, collect, packetsOf, REQUEST_ID } from '../peer.ts'
import { createGate, serveAgent } from '../serve-agent.ts'
import { SECRET, serveProxy, serveUpstream } from '../serve-proxy.ts'

const PROMPT_ID = '7b0b5a61-5a57-4d4c-9f0a-2d1f5b6c7d80'

/** A page whose requests go over the network. */
const pageAt = (origin: string): Page => pageOf((http) => fetch(http), `${origin}/api`)

/** An agent that sends a mail if it may. */
function mailer(): { readonly agent: Agent; readonly sent: unknown[] } {
  const sent: unknown[] = []
  return {
    sent,
    async *agent(_request, run) {
      const answer = await run.ask({
        kind: 'approval',
        message: 'May I send the mail?',
        subject: { name: 'send_mail', input: { to: 'Ann' }, editable: { properties: { to: { type: 'string' } } } },
      })
      if (answer.type === 'allowed') sent.push(answer.input)
      yield answer.type
    },
  }
}

const WAYS: readonly (readonly [string, () => Partial<AgentProxyOptions>])[] = [
  ['without a log', () => ({})],
  ['with a log', () => ({ log: memoryEventLog() })],
]

describe.each(WAYS)('commands through a proxy %s', (_name, options) => {
  it('are announced as the agent announces them, also to clients that come back', async () => {
    const done = createGate()
    const agent = await serveAgent(async function* () {
      yield 'one'
      await done.opened
    })
    const page = pageAt((await serveProxy(agent.origin, options())).origin)
    const first = await page.assist()
    const second = await page.assist()
    expect(first.headers.get('cap-control')).toBe('cancel, answer, say')
    expect(second.headers.get('cap-control')).toBe('cancel, answer, say')
    done.open()
    await Promise.all([allPackets(first), allPackets(second)])
  })

  it('are not announced where the agent has none, and are answered with 501', async () => {
    const upstream = await serveUpstream((req, res) => {
      if (req.url?.endsWith('/assist') === true)
        res.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n')
      else res.writeHead(404, { 'content-type': 'application/json' }).end('{"detail":"Not Found"}')
    })
    const page = pageAt((await serveProxy(upstream.origin, options())).origin)
    const response = await page.assist()
    expect(response.status).toBe(200)
    expect(response.headers.has('cap-control')).toBe(false)
    expect(await page.cancel()).toMatchObject({ status: 501, body: { code: 'control_unsupported' } })
  })

  it('cancel the run of the user, and end its answer', async () => {
    let aborted: unknown
    const agent = await serveAgent(async function* (_request, run) {
      run.signal.addEventListener('abort', () => (aborted = run.signal.reason))
      yield 'one'
      await run.sleep(1_000_000)
    })
    const page = pageAt((await serveProxy(agent.origin, options())).origin)
    const response = await page.assist()
    const packets = packetsOf(response)
    await packets.next()
    expect(await page.cancel()).toMatchObject({ status: 200, body: { result: 'accepted' } })
    expect((await collect(packets)).at(-1)).toMatchObject({ op: 'CLOSE', p: 'cancelled' })
    expect(aborted).toMatchObject({ agentCode: 'cancelled' })
    expect(await page.cancel()).toMatchObject({ status: 200, body: { result: 'accepted' } })
  })

  it('cancel, and leave it unconfirmed while the agent works', async () => {
    const action = createGate()
    const agent = await serveAgent(
      async function* () {
        yield 'one'
        await action.opened
      },
      { cancelTimeoutMs: 1, clock: systemClock },
    )
    const page = pageAt((await serveProxy(agent.origin, options())).origin)
    const packets = packetsOf(await page.assist())
    await packets.next()
    const unconfirmed = { status: 504, body: { code: 'cancel_unconfirmed', details: { ended: 'unconfirmed' } } }
    expect(await page.cancel()).toMatchObject(unconfirmed)
    expect(outline(await collect(packets))).toEqual(['ERROR cancel_unconfirmed', 'CLOSE unconfirmed'])
    action.open()
    expect(await page.cancel()).toMatchObject(unconfirmed)
  })

  it('carry an answer to the agent once, however often it is sent, and say how it is settled', async () => {
    const { agent, sent } = mailer()
    const served = await serveAgent(agent)
    const page = pageAt((await serveProxy(served.origin, options())).origin)
    const packets = packetsOf(await page.assist())
    const { id, data } = await nextEvent(packets, 'PROMPT')
    const allow = { type: 'option', option_id: 'allow-once', digest: data.subject?.digest }
    expect(await page.answer(id, { ...allow, digest: 'another' })).toMatchObject({
      status: 422,
      body: { code: 'invalid_answer' },
    })
    expect(await page.answer(id, { ...allow, edits: { to: 7 } })).toMatchObject({
      status: 422,
      body: { details: { errors: [{ path: '/to' }] } },
    })
    const replies = await Promise.all([page.answer(id, allow), page.answer(id, allow)])
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    expect(outline(await collect(packets))).toEqual(['PROMPT answered', 'DELTA allowed', 'CLOSE finished'])
    expect(await page.answer(id, { type: 'decline' }, { answerId: 'answer-2' })).toMatchObject({
      status: 409,
      body: { code: 'prompt_settled', details: { state: 'answered', answer_id: 'answer-1' } },
    })
    expect(await page.answer(PROMPT_ID, { type: 'decline' })).toMatchObject({
      status: 409,
      body: { code: 'prompt_not_found' },
    })
    expect(sent).toEqual([{ to: 'Ann' }])
  })

  it('carry a word to the agent once', async () => {
    const agent = await serveAgent(async function* (_request, run) {
      yield 'Where? '
      for await (const { text } of run.inbox) {
        yield text
        break
      }
    })
    const page = pageAt((await serveProxy(agent.origin, options())).origin)
    const packets = packetsOf(await page.assist())
    await packets.next()
    const messageId = crypto.randomUUID()
    expect(await page.say('North', { messageId })).toMatchObject({ status: 200 })
    expect(await page.say('North', { messageId })).toMatchObject({ status: 200 })
    const rest = await collect(packets)
    expect(eventsOf(rest, 'SAID')).toHaveLength(1)
    expect(outline(rest)).toContain('DELTA North')
    expect(await page.say('South')).toMatchObject({ status: 409, body: { details: { ended: 'finished' } } })
  })

  it('of another user find no run, and change nothing', async () => {
    const { agent, sent } = mailer()
    const served = await serveAgent(agent)
    const page = pageAt((await serveProxy(served.origin, options())).origin)
    const packets = packetsOf(await page.assist())
    const { id, data } = await nextEvent(packets, 'PROMPT')
    const foreign = { headers: { 'x-user': 'eve' } }
    const allow = { type: 'option', option_id: 'allow-once', digest: data.subject?.digest }
    for (const said of [
      await page.answer(id, allow, foreign),
      await page.cancel(foreign),
      await page.say('Send it', foreign),
    ])
      expect(said).toMatchObject({ status: 404, body: { code: 'run_not_found' } })
    expect(sent).toEqual([])
    expect(await page.answer(id, { type: 'decline' })).toMatchObject({ status: 200 })
    expect(outline(await collect(packets))).toContain('DELTA declined')
  })

  it('are refused like questions from other origins and from callers that are not authorized', async () => {
    let asked = 0
    const agent = await serveAgent(async () => {
      asked += 1
    })
    const { origin } = await serveProxy(agent.origin, {
      ...options(),
      authorize: (http) => http.headers.get('x-user') ?? new Response(null, { status: 401 }),
    })
    const cancel = (headers: Record<string, string>, body = '{}'): Promise<Response> =>
      fetch(`${origin}/api/runs/${REQUEST_ID}/cancel`, { method: 'POST', headers, body })
    const json = { 'content-type': 'application/json' }
    expect((await cancel({ ...json, 'x-user': 'ann', origin: 'https://evil.example' })).status).toBe(403)
    expect((await cancel(json)).status).toBe(401)
    expect((await cancel({ 'content-type': 'text/plain', 'x-user': 'ann' })).status).toBe(415)
    expect((await cancel({ ...json, 'x-user': 'ann' }, '[]')).status).toBe(400)
    expect((await fetch(`${origin}/api/runs/${REQUEST_ID}/cancel`)).status).toBe(405)
    expect((await cancel({ ...json, 'x-user': 'ann' })).status).toBe(404)
    expect(asked).toBe(0)
  })
})

describe('what goes up and comes back of a command', () => {
  it('goes under the id of the user, with the secret, as what was read of it', async () => {
    const upstream = await serveUpstream((_req, res) =>
      res.writeHead(200, { 'content-type': 'application/json' }).end('{"result":"accepted"}'),
    )
    const page = pageAt((await serveProxy(upstream.origin)).origin)
    await page.post('answer', {
      prompt_id: PROMPT_ID,
      answer_id: 'a',
      answer: { type: 'option', option_id: 'yes', digest: 'd' },
      more: 'this',
    })
    const [seen] = upstream.seen
    expect(seen?.path).toMatch(/^\/v1\/runs\/[0-9a-f-]{36}\/answer$/)
    expect(seen?.path).not.toContain(REQUEST_ID)
    expect(seen?.headers.authorization).toBe(`Bearer ${SECRET}`)
    expect(JSON.parse(seen?.body ?? '')).toEqual({
      prompt_id: PROMPT_ID,
      answer_id: 'a',
      answer: { type: 'option', option_id: 'yes', digest: 'd' },
    })
  })

  const ANSWERS: readonly (readonly [number, object | string, number, object])[] = [
    [404, { code: 'run_not_found', message: SECRET }, 404, { code: 'run_not_found' }],
    [404, '<html>', 501, { code: 'control_unsupported' }],
    [405, SECRET, 501, { code: 'control_unsupported' }],
    [501, SECRET, 501, { code: 'control_unsupported' }],
    [409, { code: 'prompt_settled', details: { state: 'withdrawn' } }, 409, { details: { state: 'withdrawn' } }],
    [409, { code: 'run_over', details: { ended: 'interrupted' } }, 409, { details: { ended: 'interrupted' } }],
    [409, { code: 'other', details: { ended: SECRET, state: SECRET } }, 409, { details: { ended: 'expired' } }],
    [409, SECRET, 503, { code: 'run_unavailable' }],
    [410, SECRET, 503, { code: 'run_unavailable' }],
    [422, SECRET, 503, { code: 'run_unavailable' }],
    [410, { code: 'x', details: { answer_id: 'other' } }, 410, { details: { state: 'expired', answer_id: 'other' } }],
    [413, SECRET, 413, { code: 'request_too_large' }],
    [
      422,
      { details: { errors: [{ path: '/to', message: 'Is no address.' }, { path: 7 }] } },
      422,
      {
        details: { errors: [{ path: '/to', message: 'Is no address.' }] },
      },
    ],
    [401, { message: SECRET }, 502, { code: 'upstream_unauthorized' }],
    [500, { message: SECRET }, 502, { code: 'upstream_failed' }],
    [503, { message: SECRET }, 503, { code: 'upstream_unavailable' }],
    [504, { message: SECRET }, 504, { code: 'upstream_timeout' }],
    [504, '<html>', 504, { code: 'upstream_timeout' }],
    [200, '<html>', 502, { code: 'upstream_invalid' }],
    [200, {}, 502, { code: 'upstream_invalid' }],
    [200, { result: SECRET }, 502, { code: 'upstream_invalid' }],
    [200, { result: 'accepted', more: SECRET }, 200, { result: 'accepted' }],
  ]

  it.each(ANSWERS)('%i %j becomes %i %j, without a word of the agent about itself', async (status, body, as, said) => {
    const upstream = await serveUpstream((_req, res) => {
      const isText = typeof body === 'string'
      res
        .writeHead(status, { 'content-type': isText ? 'text/html' : 'application/json' })
        .end(isText ? body : JSON.stringify(body))
    })
    const reply = await pageAt((await serveProxy(upstream.origin)).origin).answer(PROMPT_ID, { type: 'decline' })
    expect(reply).toMatchObject({ status: as, body: said })
    expect(JSON.stringify(reply.body)).not.toContain(SECRET)
  })

  const CANCELS: readonly (readonly [number, object, string])[] = [
    [504, { code: 'cancel_unconfirmed', message: SECRET }, 'unconfirmed'],
    [409, { code: 'run_over', details: { ended: 'interrupted' } }, 'interrupted'],
    [409, { code: 'run_over' }, 'expired'],
  ]

  it.each(CANCELS)('a cancel that is answered with %i %j is unconfirmed', async (status, body, ended) => {
    const upstream = await serveUpstream((_req, res) =>
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    )
    const reply = await pageAt((await serveProxy(upstream.origin)).origin).cancel()
    expect(reply).toMatchObject({ status: 504, body: { code: 'cancel_unconfirmed', details: { ended } } })
    expect(JSON.stringify(reply.body)).not.toContain(SECRET)
  })

  it('is unknown where the connection broke off: the client is to send it again', async () => {
    const upstream = await serveUpstream((_req, res) => {
      res.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{"result":')
      res.destroy()
    })
    const { origin } = await serveProxy(upstream.origin)
    expect(await pageAt(origin).cancel()).toMatchObject({ status: 502, body: { code: 'upstream_unreachable' } })
  })

  it('reaches the agent although the page does not wait for it', async () => {
    const leaving = new AbortController()
    const upstream = await serveUpstream((_req, res) => {
      leaving.abort()
      setImmediate(() => res.writeHead(200, { 'content-type': 'application/json' }).end('{"result":"accepted"}'))
    })
    let closed = 0
    const { origin } = await serveProxy(upstream.origin, {
      fetch: async (url, init) => {
        const response = await fetch(url, init)
        if (response.ok) closed += 1
        return response
      },
    })
    await expect(
      fetch(`${origin}/api/runs/${REQUEST_ID}/cancel`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
        signal: leaving.signal,
      }),
    ).rejects.toThrow('abort')
    await expect.poll(() => closed).toBe(1)
  })
})

it('a prompt is withdrawn in the log of a proxy that cannot follow its agent any more', async () => {
  let asked = 0
  const agent = await serveAgent(mailer().agent)
  const { origin } = await serveProxy(agent.origin, {
    log: memoryEventLog(),
    maxResumes: 0,
    fetch: async (url, init) => {
      asked += 1
      const response = await fetch(url, init)
      const reader = response.body!.getReader()
      let hasAsked = false
      const body = new ReadableStream({
        async pull(controller) {
          if (hasAsked) throw new Error('The connection broke.')
          const { value = new Uint8Array() } = await reader.read()
          hasAsked = new TextDecoder().decode(value).includes('PROMPT')
          controller.enqueue(value)
        },
      })
      return new Response(body, { headers: response.headers })
    },
  })
  const packets = await allPackets(await pageAt(origin).assist())
  expect(asked).toBe(1)
  expect(outline(packets)).toEqual(['PROMPT open', 'PROMPT withdrawn', 'ERROR upstream_lost', 'CLOSE failed'])
})
