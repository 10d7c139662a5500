import { describe, expect, it } from 'vitest'
import { event, onStream } from '../../../src/server/run/agent-output.ts'
import { createAgentHandler } from '../../../src/server/handler/agent-handler.ts'
import { memoryEventLog } from '../../../src/server/event-log/memory-event-log.ts'
import { createManualClock, settle } from '../../support/manual-clock.ts'
import { allPackets, collect, framesOf, packetsOf, post, postRequest, REQUEST_ID, textOf } from '../peer.ts'
import { createGate, serveAgent } from '../serve-agent.ts'

describe('a client whose connection drops', () => {
  it('hears everything again, byte for byte, then what follows live; the agent never ran twice', async () => {
    const middle = createGate()
    let runs = 0
    const { url } = await serveAgent(async function* () {
      runs += 1
      yield 'one '
      yield event('PROGRESS_INDICATOR', { label: 'Reading', status: 'running' })
      yield onStream('side', 'two ')
      await middle.opened
      yield 'three'
    })
    const leaving = new AbortController()
    const first = framesOf(await post(url, { signal: leaving.signal }))
    const heard = [(await first.next()).value, (await first.next()).value, (await first.next()).value]
    leaving.abort()
    await expect(first.next()).rejects.toThrow(/abort|terminated/)

    const second = framesOf(await post(url, { headers: { 'last-event-id': heard[0]?.id ?? '' } }))
    const again = [(await second.next()).value, (await second.next()).value, (await second.next()).value]
    expect(again).toEqual(heard)
    middle.open()
    const rest = await collect(second)
    expect(rest.map((frame) => (JSON.parse(frame.data) as { op: string }).op)).toEqual(['DELTA', 'CLOSE', 'CLOSE'])
    expect(runs).toBe(1)

    // After the end, with or without Last-Event-ID, it is all still there.
    const third = await collect(framesOf(await post(url)))
    expect(third).toEqual([...again, ...rest])
    expect(runs).toBe(1)
  })

  it('does not stop the run by leaving', async () => {
    const left = createGate()
    const { url } = await serveAgent(async function* () {
      yield 'before '
      await left.opened
      yield 'after'
    })
    const leaving = new AbortController()
    const packets = packetsOf(await post(url, { signal: leaving.signal }))
    await packets.next()
    leaving.abort()
    await expect(packets.next()).rejects.toThrow(/abort|terminated/)
    left.open()
    await settle()
    expect(textOf(await allPackets(await post(url)))).toBe('before after')
  })

  it('may have posted many times at once and gets one run', async () => {
    let runs = 0
    const { url } = await serveAgent(async function* () {
      runs += 1
      yield `run ${runs}`
    })
    const answers = await Promise.all(Array.from({ length: 12 }, async () => allPackets(await post(url))))
    expect(runs).toBe(1)
    for (const packets of answers) expect(packets).toEqual(answers[0])
  })

  it('gets 409 when the log is gone, and runs nothing again', async () => {
    const clock = createManualClock()
    let runs = 0
    const { url } = await serveAgent(
      async function* () {
        runs += 1
        yield 'once'
      },
      { clock },
    )
    const [packet] = await allPackets(await post(url))
    await clock.advance(600_000)
    for (const headers of [{ 'last-event-id': packet?.stream_id ?? '' }, {}]) {
      const response = await post(url, { headers })
      expect(response.status).toBe(409)
      expect(await response.json()).toMatchObject({ code: 'log_expired', severity: 'FATAL' })
    }
    expect(runs).toBe(1)
  })

  it('gets 409 when it comes to a server that does not know the run', async () => {
    const { url } = await serveAgent(async function* () {
      yield 'never'
    })
    expect((await post(url, { headers: { 'last-event-id': 'x' } })).status).toBe(409)
  })

  it('gets a new run under a new stream id where the server restarts expired runs', async () => {
    const clock = createManualClock()
    const log = memoryEventLog({ clock })
    const { url } = await serveAgent(
      async function* () {
        yield 'again'
      },
      { clock, log, onExpired: 'restart' },
    )
    const before = await allPackets(await post(url))
    await log.expire(REQUEST_ID)
    const after = await allPackets(await post(url, { headers: { 'last-event-id': before[0]?.stream_id ?? '' } }))
    expect(after[0]?.seq).toBe(1)
    expect(after[0]?.stream_id).not.toBe(before[0]?.stream_id)
  })

  it('is cut when the log is lost under its feet, and the signal of the agent aborts', async () => {
    const log = memoryEventLog({ clock: createManualClock() })
    const told = createGate()
    const goOn = createGate()
    const { url } = await serveAgent(
      async (_request, run) => {
        run.signal.addEventListener('abort', told.open)
        await run.write('a')
        await goOn.opened
        await run.write('b')
      },
      { log },
    )
    const packets = packetsOf(await post(url))
    await packets.next()
    await log.expire(REQUEST_ID)
    await expect(packets.next()).rejects.toThrow(/abort|terminated/)
    goOn.open()
    await told.opened
  })
})

describe('an agent that is silent', () => {
  it('has a heartbeat sent for it every 8 s, so that nothing on the way closes the connection after 10 s', async () => {
    const clock = createManualClock()
    const handler = createAgentHandler({
      clock,
      agent: async function* (_request, run) {
        yield 'First.'
        await run.sleep(60_000)
      },
    })
    const http = await handler(postRequest('http://agent.example/assist'))
    const reader = http.body!.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader.read()).value).toBe(': open\n\n')
    expect((await reader.read()).value).toContain('First.')
    for (let beats = 0; beats < 3; beats += 1) {
      const next = reader.read()
      await settle()
      await clock.advance(8_000)
      expect((await next).value).toBe(': heartbeat\n\n')
    }
    await reader.cancel()
  })
})
