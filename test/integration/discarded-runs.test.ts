import { describe, expect, it } from 'vitest'
import { AgentError } from '../../src/base/agent-error.ts'
import { createAgentHandler } from '../../src/server/handler/agent-handler.ts'
import { endOrphan } from '../../src/server/run/run-record.ts'
import type { EventLog, LogEntry, LogReader, LogWriter } from '../../src/server/event-log/event-log.ts'
import { memoryEventLog } from '../../src/server/event-log/memory-event-log.ts'
import { encodeSseFrame } from '../../src/wire/sse-encoder.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { create } from '../server/event-log-contract.ts'
import { allPackets, post, postRequest, REQUEST_ID, textOf } from '../server/peer.ts'
import { serveProxy, serveUpstream } from '../server/serve-proxy.ts'

const STREAM = '5b0c7a2e-3d41-4f6b-9a58-0e2f6c1d7b90'
const UNREACHABLE = new AgentError({
  kind: 'connection',
  code: 'network_error',
  severity: 'TRANSIENT',
  message: 'The store is away.',
})

/** A log in memory whose store fails at the entry of a number, once or for good, and what its writers were asked. */
function failingLog(failsAt: number): { readonly log: EventLog; readonly asked: string[] } {
  const memory = memoryEventLog()
  const asked: string[] = []
  const failing = (writer: LogWriter): LogWriter => {
    let count = 0
    return {
      async append(entry: LogEntry) {
        count += 1
        if (count >= failsAt) throw UNREACHABLE
        await writer.append(entry)
      },
      async close() {
        asked.push('close')
        // As the contract says.
        if (count < failsAt) return writer.close()
        await writer.discard()
        throw UNREACHABLE
      },
      async discard() {
        asked.push('discard')
        await writer.discard()
      },
    }
  }
  const log: EventLog = {
    ...memory,
    async begin(key, options) {
      const begun = await memory.begin(key, options)
      return begun.state === 'created' ? { ...begun, writer: failing(begun.writer) } : begun
    },
  }
  return { log, asked }
}

function packet(seq: number, op: string, p: unknown): string {
  return encodeSseFrame({
    id: STREAM,
    event: 'stream.packet',
    data: JSON.stringify({ stream_id: STREAM, seq, op, t: '2026-03-01T08:15:01Z', p }),
  })
}

describe('a run whose entry could not be kept', () => {
  it('is discarded by the handler, reported to onError once, and answered by 409 or run again', async () => {
    for (const onExpired of ['conflict', 'restart'] as const) {
      const { log, asked } = failingLog(3)
      const errors: unknown[] = []
      let runs = 0
      const handler = createAgentHandler({
        log,
        onExpired,
        clock: createManualClock(),
        onError: (error) => errors.push(error),
        agent: async function* () {
          runs += 1
          yield* runs === 1 ? ['one ', 'two ', 'three'] : ['again']
        },
      })
      const first = await handler(postRequest('http://agent.example/assist'))
      await expect(first.text()).rejects.toMatchObject({ code: 'log_expired' })
      expect(errors).toEqual([UNREACHABLE])
      expect(asked).toEqual(['discard'])
      const again = await handler(postRequest('http://agent.example/assist', { headers: { 'last-event-id': STREAM } }))
      expect([again.status, runs]).toEqual(onExpired === 'conflict' ? [409, 1] : [200, 2])
    }
  })

  it('is discarded by the proxy, reported to onError once, and asked for again upstream', async () => {
    const { log, asked } = failingLog(3)
    const upstream = await serveUpstream((_req, res) => {
      res
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end([packet(1, 'DELTA', 'one '), packet(2, 'DELTA', 'two'), packet(3, 'CLOSE', 'finished')].join(''))
    })
    const { url, errors } = await serveProxy(upstream.origin, { log })
    await (await post(url)).text().catch(() => 'cut')
    await expect.poll(() => asked).toEqual(['discard'])
    expect(errors.filter((error) => error === UNREACHABLE)).toHaveLength(1)
    expect(upstream.seen).toHaveLength(1)
    await (await post(url)).text().catch(() => 'cut')
    expect(upstream.seen).toHaveLength(2)
  })
})

describe('a log that is discarded between finding it and reading it', () => {
  it.each([
    ['conflict', 409],
    ['restart', 200],
  ] as const)('is answered as `%s` says', async (onExpired, status) => {
    const log = memoryEventLog()
    const { writer } = await create(log, REQUEST_ID)
    const late: EventLog = {
      ...log,
      async begin(key, options) {
        const begun = await log.begin(key, options)
        await writer.discard()
        return begun
      },
      async find(key) {
        const found = await log.find(key)
        await writer.discard()
        return found
      },
    }
    const handler = createAgentHandler({
      log: late,
      onExpired,
      onError: () => {},
      agent: async function* () {
        yield 'again'
      },
    })
    const response = await handler(postRequest('http://agent.example/assist', { headers: { 'last-event-id': STREAM } }))
    expect(response.status).toBe(status)
    if (status === 200) expect(textOf(await allPackets(response))).toBe('again')
  })
})

describe('a proxy run that cannot continue', () => {
  it('because a function of the app throws ends in a typed error, and not as if it were whole', async () => {
    let asked = 0
    const upstream = await serveUpstream((_req, res) => {
      res
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .write(packet(1, 'DELTA', 'half'), () => setTimeout(() => res.destroy(), 5))
    })
    const clock = createManualClock()
    const { url, errors } = await serveProxy(upstream.origin, {
      log: memoryEventLog(),
      clock: { ...clock, after: (ms, callback) => clock.after(ms < 60_000 ? 0 : ms, callback) },
      heartbeatMs: 60_000,
      headers: () => {
        asked += 1
        if (asked > 1) throw new Error('no token')
        return {}
      },
    })
    const moving = setInterval(() => void clock.advance(0), 1)
    const packets = await allPackets(await post(url)).finally(() => clearInterval(moving))
    expect(textOf(packets)).toBe('half')
    expect(packets.map(({ op }) => op)).toEqual(['DELTA', 'ERROR', 'CLOSE'])
    expect(packets[1]?.p).toMatchObject({ code: 'upstream_lost', severity: 'FATAL' })
    expect(errors.map(String)).toContain('Error: no token')
  })
})

describe('an orphaned log that cannot be read', () => {
  it('is discarded by the one that adopted it, and not closed without an ending', async () => {
    const asked: string[] = []
    const writer: LogWriter = {
      append: async () => void asked.push('append'),
      close: async () => void asked.push('close'),
      discard: async () => void asked.push('discard'),
    }
    const reader: LogReader = { read: async () => Promise.reject(UNREACHABLE) }
    await expect(
      endOrphan({ reader, log: { writer, end: 3 }, clock: createManualClock(), uuid: () => STREAM }),
    ).rejects.toBe(UNREACHABLE)
    expect(asked).toEqual(['discard'])
  })
})
