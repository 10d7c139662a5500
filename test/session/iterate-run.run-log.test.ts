import { describe, expect, it } from 'vitest'
import type { CapClientOptions } from '../../src/protocols/cap/client/cap-client.ts'
import { CapClient } from '../../src/protocols/cap/client/cap-client.ts'
import type { RetryNotice } from '../../src/session/iterate-run.ts'
import type { ServiceRequestInput } from '../../src/protocols/cap/schema/request.ts'
import { backoff } from '../../src/base/backoff.ts'
import { settle } from '../support/manual-clock.ts'
import { createManualEnvironment } from '../support/manual-environment.ts'
import { collect, requestBody } from '../server/peer.ts'

const STREAM = '5b0c7a2e-3d41-4f6b-9a58-0e2f6c1d7b90'
const packet = (seq: number, op: string, p: unknown): string =>
  `data: ${JSON.stringify({ stream_id: STREAM, seq, op, t: '2026-03-01T08:15:00Z', p })}\n\n`
const warning = { code: 'old_index', message: 'The index is a day old.', severity: 'WARNING' }
/** The peer's builder writes exactly this shape. */
const request = requestBody() as unknown as ServiceRequestInput

/** A client on a clock that does not change; the n-th request gets the n-th answer. */
function clientOf(answers: readonly string[], options: Partial<CapClientOptions> = {}) {
  const environment = createManualEnvironment()
  environment.chance = 0.5
  const retries: RetryNotice[] = []
  const warnings: unknown[] = []
  let requests = 0
  const fetch = async (): Promise<Response> =>
    new Response(answers[requests++] ?? '', { headers: { 'content-type': 'text/event-stream' } })
  const client = new CapClient({
    baseUrl: 'https://agent.example',
    fetch,
    environment,
    retry: backoff({ baseMs: 1000, maxAttempts: 3 }),
    onRetry: (retry) => retries.push(retry),
    onWarning: (error, { requestId }) => warnings.push([requestId, error.agentCode, error.severity]),
    ...options,
  })
  return { client, environment, retries, warnings }
}

