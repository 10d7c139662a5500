import { describe, expect, it } from 'vitest'
import { createAgentHandler, type AgentHandlerOptions } from '../../../src/server/handler/agent-handler.ts'
import type { Agent, AnyResult } from '../../../src/server/run/agent.ts'
import { onStream } from '../../../src/server/run/agent-output.ts'
import { memoryEventLog } from '../../../src/server/event-log/memory-event-log.ts'
import { createManualClock, settle, type ManualClock } from '../../support/manual-clock.ts'
import { eventsOf, nextEvent, outline, pageOf, type Page, type Said } from '../control-peer.ts'
import { allPackets, collect, packetsOf, postRequest, REQUEST_ID } from '../peer.ts'
import { createGate } from '../serve-agent.ts'

interface Opened extends Page {
  readonly clock: ManualClock
  readonly errors: unknown[]
}

function open(agent: Agent, options: Partial<AgentHandlerOptions> = {}): Opened {
  const clock = createManualClock()
  const errors: unknown[] = []
  const handler = createAgentHandler({ agent, clock, onError: (error) => errors.push(error), ...options })
  return { ...pageOf(handler), clock, errors }
}

const MAIL = { name: 'send_email', input: { to: 'ann@rivers.example', body: 'Hello' } }

/** An agent that asks once, and says what it was told. */
function asking(results: AnyResult[], more: { readonly expiresInMs?: number } = {}): Agent {
  return async function* (_request, run) {
    yield 'I can write to Ann. '
    const result = await run.ask({ kind: 'approval', message: 'Send this mail?', subject: MAIL, ...more })
    results.push(result)
    yield result.type
  }
}

const UNCONFIRMED = { status: 504, body: { code: 'cancel_unconfirmed', details: { ended: 'unconfirmed' } } }

/** Agents in the middle of an action that takes no signal: a generator, its cleaning up, and two functions. */
const WORKING = [
  (action: Promise<void>): Agent =>
    async function* () {
      yield 'one'
      await action
      yield 'two'
    },
  (action: Promise<void>): Agent =>
    async function* (_request, run) {
      try {
        yield 'one'
        await run.sleep(60_000)
      } finally {
        await action
      }
    },
  (action: Promise<void>): Agent =>
    async (_request, run) => {
      await run.write('one')
      await action
    },
  (action: Promise<void>): Agent =>
    async () =>
      (async function* () {
        yield 'one'
        await action
      })(),
] as const

describe('a run that takes commands', () => {
  it('announces them with its answer, in streams and replays alike, and in health', async () => {
    const clock = createManualClock()
    const handler = createAgentHandler({ agent: async function* () {}, clock })
    const page = pageOf(handler)
    for (let time = 0; time < 2; time++)
      expect((await page.assist()).headers.get('cap-control')).toBe('cancel, answer, say')
    const health = await handler(new Request('https://agent.test/health'))
    expect(await health.json()).toMatchObject({ status: 'ok', control: ['cancel', 'answer', 'say'] })
  })

  it('announces them with an answer of JSON too', async () => {
    const response = await open(async () => ({ output: {} })).assist()
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.get('cap-control')).toBe('cancel, answer, say')
  })

  it('lets pages of allowed origins read the announcement, and ask before they post', async () => {
    const cors = { origins: ['https://app.example'] }
    const handler = createAgentHandler({ agent: async function* () {}, cors })
    const headers = { origin: 'https://app.example' }
    const assist = await handler(postRequest('https://agent.test/assist', { headers }))
    expect(assist.headers.get('access-control-expose-headers')).toContain('cap-control')
    const url = `https://agent.test/runs/${REQUEST_ID}/cancel`
    const preflight = await handler(new Request(url, { method: 'OPTIONS', headers }))
    expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([204, 'GET, POST'])
    const refused = await handler(postRequest(`https://agent.test/runs/${REQUEST_ID}/say`, { headers, body: '{}' }))
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([400, 'https://app.example'])
  })

  it('is not announced where the log carries no commands, and its endpoints say so', async () => {
    const { command: _, ...log } = memoryEventLog()
    const handler = createAgentHandler({ agent: async function* () {}, log })
    const page = pageOf(handler)
    expect((await page.assist()).headers.get('cap-control')).toBeNull()
    expect(await page.cancel()).toMatchObject({ status: 501, body: { code: 'control_unsupported' } })
    expect(await (await handler(new Request('https://agent.test/health'))).json()).not.toHaveProperty('control')
  })
})

