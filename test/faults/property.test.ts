import { describe, expect, it } from 'vitest'
import { playSchedule } from './property/play-schedule.ts'
import { regressions } from './property/regressions.ts'
import { runSchedules as runFrameSchedules } from './property/run-frame-schedules.ts'
import { runSchedules } from './property/run-schedules.ts'

const SEED = 20_261_121
const COUNT = 1500
/** Each costs more: there are two ends. */
const COUNT_OVER_FRAMES = 300

describe('a chat, whatever the connection, the server and the user do', () => {
  it(
    `shows a prefix of the truth at every step and comes to an end, over ${COUNT} schedules`,
    { timeout: 120_000 },
    async () => {
      const { failure, played, met } = await runSchedules({ seed: SEED, count: COUNT })
      expect(failure).toBeUndefined()
      expect(played).toBe(COUNT)
      // A generator that no longer meets a fault would pass for ever.
      for (const fault of FAULTS) expect(met[fault] ?? 0, fault).toBeGreaterThan(0)
    },
  )
})

describe('a chat over frames, as over WebSockets', () => {
  it(`keeps the same promises, over ${COUNT_OVER_FRAMES} schedules`, { timeout: 240_000 }, async () => {
    const { failure, played, met } = await runFrameSchedules({ seed: SEED, count: COUNT_OVER_FRAMES })
    expect(failure).toBeUndefined()
    expect(played).toBe(COUNT_OVER_FRAMES)
    for (const fault of FAULTS_OVER_FRAMES) expect(met[fault] ?? 0, fault).toBeGreaterThan(0)
  })
})

describe('a schedule that broke a promise once', () => {
  it.each(regressions)('%s', async (_, schedule) => {
    await expect(playSchedule(schedule)).resolves.toBeDefined()
  })
})

const FAULTS = `
  refused, answer-lost, mute, empty, page, conflict, new stream id, overlapping replay, splinters, expired key
  reset after bytes, reset after packets, eof after bytes, eof after packets, silence after bytes, silence after packets
  drip, gap, swap, doubled, said-again, retry-field, garbage, after-close
  status 503, status 503 with Retry-After, status 500, status 429, status 408, status 401, status 403, status 404, status 204
  send, stop, retry, regenerate, discard, clear-error, disconnect, resume, hide, show, offline, online, sleep, freeze, expire, callbacks, flap, takeover, busy, queue, disposed of in the middle
  inside subscriber, inside createRequest, inside onWarning, inside onFinish, inside onError, drip after packets
  answer, answer 200, answer 409, answer lost, answer refused, cancel 200, cancel lost, cancel refused
  ending: complete, ending: stopped, ending: given up, ending: failed network_error, ending: failed timeout, ending: failed truncated
`
  .split(/[,\n]/)
  .map((fault) => fault.trim())
  .filter((fault) => fault !== '')

/** What does not need thousands of schedules to be met. */
const FAULTS_OVER_FRAMES = `
  refused, answer-lost, mute, empty, page, conflict, new stream id, overlapping replay, splinters, expired key
  reset after bytes, reset after packets, eof after bytes, eof after packets, silence after bytes, silence after packets
  gap, swap, doubled, said-again, garbage, after-close, status 503 with Retry-After
  send, stop, retry, disconnect, resume, offline, online, sleep, freeze, expire, flap, takeover
  ending: complete, ending: stopped, ending: failed network_error
`
  .split(/[,\n]/)
  .map((fault) => fault.trim())
  .filter((fault) => fault !== '')
