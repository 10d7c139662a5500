import { describe, expect, it } from 'vitest'
import { createManualClock } from '../../../support/manual-clock.ts'
import { allPackets, framesOf, packetsOf, REQUEST_ID, textOf } from '../../../server/peer.ts'
import { instantPace } from '../../instant-pace.ts'
import { openPlayground, type OpenPlayground } from '../../open-playground.ts'

const OTHER_ID = '0b7e7c52-6f0a-4d0e-9d6e-0f5d3a2c1b11'
const plain = { metadata: { scenario: 'plain-text' } }

/** A playground whose agent says one word whenever the clock moves on by a second. */
async function openSlow(): Promise<OpenPlayground & { say(words: number): Promise<void> }> {
  const clock = createManualClock()
  const playground = await openPlayground({ clock, pace: { ...instantPace, deltaMs: 1_000, random: () => 0 } })
  return { ...playground, say: async (words) => clock.advance(words * 1_000) }
}

describe('a network under control', () => {
  it('drops now, and the client comes back to the same run', async () => {
    const playground = await openSlow()
    const frames = framesOf(await playground.ask(plain))
    await frames.next()
    expect((await playground.network({ action: 'drop' })).live).toBeLessThanOrEqual(1)
    await expect(frames.next()).rejects.toThrow(/terminated/)
    await playground.say(200)
    const again = await playground.ask({ ...plain, headers: { 'last-event-id': 'here' } })
    expect(textOf(await allPackets(again))).toMatch(/^No bank .*the width of the stream\.$/s)
    const [run] = (await playground.state(REQUEST_ID)).runs
    expect(run).toMatchObject({ requestId: REQUEST_ID, scenario: 'plain-text', agentRuns: 1 })
    expect(run?.attempts).toMatchObject([
      { attempt: 1, ending: 'dropped', status: 200 },
      { attempt: 2, ending: 'finished', lastEventId: 'here' },
    ])
  })

  it('drops one run and leaves the others', async () => {
    const playground = await openSlow()
    const mine = framesOf(await playground.ask(plain))
    const theirs = framesOf(await playground.ask({ ...plain, requestId: OTHER_ID }))
    await mine.next()
    await theirs.next()
    await playground.network({ action: 'drop', requestId: REQUEST_ID })
    await expect(mine.next()).rejects.toThrow(/terminated/)
    await playground.say(1)
    expect((await theirs.next()).done).toBe(false)
  })

  it('goes silent with the socket open, and continues with what was held back', async () => {
    const playground = await openSlow()
    const packets = packetsOf(await playground.ask(plain))
    await packets.next()
    await playground.network({ action: 'silence' })
    await playground.say(3)
    expect(await playground.state(REQUEST_ID)).toMatchObject({
      live: 1,
      runs: [{ attempts: [{ silent: true, ending: 'open' }] }],
    })
    const bytes = (await playground.state(REQUEST_ID)).runs[0]?.attempts[0]?.bytes
    await playground.say(3)
    expect((await playground.state(REQUEST_ID)).runs[0]?.attempts[0]?.bytes).toBe(bytes)
    await playground.network({ action: 'silence', on: false })
    for (let seq = 2; seq <= 7; seq++) expect((await packets.next()).value).toMatchObject({ seq })
  })

  it('cuts once after so many bytes', async () => {
    const playground = await openPlayground()
    await playground.network({ action: 'cut', afterBytes: 1_000 })
    await expect(allPackets(await playground.ask(plain))).rejects.toThrow(/terminated/)
    expect((await playground.state(REQUEST_ID)).runs[0]?.attempts[0]).toMatchObject({ bytes: 1_000, ending: 'dropped' })
    expect(textOf(await allPackets(await playground.ask(plain)))).toContain('the width of the stream.')
  })

  it('arrives late and in pieces, but whole', async () => {
    const clock = createManualClock()
    const playground = await openPlayground({ clock })
    await playground.network({ action: 'shape', latencyMs: 120, jitterMs: 40, chunkBytes: 33 })
    let answered = false
    const asking = playground.ask({ metadata: { scenario: 'markdown-block' } }).then((response) => {
      answered = true
      return response
    })
    while ((await playground.state(REQUEST_ID)).runs[0]?.agentRuns !== 1);
    await clock.advance(119)
    await playground.state()
    expect(answered).toBe(false)
    let over = false
    const moving = (async () => {
      while (!over) await clock.advance(50)
    })()
    const packets = await allPackets(await asking)
    over = true
    await moving
    expect(textOf(packets)).toBe('Here is a note you can keep.')
    expect(packets.at(-1)?.op).toBe('CLOSE')
  })

  it('loses the log of a run: its connection is cut and coming back gives 409', async () => {
    const playground = await openSlow()
    const frames = framesOf(await playground.ask(plain))
    await frames.next()
    await playground.network({ action: 'lose-log', requestId: REQUEST_ID })
    await expect(frames.next()).rejects.toThrow(/terminated/)
    expect((await playground.ask({ ...plain, headers: { 'last-event-id': 'x' } })).status).toBe(409)
  })

  it('keeps the whole log of a run, and no secrets', async () => {
    const playground = await openPlayground()
    const body = await (
      await playground.ask({ ...plain, headers: { authorization: 'Bearer secret', 'x-request-id': REQUEST_ID } })
    ).text()
    const [run] = (await playground.state(REQUEST_ID)).runs
    expect(body.endsWith(run?.log ?? 'none')).toBe(true)
    expect(run?.logBytes).toBe(Buffer.byteLength(run?.log ?? ''))
    expect(run?.attempts[0]?.headers).toMatchObject({ 'x-request-id': REQUEST_ID, 'content-type': 'application/json' })
    expect(JSON.stringify(run)).not.toContain('secret')
    expect((await playground.state()).runs[0]?.log).toBeUndefined()
    expect((await playground.network({ action: 'clear' })).runs).toEqual([])
  })

  it('notices a client that leaves', async () => {
    const playground = await openSlow()
    const leaving = new AbortController()
    const frames = framesOf(await playground.ask({ ...plain, signal: leaving.signal }))
    await frames.next()
    leaving.abort()
    await expect(frames.next()).rejects.toThrow(/abort/)
    while ((await playground.state()).live > 0);
    expect((await playground.state(REQUEST_ID)).runs[0]?.attempts[0]?.ending).toBe('left')
  })
})

describe('who may control the network', () => {
  it('is the page of this server, in JSON', async () => {
    const { origin } = await openPlayground()
    const send = (init: RequestInit): Promise<Response> =>
      fetch(`${origin}/__network`, { method: 'POST', body: '{"action":"drop"}', ...init })
    expect((await send({ headers: { 'content-type': 'application/json', origin } })).status).toBe(200)
    expect(
      (await send({ headers: { 'content-type': 'application/json', origin: 'https://evil.example' } })).status,
    ).toBe(403)
    expect((await send({ headers: { 'content-type': 'text/plain' } })).status).toBe(415)
    expect((await send({ headers: { 'content-type': 'application/json' }, body: '{"action":"explode"}' })).status).toBe(
      400,
    )
    expect((await send({ headers: { 'content-type': 'application/json' }, body: '{' })).status).toBe(400)
    expect((await fetch(`${origin}/__network`, { method: 'DELETE' })).status).toBe(405)
  })
})