describe('a request to a control endpoint', () => {
  it('is refused like one to assist: by method, type, size, shape and caller', async () => {
    const page = pageOf(
      createAgentHandler({
        agent: async function* () {},
        maxBodyBytes: 200,
        authorize: (http) => http.headers.get('x-user') ?? new Response(null, { status: 401 }),
      }),
    )
    const headers = { 'x-user': 'ann' }
    const handler = createAgentHandler({ agent: async function* () {} })
    const get = await handler(new Request(`https://agent.test/runs/${REQUEST_ID}/cancel`))
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST'])
    const elsewhere = await handler(postRequest(`https://agent.test/runs/${REQUEST_ID}/begin`))
    expect(elsewhere.status).toBe(404)
    const anonymous = await handler(postRequest(`https://agent.test/walks/${REQUEST_ID}/cancel`))
    expect(anonymous.status).toBe(404)
    await expect(page.cancel()).rejects.toThrow(SyntaxError)
    expect((await page.post('cancel', {}, { headers: { ...headers, 'content-type': 'text/plain' } })).status).toBe(415)
    expect((await page.post('say', { message_id: 'm', text: 'x'.repeat(300) }, { headers })).status).toBe(413)
    expect(await page.post('say', { message_id: '', text: 'x' }, { headers })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', severity: 'FATAL' },
    })
    expect(
      (await page.post('answer', { prompt_id: 'p', answer_id: 'a', answer: { type: 'yes' } }, { headers })).status,
    ).toBe(400)
    expect((await page.post('cancel', [], { headers })).status).toBe(400)
  })

  it('names a run that there is not: 404, also where the id is none', async () => {
    const page = open(async function* () {})
    const missing = { status: 404, body: { code: 'run_not_found', severity: 'FATAL' } }
    expect(await page.cancel()).toMatchObject(missing)
    expect(await page.say('x', { requestId: 'no-uuid' })).toMatchObject(missing)
  })

  it('is for the run of its own caller', async () => {
    const results: AnyResult[] = []
    const authorize = (http: Request): string => http.headers.get('x-user') ?? 'nobody'
    const page = open(asking(results), { authorize })
    const [ann, bob] = ['ann', 'bob'].map((user) => ({ headers: { 'x-user': user } }))
    const packets = packetsOf(await page.assist(ann))
    const prompt = await nextEvent(packets, 'PROMPT')
    const allow = { type: 'option', option_id: 'allow-once', digest: prompt.data.subject?.digest }
    expect(await page.answer(prompt.id, allow, bob)).toMatchObject({ status: 404, body: { code: 'run_not_found' } })
    expect((await page.cancel(bob)).status).toBe(404)
    expect((await page.answer(prompt.id, allow, ann)).status).toBe(200)
    await collect({ [Symbol.asyncIterator]: () => packets })
    expect(results).toMatchObject([{ type: 'allowed' }])
  })
})