describe('onRetry', () => {
  it.each(['chat', 'assist'] as const)(
    'learns of each dropped connection of %s(), and in how many milliseconds another attempt comes',
    async (how) => {
      const { client, environment, retries } = clientOf([
        packet(1, 'DELTA', 'Well'),
        '',
        packet(2, 'DELTA', '.') + packet(3, 'CLOSE', 'finished'),
      ])
      const stream = how === 'chat' ? client.chat('Why?') : client.assist(request)
      const reading = collect<unknown>(stream)
      await settle()
      expect(retries).toMatchObject([
        {
          requestId: stream.requestId,
          attempt: 1,
          maxAttempts: 3,
          delayMs: 500,
          error: { code: 'truncated', severity: 'TRANSIENT' },
        },
      ])
      await environment.clock.advance(500)
      await settle()
      expect(retries.slice(1)).toMatchObject([{ attempt: 2, delayMs: 1000 }])
      await environment.clock.advance(1000)
      expect((await reading).length).toBeGreaterThan(1)
      expect(retries).toHaveLength(2)
    },
  )

  it('is called with the wait that the agent asked for with a TRANSIENT error', async () => {
    const error = { code: 'slow', message: 'Slow.', severity: 'TRANSIENT', details: { retry_after: 7 } }
    const { client, environment, retries } = clientOf([packet(1, 'ERROR', error), packet(2, 'CLOSE', 'finished')])
    const reading = collect(client.chat('Why?')).catch((failed: unknown) => failed)
    await settle()
    expect(retries).toMatchObject([{ attempt: 1, delayMs: 7500, error: { agentCode: 'slow' } }])
    await environment.clock.advance(7500)
    await reading
  })

  it('is called with the TRANSIENT error for each replay that ends right after it, and the run fails with it', async () => {
    const error = { code: 'overloaded', message: 'Try later.', severity: 'TRANSIENT' }
    const replay = packet(1, 'DELTA', 'Well') + packet(2, 'ERROR', error)
    const { client, environment, retries } = clientOf([replay, replay, replay, replay])
    const reading = collect(client.chat('Why?')).catch((failed: unknown) => failed)
    await settle()
    for (let attempt = 1; attempt <= 3; attempt += 1) await environment.clock.advance(10_000)
    expect(await reading).toMatchObject({ code: 'agent_error', agentCode: 'overloaded', message: 'Try later.' })
    expect(retries.map((retry) => retry.error.agentCode)).toEqual(['overloaded', 'overloaded', 'overloaded'])
  })

  it('reports 0 ms for an attempt that is due, whatever the clock and the policy give', async () => {
    const environment = createManualEnvironment()
    const { clock } = environment
    let reads = 0
    // Time passes between two readings.
    const moving = { ...clock, now: () => clock.now() + (reads += 0.25) }
    for (const delayMs of [0, -500, Number.NaN]) {
      const { client, retries } = clientOf(['', packet(1, 'CLOSE', 'finished')], {
        environment: { ...environment, clock: moving },
        retry: { maxAttempts: 3, delayMs: () => delayMs },
      })
      const reading = collect(client.chat('Why?'))
      await settle()
      await clock.advance(0)
      await reading
      expect(retries).toMatchObject([{ attempt: 1, delayMs: 0 }])
    }
  })

  it('is not called while the device is offline, and is called for the attempt once it is back', async () => {
    const { client, environment, retries } = clientOf([packet(1, 'DELTA', 'Well'), packet(2, 'CLOSE', 'finished')])
    environment.goOffline()
    const reading = collect(client.chat('Why?'))
    await settle()
    expect(retries).toEqual([])
    environment.goOnline()
    expect(retries).toMatchObject([{ attempt: 1, delayMs: 500, error: { code: 'truncated' } }])
    await environment.clock.advance(500)
    await reading
  })

  it('is not called for a run that needs no second attempt, or has none left', async () => {
    const { client, retries } = clientOf([packet(1, 'DELTA', 'Well') + packet(2, 'CLOSE', 'finished'), ''], {
      retry: backoff({ maxAttempts: 0 }),
    })
    await collect(client.chat('Why?'))
    await expect(collect(client.chat('Why?'))).rejects.toMatchObject({ code: 'truncated' })
    expect(retries).toEqual([])
  })
})

describe('onWarning', () => {
  it.each(['chat', 'assist'] as const)(
    'is called with each warning of %s() once, whatever is sent again',
    async (how) => {
      const { client, environment, warnings } = clientOf([
        packet(1, 'DELTA', 'A') + packet(2, 'ERROR', warning),
        packet(1, 'DELTA', 'A') +
          packet(2, 'ERROR', warning) +
          packet(3, 'DELTA', 'B') +
          packet(4, 'CLOSE', 'finished'),
      ])
      const stream = how === 'chat' ? client.chat('Why?') : client.assist(request)
      const reading = collect<unknown>(stream)
      await settle()
      await environment.clock.advance(500)
      await reading
      expect(warnings).toEqual([[stream.requestId, 'old_index', 'WARNING']])
    },
  )
})

describe('a log hook that throws', () => {
  it('is reported and changes nothing about the run', async () => {
    const failed = (): never => {
      throw new Error('the log is full')
    }
    const { client, environment } = clientOf(
      [packet(1, 'DELTA', 'A') + packet(2, 'ERROR', warning), packet(3, 'CLOSE', 'finished')],
      { onRetry: failed, onWarning: failed },
    )
    const reading = collect(client.assist(request))
    await settle()
    await environment.clock.advance(500)
    expect(await reading).toHaveLength(3)
    expect(environment.reports).toEqual([new Error('the log is full'), new Error('the log is full')])
  })
})
