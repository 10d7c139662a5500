import { describe, expect, it } from 'vitest'
import { isScenarioId, scenarios, type ScenarioId } from '../../../../playground/server/scenarios/scenario-list.ts'
import type { StreamPacket } from '../../../../src/protocols/cap/schema/packet.ts'
import { allPackets, framesOf, post, REQUEST_ID, textOf, type Posting } from '../../../server/peer.ts'
import { hear, type Heard } from '../../hear.ts'
import { openPlayground, type OpenPlayground } from '../../open-playground.ts'

const ask = (playground: OpenPlayground, scenario: ScenarioId, posting: Posting = {}): Promise<Response> =>
  playground.ask({ metadata: { scenario }, ...posting })

/** All packets of one connection, heard to its end. */
const run = (playground: OpenPlayground, scenario: ScenarioId, headers: Record<string, string> = {}): Promise<Heard> =>
  hear(playground.origin, { metadata: { scenario } }, headers)

const last = (packets: readonly StreamPacket[]): StreamPacket | undefined => packets.at(-1)
const eventTypes = (packets: readonly StreamPacket[]): unknown[] =>
  packets.flatMap((packet) => (packet.op === 'EVENT' ? [packet.p['type']] : []))

describe('the list of scenarios', () => {
  it('has its own id for each, in groups', () => {
    expect(new Set(scenarios.map(({ id }) => id)).size).toBe(scenarios.length)
    expect([...new Set(scenarios.map(({ group }) => group))]).toEqual([
      'Answers',
      'Chat',
      'Prompts',
      'Connection',
      'Commands',
      'Errors',
    ])
    expect(isScenarioId('toString')).toBe(false)
  })
})

