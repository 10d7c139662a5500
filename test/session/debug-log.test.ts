import { afterEach, describe, expect, it, vi } from 'vitest'
import { backoff } from '../../src/base/backoff.ts'
import { CapClient } from '../../src/protocols/cap/client/cap-client.ts'
import type { DebugLogOptions } from '../../src/session/debug-log.ts'
import { createDebugLog } from '../../src/session/debug-log.ts'
import { collect } from '../server/peer.ts'
import { settle } from '../support/manual-clock.ts'
import { createManualEnvironment } from '../support/manual-environment.ts'

const STREAM = '5b0c7a2e-3d41-4f6b-9a58-0e2f6c1d7b90'
const packet = (seq: number, op: string, p: unknown): string =>
  `data: ${JSON.stringify({ stream_id: STREAM, seq, op, t: '2026-03-01T08:15:00Z', p })}\n\n`
const warning = { code: 'old_index', message: 'The index is a day old.', severity: 'WARNING' }

const TRUNCATED =
  'TRANSIENT truncated "The connection ended before the agent had finished, so the answer is not complete."'

/** Plays one run whose first connection is cut, and returns the lines of the log. */
async function play(options: DebugLogOptions = {}): Promise<string[]> {
  const environment = createManualEnvironment()
  environment.chance = 0.5
  const lines: string[] = []
  const answers = [
    packet(1, 'DELTA', 'Rivers ') + packet(2, 'ERROR', warning),
    packet(2, 'ERROR', warning) + packet(3, 'DELTA', 'meander. '.repeat(20)) + packet(4, 'CLOSE', 'finished'),
  ]
  let requests = 0
  const client = new CapClient({
    baseUrl: 'https://agent.example',
    fetch: async () => new Response(answers[requests++] ?? '', { headers: { 'content-type': 'text/event-stream' } }),
    environment,
    retry: backoff({ baseMs: 1000, maxAttempts: 3 }),
    observer: createDebugLog({ print: (line) => lines.push(line), clock: environment.clock, ...options }),
  })
  const reading = collect(client.chat('Why?'))
  await settle()
  await environment.clock.advance(500)
  await reading
  return lines.map((line) => line.replace(/^capstan [\w-]{8}/, 'capstan <run>'))
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe('createDebugLog', () => {
  it('prints each transition and each packet, duplicates included, with the time since the run began', async () => {
    expect(await play()).toEqual([
      'capstan <run>     0 ms  idle -> connecting (started)',
      'capstan <run>     0 ms  connecting -> streaming (opened)',
      'capstan <run>     0 ms  #1 text "Rivers "',
      'capstan <run>     0 ms  #2 warning: WARNING agent_error "The index is a day old."',
      'capstan <run>     0 ms  streaming (progressed)',
      `capstan <run>     0 ms  streaming -> waiting (dropped): ${TRUNCATED}; attempt 1 of 3 in 500 ms`,
      'capstan <run>   500 ms  waiting -> connecting (due)',
      'capstan <run>   500 ms  connecting -> streaming (opened)',
      'capstan <run>   500 ms  #2 warning: WARNING agent_error "The index is a day old." (duplicate, ignored)',
      `capstan <run>   500 ms  #3 text "${'meander. '.repeat(13)}me…`,
      `capstan <run>   500 ms  #4 stream-closed {"streamId":"${STREAM}","reason":"finished"}`,
      'capstan <run>   500 ms  streaming (progressed)',
      'capstan <run>   500 ms  streaming -> closed (finished)',
    ])
  })

  it('prints transitions only when packets are left out', async () => {
    const lines = await play({ packets: false })
    expect(lines.filter((line) => line.includes('#'))).toEqual([])
    expect(lines.at(-1)).toBe('capstan <run>   500 ms  streaming -> closed (finished)')
  })

  it('prints to console.debug by default', async () => {
    const printed = vi.spyOn(console, 'debug').mockReturnValue()
    expect(await play({ print: undefined })).toEqual([])
    expect(printed.mock.calls[0]).toEqual([expect.stringContaining('idle -> connecting (started)')])
  })
})

describe('an observer that throws', () => {
  it('is reported and changes nothing of the run', async () => {
    const environment = createManualEnvironment()
    const fault = new Error('of the observer')
    const fail = (): never => {
      throw fault
    }
    const client = new CapClient({
      baseUrl: 'https://agent.example',
      fetch: async () =>
        new Response(packet(1, 'DELTA', 'Well.') + packet(2, 'CLOSE', 'finished'), {
          headers: { 'content-type': 'text/event-stream' },
        }),
      environment,
      observer: fail,
    })
    const reading = collect<string>(client.chat('Why?'))
    await settle()
    expect((await reading).join('')).toBe('Well.')
    expect(environment.reports.length).toBeGreaterThan(3)
    expect(new Set(environment.reports)).toEqual(new Set([fault]))
  })
})