describe('a run that is cancelled', () => {
  it('keeps what was said, closes every stream as cancelled, and tells its agent', async () => {
    const told: unknown[] = []
    let returned = false
    const page = open(async function* (_request, run) {
      run.signal.addEventListener('abort', () => told.push(run.signal.reason))
      try {
        yield 'So far'
        yield onStream('side', 'beside')
        await run.sleep(1000)
        yield 'late'
      } finally {
        returned = true
      }
    })
    const response = await page.assist()
    await settle()
    expect(await page.cancel()).toMatchObject({ status: 200, body: { result: 'accepted' } })
    expect(outline(await allPackets(response))).toEqual([
      'DELTA So far',
      'DELTA beside',
      'CLOSE cancelled',
      'CLOSE cancelled',
    ])
    expect(told).toMatchObject([{ agentCode: 'cancelled' }])
    expect(returned).toBe(true)
    expect(page.errors).toEqual([])
    expect(page.clock.pending).toBe(0)
  })

  it('accepts the same again, at once and later, also from those who come together', async () => {
    const page = open(async function* (_request, run) {
      await run.sleep(1000)
      yield 'late'
    })
    const response = await page.assist()
    expect(await Promise.all([1, 2, 3].map(async () => (await page.cancel()).status))).toEqual([200, 200, 200])
    await response.text()
    expect((await page.cancel()).status).toBe(200)
  })

  it('is confirmed when the agent function has returned, and not while an action of it runs', async () => {
    for (const agent of WORKING) {
      const action = createGate()
      const page = open(agent(action.opened))
      const response = await page.assist()
      await settle()
      let reply: Said | undefined
      const cancelled = page.cancel().then((said) => (reply = said))
      await page.clock.advance(1999)
      expect(reply).toBeUndefined()
      action.open()
      expect(await cancelled).toMatchObject({ status: 200, body: { result: 'accepted' } })
      expect(outline(await allPackets(response))).toEqual(['DELTA one', 'CLOSE cancelled'])
      expect([page.errors, page.clock.pending]).toEqual([[], 0])
    }
  })

  it('is not confirmed while the agent works: the run ends after 2 seconds and says so, then and later', async () => {
    for (const agent of WORKING) {
      const action = createGate()
      const page = open(agent(action.opened))
      const response = await page.assist()
      await settle()
      const cancelled = page.cancel()
      await page.clock.advance(2000)
      expect(await cancelled).toMatchObject(UNCONFIRMED)
      const packets = await allPackets(response)
      expect(outline(packets)).toEqual(['DELTA one', 'ERROR cancel_unconfirmed', 'CLOSE unconfirmed'])
      expect(packets.at(-2)?.p).toMatchObject({
        severity: 'FATAL',
        message: expect.stringContaining('still be working'),
      })
      expect(await page.cancel()).toMatchObject(UNCONFIRMED)
      action.open()
      await settle()
      expect(await page.cancel()).toMatchObject(UNCONFIRMED)
      expect([page.errors, page.clock.pending]).toEqual([[], 0])
    }
  })

  it('waits as long as cancelTimeoutMs says', async () => {
    const [agent] = WORKING
    const page = open(agent(new Promise(() => {})), { cancelTimeoutMs: 10 })
    await page.assist()
    await settle()
    const cancelled = page.cancel()
    await page.clock.advance(10)
    expect(await cancelled).toMatchObject(UNCONFIRMED)
  })

  it('refuses what an agent that ignores it writes and asks later', async () => {
    const gate = createGate()
    const late: unknown[] = []
    const page = open(async (_request, run) => {
      await run.write('one')
      await gate.opened
      await run.write('two').catch((error: unknown) => late.push(error))
      await run.ask({ kind: 'approval', message: 'Late?', subject: MAIL }).catch((error: unknown) => late.push(error))
    })
    const response = await page.assist()
    await settle()
    const cancelled = page.cancel()
    await settle()
    gate.open()
    expect((await cancelled).status).toBe(200)
    expect(outline(await allPackets(response))).toEqual(['DELTA one', 'CLOSE cancelled'])
    expect(late).toMatchObject([{ agentCode: 'cancelled' }, { agentCode: 'cancelled' }])
    expect(page.errors).toEqual([])
  })

  it('is not confirmed for an agent that failed and still cleans up, nor when the server is going down', async () => {
    const cleaning = createGate()
    const broken = open(async function* () {
      try {
        yield 7 as unknown as string
      } finally {
        await cleaning.opened
      }
    })
    const response = await broken.assist()
    await settle()
    const cancelled = broken.cancel()
    await broken.clock.advance(2000)
    expect(await cancelled).toMatchObject(UNCONFIRMED)
    expect(outline(await allPackets(response))).toEqual(['ERROR internal_error', 'CLOSE unconfirmed'])
    const stopping = new AbortController()
    const [agent] = WORKING
    const down = open(agent(new Promise(() => {})), { signal: stopping.signal })
    const unfinished = await down.assist()
    await settle()
    stopping.abort()
    expect(outline(await allPackets(unfinished)).at(-2)).toBe('ERROR server_stopping')
    expect(await down.cancel()).toMatchObject(UNCONFIRMED)
  })

  it('is refused when it ended otherwise, and says how', async () => {
    const finished = open(async function* () {
      yield 'done'
    })
    await (await finished.assist()).text()
    const over = (ended: string) => ({ status: 409, body: { code: 'run_over', details: { ended } } })
    expect(await finished.cancel()).toMatchObject(over('finished'))
    const failed = open(async () => {
      throw new Error('broken')
    })
    await (await failed.assist()).text()
    expect(await failed.cancel()).toMatchObject(over('failed'))
    const json = open(async () => ({ output: {} }))
    await (await json.assist()).text()
    expect(await json.cancel()).toMatchObject(over('finished'))
  })

  it('is not confirmed when its log is gone', async () => {
    const clock = createManualClock()
    const page = open(async function* () {}, { clock, log: memoryEventLog({ clock, ttlMs: 1000 }) })
    await (await page.assist()).text()
    await clock.advance(1000)
    expect(await page.cancel()).toMatchObject({ status: 504, body: { details: { ended: 'expired' } } })
  })

  it('withdraws what it has asked, before its stream is closed', async () => {
    const results: AnyResult[] = []
    const page = open(asking(results))
    const packets = packetsOf(await page.assist())
    const prompt = await nextEvent(packets, 'PROMPT')
    expect((await page.cancel()).status).toBe(200)
    const rest = await collect({ [Symbol.asyncIterator]: () => packets })
    expect(outline(rest)).toEqual(['PROMPT withdrawn', 'CLOSE cancelled'])
    expect(eventsOf(rest, 'PROMPT')[0]?.id).toBe(prompt.id)
    const allow = { type: 'option', option_id: 'allow-once', digest: prompt.data.subject?.digest }
    expect(await page.answer(prompt.id, allow)).toMatchObject({
      status: 409,
      body: { code: 'prompt_settled', details: { state: 'withdrawn' } },
    })
    expect(results).toEqual([])
  })
})