describe('answers', () => {
  it.each<[ScenarioId, string[]]>([
    ['plain-text', []],
    ['thought-and-citations', ['THOUGHT_TRACE', 'THOUGHT_TRACE', 'CITATION_BLOCK']],
    ['many-sources', ['CITATION_BLOCK']],
    [
      'progress-and-media',
      ['PROGRESS_INDICATOR', 'PROGRESS_INDICATOR', 'PROGRESS_INDICATOR', 'PROGRESS_INDICATOR', 'MEDIA_CAROUSEL'],
    ],
    ['markdown', ['CITATION_BLOCK']],
    ['formulas', []],
    ['markdown-block', ['MARKDOWN_BLOCK']],
    ['data-and-artifact', ['DATA_BLOCK', 'ARTIFACT']],
    ['user-notice', ['USER_ERROR']],
    ['unknown-event', ['FLOW_DIAGRAM']],
    ['tool-call', ['TOOL_CALL', 'TOOL_CALL']],
    ['right-to-left', []],
    ['shared-plan', ['STATE_SNAPSHOT', 'STATE_DELTA', 'STATE_DELTA', 'STATE_DELTA']],
    ['queue', []],
    ['edit', []],
    ['long-thread', []],
    ['slow-stream', []],
  ])('%s: text and the events it promises, then CLOSE', async (scenario, events) => {
    const { packets, cut } = await run(await openPlayground(), scenario)
    expect(cut).toBe(false)
    expect(eventTypes(packets)).toEqual(events)
    expect(textOf(packets).length).toBeGreaterThan(20)
    expect(last(packets)).toMatchObject({ op: 'CLOSE', p: 'finished' })
  })

  it('every-event: each kind of event the protocol knows, and one it does not', async () => {
    const { packets } = await run(await openPlayground(), 'every-event')
    const known = ['THOUGHT_TRACE', 'CITATION_BLOCK', 'PROGRESS_INDICATOR', 'MEDIA_CAROUSEL', 'MARKDOWN_BLOCK']
    const later = ['DATA_BLOCK', 'ARTIFACT', 'TOOL_CALL', 'USER_ERROR']
    expect(new Set(eventTypes(packets))).toEqual(new Set([...known, ...later, 'FLOW_DIAGRAM']))
    expect(packets.some(({ op }) => op === 'ERROR')).toBe(true)
    expect(last(packets)).toMatchObject({ op: 'CLOSE', p: 'finished' })
  })

  it('queue and edit: each question gets the paragraph it is about', async () => {
    const playground = await openPlayground()
    for (const [query, word] of [
      ['What is an oxbow lake?', 'oxbow'],
      ['How wide do the loops become?', 'fourteen'],
    ] as const) {
      const { packets } = await hear(playground.origin, {
        metadata: { scenario: 'edit' },
        query,
        requestId: crypto.randomUUID(),
      })
      expect(textOf(packets)).toContain(word)
      expect(textOf(packets).length).toBeLessThan(400)
    }
  })

  it('cite, show and hand out only what this server really has', async () => {
    const playground = await openPlayground()
    const addresses: string[] = []
    for (const scenario of [
      'many-sources',
      'thought-and-citations',
      'progress-and-media',
      'data-and-artifact',
    ] as const) {
      const { packets } = await hear(playground.origin, { metadata: { scenario }, requestId: crypto.randomUUID() })
      addresses.push(...(JSON.stringify(packets).match(/http:\/\/[^"]+/g) ?? []))
    }
    expect(addresses.length).toBeGreaterThanOrEqual(15)
    for (const address of addresses) {
      const url = new URL(address)
      expect(url.origin).toBe(playground.origin)
      const response = await fetch(url)
      expect(response.status).toBe(200)
      if (url.hash) expect(await response.text()).toContain(`id="${url.hash.slice(1)}"`)
    }
  })

  it('two-streams: interleaved, each numbered and closed by itself', async () => {
    const { packets } = await run(await openPlayground(), 'two-streams')
    const ids = [...new Set(packets.map((packet) => packet.stream_id))]
    expect(ids).toHaveLength(2)
    expect(packets[0]?.stream_id).not.toBe(packets[1]?.stream_id)
    for (const id of ids) {
      const own = packets.filter((packet) => packet.stream_id === id)
      expect(own.map((packet) => packet.seq)).toEqual(own.map((_, at) => at + 1))
      expect(last(own)?.op).toBe('CLOSE')
    }
  })

  it('long-answer: more than 5,000 words', async () => {
    const { packets } = await run(await openPlayground(), 'long-answer')
    expect(textOf(packets).split(/\s+/).length).toBeGreaterThan(5_000)
  })

  it('json-answer: one document', async () => {
    const response = await ask(await openPlayground(), 'json-answer')
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.json()).toMatchObject({ request_id: REQUEST_ID, output: { river: 'Danube' } })
  })
})

describe('faults of the connection', () => {
  it.each<ScenarioId>(['cut-mid-packet', 'end-without-close'])(
    '%s: the second connection hears it all',
    async (scenario) => {
      const playground = await openPlayground()
      const first = await run(playground, scenario)
      expect(first.packets).toHaveLength(14)
      expect(first.cut).toBe(scenario === 'cut-mid-packet')
      const second = await run(playground, scenario, { 'last-event-id': first.packets[0]?.stream_id ?? '' })
      expect(second.packets.slice(0, 14)).toEqual(first.packets)
      expect(last(second.packets)?.op).toBe('CLOSE')
      expect((await playground.state(REQUEST_ID)).runs[0]).toMatchObject({
        agentRuns: 1,
        attempts: [{ attempt: 1 }, { attempt: 2, ending: 'finished' }],
      })
    },
  )

  it('cut-mid-packet: really ends inside a packet', async () => {
    const playground = await openPlayground()
    await run(playground, 'cut-mid-packet')
    const [seen] = (await playground.state(REQUEST_ID)).runs
    const bytes = seen?.attempts[0]?.bytes ?? 0
    const sent = seen?.log?.slice(0, bytes - ': open\n\n'.length) ?? ''
    expect(sent).not.toMatch(/\n\n$/)
    expect(sent).toContain('"seq":14')
    expect(seen?.attempts[0]?.ending).toBe('dropped')
  })

  it('half-open: stays open and says nothing more', async () => {
    const playground = await openPlayground()
    const leaving = new AbortController()
    const frames = framesOf(await ask(playground, 'half-open', { signal: leaving.signal }))
    for (let packet = 0; packet < 14; packet++) await frames.next()
    const next = frames.next()
    for (;;) {
      const state = await playground.state(REQUEST_ID)
      if (state.runs[0]?.attempts[0]?.silent) break
    }
    expect((await playground.state()).live).toBe(1)
    leaving.abort()
    await expect(next).rejects.toThrow(/abort/)
    const second = await allPackets(await ask(playground, 'half-open'))
    expect(last(second)?.op).toBe('CLOSE')
  })

  it('everything-twice: every packet comes two times', async () => {
    const { packets } = await run(await openPlayground(), 'everything-twice')
    expect(packets.length % 2).toBe(0)
    for (let at = 0; at < packets.length; at += 2) expect(packets[at]).toEqual(packets[at + 1])
  })

  it('gap-in-seq: three packets never come', async () => {
    const { packets } = await run(await openPlayground(), 'gap-in-seq')
    const seqs = packets.map((packet) => packet.seq)
    expect(seqs.slice(12, 16)).toEqual([13, 14, 18, 19])
    expect(last(packets)?.op).toBe('CLOSE')
  })

  it('new-stream-id: coming back starts again under another id', async () => {
    const playground = await openPlayground()
    const first = await run(playground, 'new-stream-id')
    expect(first.cut).toBe(true)
    const second = await run(playground, 'new-stream-id', { 'last-event-id': first.packets[0]?.stream_id ?? '' })
    expect(second.packets[0]?.seq).toBe(1)
    expect(second.packets[0]?.stream_id).not.toBe(first.packets[0]?.stream_id)
    expect(last(second.packets)?.op).toBe('CLOSE')
    expect((await playground.state(REQUEST_ID)).runs[0]?.agentRuns).toBe(2)
  })

  it('log-lost: coming back gives 409', async () => {
    const playground = await openPlayground()
    const first = await run(playground, 'log-lost')
    expect(first.cut).toBe(true)
    const second = await ask(playground, 'log-lost', {
      headers: { 'last-event-id': first.packets[0]?.stream_id ?? '' },
    })
    expect(second.status).toBe(409)
    expect(await second.json()).toMatchObject({ code: 'log_expired' })
  })
})

describe('errors', () => {
  it('fatal: auth_failed and CLOSE', async () => {
    const { packets } = await run(await openPlayground(), 'fatal')
    expect(packets.at(-2)).toMatchObject({ op: 'ERROR', p: { code: 'auth_failed', severity: 'FATAL' } })
    expect(last(packets)?.op).toBe('CLOSE')
  })

  it('transient: asks for four seconds and continues', async () => {
    const { packets } = await run(await openPlayground(), 'transient')
    const at = packets.findIndex((packet) => packet.op === 'ERROR')
    expect(packets[at]?.p).toMatchObject({ severity: 'TRANSIENT', details: { retry_after: 4 } })
    expect(packets[at + 1]?.op).toBe('DELTA')
  })

  it('warning: continues at once', async () => {
    const { packets } = await run(await openPlayground(), 'warning')
    const at = packets.findIndex((packet) => packet.op === 'ERROR')
    expect(packets[at]?.p).toMatchObject({ severity: 'WARNING' })
    expect(packets[at + 1]?.op).toBe('DELTA')
  })

  it('http-401 and http-500: the status, and no agent was asked', async () => {
    const playground = await openPlayground()
    const refused = await ask(playground, 'http-401')
    expect(refused.status).toBe(401)
    expect(await refused.json()).toMatchObject({ code: 'auth_failed' })
    const broken = await ask(playground, 'http-500')
    expect(broken.status).toBe(500)
    expect(broken.headers.get('content-type')).toContain('text/html')
    expect((await playground.state(REQUEST_ID)).runs[0]?.agentRuns).toBe(0)
  })

  it('a request that makes no sense is refused by the handler itself', async () => {
    const { origin } = await openPlayground()
    expect((await post(`${origin}/cap/v1/assist`, { body: '{' })).status).toBe(400)
    expect((await post(`${origin}/cap/v1/assist`, { body: 'x'.repeat(1_000_002) })).status).toBe(413)
    expect((await fetch(`${origin}/cap/v1/assist`)).status).toBe(405)
    expect((await fetch(`${origin}/cap/health`)).status).toBe(200)
    expect((await fetch(`${origin}/elsewhere`)).status).toBe(418)
  })
})
