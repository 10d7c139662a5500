import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../src/seam/agent-event.ts'
import {
  type AgentClient,
  type SessionOptions,
  type Session,
  createRetryBudget,
} from '../../src/session/agent-client.ts'
import type { Connection, Ending } from '../../src/session/connection.ts'
import { backoff } from '../../src/base/backoff.ts'
import { createResumePoint } from '../../src/session/resume-point.ts'
import { createSession } from '../../src/session/session.ts'
import type { ManualEnvironment } from '../support/manual-environment.ts'
import { createManualEnvironment } from '../support/manual-environment.ts'
import { createLockSlots } from '../../src/base/ports/connection-slots.ts'
import { createFakeLocks } from '../support/fake-locks.ts'
import { settle } from '../support/manual-clock.ts'
import type { ScriptedPeer } from '../support/scripted-peer.ts'
import { createScriptedPeer, delivery, failure, textDelivery } from '../support/scripted-peer.ts'

let environment: ManualEnvironment
let peer: ScriptedPeer
let events: AgentEvent[]
let phases: string[]
let endings: Ending[]
let session: Session

type Setting = Partial<AgentClient<string>> & Partial<Pick<SessionOptions<string, unknown>, 'onEvents' | 'resumePoint'>>

function begin({ onEvents, resumePoint, ...setting }: Setting = {}, scripted = createScriptedPeer()): Session {
  peer = scripted
  session = createSession({
    client: {
      protocol: peer.protocol,
      retry: backoff({ maxAttempts: 3, baseMs: 500 }),
      timeoutMs: 60_000,
      environment,
      createRequest: ({ text: asked }) => asked,
      ...setting,
    },
    request: 'question',
    requestId: 'r1',
    resumePoint,
    onEvents: onEvents ?? ((batch) => void events.push(...batch.map(({ event }) => event))),
    onConnection: (connection: Connection) => void phases.push(connection.phase),
    onEnded: (ending) => void endings.push(ending),
  })
  session.start()
  return session
}

const text = (): string => events.map((event) => (event.type === 'text' ? event.text : '')).join('')
const transient = (retryAfterMs?: number) => failure({ kind: 'runtime', code: 'agent_error', retryAfterMs })

beforeEach(() => {
  environment = createManualEnvironment()
  environment.chance = 0.5
  events = []
  phases = []
  endings = []
})

afterEach(async () => {
  await session.stop()
  await settle()
  // The rest of a response is read for so long.
  await environment.clock.advance(100)
  expect(environment.clock.pending, 'timers left').toBe(0)
  expect(environment.listeners, 'listeners left').toBe(0)
})

describe('a run on a good connection', () => {
  it('passes on every event once and ends finished when its stream closes', async () => {
    begin()
    peer.connection.alive()
    peer.connection.say(1, 'Rivers ')
    peer.connection.say(2, 'bend.')
    peer.connection.close(3)
    await settle()
    expect(text()).toBe('Rivers bend.')
    expect(endings).toEqual([{ type: 'finished', response: undefined }])
    // Once for the answer and once for the first content.
    expect(phases).toEqual(['connecting', 'streaming', 'streaming', 'closed'])
  })

  it('ends at once, and reads the rest of the response for 100 ms without passing it on', async () => {
    begin()
    peer.connection.say(1, 'Rivers')
    peer.connection.close(2)
    await settle()
    expect(endings).toEqual([{ type: 'finished', response: undefined }])
    const before = [...events]
    peer.connection.say(3, ' never')
    peer.connection.event(4, { type: 'stream-failed', streamId: 's1', error: failure({ severity: 'FATAL' }) })
    peer.connection.say(1, 'Another', 's2')
    await environment.clock.advance(99)
    expect(peer.connection.aborted).toBe(false)
    await environment.clock.advance(1)
    expect(peer.connection.aborted).toBe(true)
    expect(events).toEqual(before)
    expect(endings).toHaveLength(1)
  })

  it('waits for nothing more once the response has ended or broken', async () => {
    for (const isBroken of [false, true]) {
      begin()
      peer.connection.close(1)
      await settle()
      expect(environment.clock.pending).toBe(1)
      if (isBroken) peer.connection.fail(failure())
      else peer.connection.end()
      await settle()
      expect(environment.clock.pending).toBe(0)
    }
    expect(endings.map(({ type }) => type)).toEqual(['finished', 'finished'])
  })

  it('closes the connection at once when the run is stopped, left or fails before its end', async () => {
    const ends: readonly (() => void)[] = [
      () => void session.stop(),
      () => session.disconnect(),
      () =>
        peer.connection.batch({ event: { type: 'text', streamId: 's1', text: 'too long' }, progress: true, bytes: 9 }),
    ]
    for (const end of ends) {
      begin({ limits: { bytes: 8 } })
      peer.connection.alive()
      await settle()
      end()
      await settle()
      expect(peer.connection.aborted).toBe(true)
    }
  })

  it('ends with the response when the protocol says the run has ended', async () => {
    begin()
    peer.connection.batch({ event: { type: 'run-finished', response: { output: 1 } }, progress: true })
    await settle()
    expect(endings).toEqual([{ type: 'finished', response: { output: 1 } }])
  })

  it('waits a moment for a late stream when it has seen several', async () => {
    begin()
    peer.connection.say(1, 'A')
    peer.connection.say(1, 'B', 's2')
    peer.connection.close(2)
    peer.connection.close(2, 's2')
    await settle()
    expect(endings).toEqual([])
    peer.connection.say(1, 'C', 's3')
    await environment.clock.advance(300)
    expect(endings).toEqual([])
    peer.connection.close(2, 's3')
    await environment.clock.advance(250)
    expect(endings).toEqual([{ type: 'finished', response: undefined }])
    expect(peer.connections).toHaveLength(1)
  })

  it('takes the end of the connection as the end of the run once every stream has closed', async () => {
    begin()
    peer.connection.batch(
      textDelivery(1, 'A'),
      textDelivery(1, 'B', 's2'),
      delivery(2, { type: 'stream-closed', streamId: 's1' }),
      delivery(2, { type: 'stream-closed', streamId: 's2' }, 's2'),
    )
    peer.connection.fail(failure())
    await settle()
    expect(endings).toEqual([{ type: 'finished', response: undefined }])
    expect(peer.connections).toHaveLength(1)
  })

  it('ignores what comes after the close of a stream', async () => {
    begin()
    peer.connection.say(1, 'A')
    peer.connection.say(1, 'B', 's2')
    peer.connection.close(2)
    peer.connection.say(3, 'late')
    await settle()
    expect(text()).toBe('AB')
  })
})

describe('a run whose connection drops', () => {
  it('continues after the last packet it saw, under the same request id, with nothing twice', async () => {
    begin()
    peer.connection.say(1, 'Rivers ')
    peer.connection.say(2, 'bend ')
    await settle()
    peer.connection.fail(failure())
    await settle()
    expect(session.connection).toMatchObject({ phase: 'waiting', attempt: 1, nextRetryAt: 250 })
    await environment.clock.advance(250)
    expect(peer.connections).toHaveLength(2)
    expect(peer.connection.opening).toMatchObject({
      requestId: 'r1',
      request: 'question',
      attempt: 1,
      handle: { lastEventId: 's1' },
      cursors: [{ streamId: 's1', seq: 2 }],
    })
    peer.connection.say(1, 'Rivers ')
    peer.connection.say(2, 'bend ')
    peer.connection.say(3, 'slowly.')
    peer.connection.close(4)
    await settle()
    expect(text()).toBe('Rivers bend slowly.')
    expect(endings).toEqual([{ type: 'finished', response: undefined }])
  })

  it('takes a clean end without CLOSE as a drop, never as an answer', async () => {
    begin()
    peer.connection.say(1, 'half an')
    peer.connection.end()
    await settle()
    expect(endings).toEqual([])
    expect(session.connection).toMatchObject({ phase: 'waiting', error: { code: 'truncated' } })
  })

  it('waits longer each time, and gives up with the last error when no attempt brings anything new', async () => {
    begin()
    environment.chance = 1
    const waits: number[] = []
    for (let attempt = 0; attempt < 4; attempt += 1) {
      peer.connection.alive()
      peer.connection.end()
      await settle()
      if (session.connection.phase !== 'waiting') break
      waits.push((session.connection.nextRetryAt ?? 0) - environment.clock.now())
      await environment.clock.advance(waits.at(-1) ?? 0)
    }
    expect(waits).toEqual([500, 1000, 2000])
    expect(peer.connections).toHaveLength(4)
    expect(endings).toMatchObject([{ type: 'failed', error: { code: 'truncated', kind: 'connection' } }])
  })

  it('begins counting again with new content, not with a bare answer or a replay', async () => {
    begin()
    for (let seq = 1; seq <= 10; seq += 1) {
      for (let replay = 1; replay < seq; replay += 1) peer.connection.say(replay, '.')
      peer.connection.say(seq, '.')
      peer.connection.end()
      await settle()
      expect(session.connection).toMatchObject({ phase: 'waiting', attempt: 1 })
      await environment.clock.advance(15_000)
    }
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      for (let replay = 1; replay <= 10; replay += 1) peer.connection.say(replay, '.')
      peer.connection.end()
      await settle()
      await environment.clock.advance(15_000)
    }
    expect(text()).toBe('..........')
    expect(endings).toMatchObject([{ type: 'failed' }])
  })

  it('begins counting again with a heartbeat, and earns an attempt by it', async () => {
    let earned = 0
    begin({ budget: { spend: () => true, earn: () => (earned += 1) } })
    for (let connections = 1; connections <= 10; connections += 1) {
      peer.connection.alive()
      await environment.clock.advance(8_000)
      peer.connection.alive()
      await settle()
      expect(session.connection).toMatchObject({ phase: 'streaming', attempt: 0 })
      expect(session.connection.error).toBeUndefined()
      expect(earned).toBe(connections)
      peer.connection.end()
      await settle()
      expect(session.connection).toMatchObject({ phase: 'waiting', attempt: 1 })
      await environment.clock.advance(30_000)
    }
    peer.connection.say(1, 'Rivers')
    peer.connection.close(2)
    await settle()
    expect(endings).toMatchObject([{ type: 'finished' }])
  })

  it.each([
    ['a comment that opens the stream', 100, 'alive'],
    ['pieces that complete nothing', 8_000, 'drip'],
  ] as const)('does not begin counting again with %s', async (_, ms, sign) => {
    begin()
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      // Headers that come late are no heartbeat either.
      await environment.clock.advance(2_000)
      peer.connection.alive()
      await environment.clock.advance(ms)
      peer.connection[sign]()
      await settle()
      peer.connection.end()
      await settle()
      await environment.clock.advance(30_000)
    }
    expect(endings).toMatchObject([{ type: 'failed' }])
    expect(peer.connections).toHaveLength(4)
  })

  it('does not retry an HTTP refusal of the first attempt, unless the policy says so', async () => {
    begin()
    peer.connection.fail(failure({ kind: 'runtime', code: 'http_error', status: 503 }))
    await settle()
    expect(endings).toMatchObject([{ type: 'failed', error: { status: 503 } }])
    endings = []
    begin({ retry: backoff({ retryHttp: true }) })
    peer.connection.fail(failure({ kind: 'runtime', code: 'http_error', status: 503, retryAfterMs: 2000 }))
    await settle()
    expect(session.connection).toMatchObject({ phase: 'waiting' })
  })

  it('counts an HTTP refusal of a resume as a failed attempt, and a final one ends the run', async () => {
    begin()
    peer.connection.say(1, 'A')
    peer.connection.end()
    await environment.clock.advance(250)
    peer.connection.fail(failure({ kind: 'runtime', code: 'http_error', status: 503 }))
    await settle()
    expect(session.connection).toMatchObject({ phase: 'waiting', attempt: 2 })
    await environment.clock.advance(1000)
    peer.connection.fail(failure({ kind: 'runtime', code: 'log_expired', status: 409, severity: 'FATAL' }))
    await settle()
    expect(endings).toMatchObject([{ type: 'failed', error: { status: 409 } }])
  })

  it('does not try again where a new connection could only repeat the text', async () => {
    begin({}, createScriptedPeer({ canResume: (cursors) => cursors.every(({ seq }) => seq !== undefined) }))
    peer.connection.batch(delivery(undefined, { type: 'text', streamId: 's1', text: 'unnumbered' }))
    peer.connection.end()
    await settle()
    expect(endings).toMatchObject([{ type: 'failed', error: { code: 'truncated', severity: 'FATAL' } }])
    expect(peer.connections).toHaveLength(1)
  })

  it('keeps the wait the server asked for as the floor', async () => {
    begin()
    peer.connection.say(1, 'A')
    peer.connection.fail(transient(4000))
    await settle()
    expect(session.connection.nextRetryAt).toBe(4250)
  })
})

describe('the wait that a server asks for', () => {
  const unavailable = (retryAfterMs: number) =>
    failure({ kind: 'runtime', code: 'http_error', status: 503, retryAfterMs })
  const empty = { spend: () => false, earn: () => {} }

  it('is the floor for an attempt that the budget does not cover, with the wait of such attempts on top', async () => {
    begin({ budget: empty })
    peer.connection.say(1, 'A')
    peer.connection.fail(unavailable(900_000))
    await settle()
    expect(session.connection.nextRetryAt).toBe(925_000)
  })

  it('is the floor whatever the policy of an app says', async () => {
    begin({ retry: { maxAttempts: 3, delayMs: () => 0 } })
    peer.connection.say(1, 'A')
    peer.connection.fail(transient(4000))
    await settle()
    expect(session.connection.nextRetryAt).toBe(4000)
  })

  it('counts for one hour at most', async () => {
    begin({ retry: { maxAttempts: 3, delayMs: () => 0 } })
    peer.connection.say(1, 'A')
    peer.connection.fail(transient(999_999_000))
    await settle()
    expect(session.connection.nextRetryAt).toBe(3_600_000)
  })

  it('holds over disconnect and resume; a user who will not wait goes immediately', async () => {
    begin()
    peer.connection.say(1, 'A')
    peer.connection.fail(transient(90_000))
    await settle()
    session.disconnect()
    await environment.clock.advance(1000)
    session.resume()
    expect(session.connection).toMatchObject({ phase: 'waiting', nextRetryAt: 90_000 })
    expect(peer.connections).toHaveLength(1)
    session.retryNow()
    expect(peer.connections).toHaveLength(2)
  })

  it('counts the requests that were made: four of a run that never opened, three after content', async () => {
    begin()
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      peer.connection.fail(failure())
      await settle()
      await environment.clock.advance(30_000)
    }
    expect(endings).toMatchObject([{ type: 'failed' }])
    expect(peer.connections).toHaveLength(4)
    expect(session.connection).toMatchObject({ phase: 'failed', requests: 4, hasOpened: false })

    begin()
    peer.connection.say(1, 'Rivers ')
    for (let attempt = 0; attempt <= 3; attempt += 1) {
      peer.connection.fail(failure())
      await settle()
      await environment.clock.advance(30_000)
    }
    expect(peer.connections).toHaveLength(4)
    expect(session.connection).toMatchObject({ phase: 'failed', requests: 3, hasOpened: true })

    session.resume()
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      await settle()
      peer.connection.fail(failure())
      await settle()
      await environment.clock.advance(30_000)
    }
    expect(peer.connections).toHaveLength(8)
    expect(session.connection).toMatchObject({ phase: 'failed', requests: 4, hasOpened: true })
  })

  it('of a run that another page began is not a first connection', async () => {
    const resumePoint = createResumePoint()
    begin({ resumePoint })
    peer.connection.say(1, 'Rivers ')
    await settle()
    await session.stop()
    begin({ resumePoint })
    peer.connection.fail(failure())
    await settle()
    expect(session.connection).toMatchObject({ phase: 'waiting', hasOpened: true })
  })

  it('counts for a run too whose first attempt was refused for good', async () => {
    begin()
    peer.connection.fail(unavailable(90_000))
    await settle()
    expect(endings).toMatchObject([{ type: 'failed', error: { status: 503 } }])
    session.resume()
    expect(session.connection).toMatchObject({ phase: 'waiting', nextRetryAt: 90_000 })
  })

  it('goes along with the resume point: a session that resumes from it waits too', async () => {
    const resumePoint = createResumePoint()
    begin({ resumePoint })
    peer.connection.say(1, 'A')
    peer.connection.fail(transient(90_000))
    await settle()
    await session.stop()
    await environment.clock.advance(30_000)
    begin({ resumePoint: { ...resumePoint, streams: new Map(resumePoint.streams) } })
    expect(peer.connections).toHaveLength(0)
    expect(session.connection).toMatchObject({ phase: 'waiting', nextRetryAt: 90_000 })
    await environment.clock.advance(60_000)
    expect(peer.connections).toHaveLength(1)
    expect(peer.connection.opening.attempt).toBe(1)
  })

  it('is forgotten once an attempt has gone out, and is no more than an hour whatever was written down', async () => {
    const resumePoint = { ...createResumePoint(), notBefore: environment.clock.date() + 999_999_000 }
    begin({ resumePoint })
    expect(session.connection.nextRetryAt).toBe(3_600_000)
    session.retryNow()
    expect(peer.connections).toHaveLength(1)
    expect(resumePoint.notBefore).toBeUndefined()
  })

  it('that is not a number counts for nothing', () => {
    begin({ resumePoint: { ...createResumePoint(), notBefore: Number.NaN } })
    expect(peer.connections).toHaveLength(1)
  })
})

describe('a silent connection', () => {
  it('is given back, with its place, while the run waits after a TRANSIENT error', async () => {
    const locks = createFakeLocks()
    begin({ environment: { ...environment, slots: createLockSlots(locks, 1) } })
    await settle()
    peer.connection.say(1, 'A')
    peer.connection.event(2, { type: 'stream-interrupted', streamId: 's1', error: transient(600_000) })
    await settle()
    expect(session.connection.phase).toBe('waiting')
    expect(locks.held.size).toBe(1)
    await environment.clock.advance(60_000)
    expect(session.connection).toMatchObject({ phase: 'waiting', attempt: 1, nextRetryAt: 600_250 })
    expect(peer.connection.aborted).toBe(true)
    expect(locks.held.size).toBe(0)
    await environment.clock.advance(540_250)
    expect(peer.connections).toHaveLength(2)
  })

  it('comes back no later when a policy whose waits are never zero is told about a second TRANSIENT error', async () => {
    begin({ retry: { maxAttempts: 3, delayMs: () => 2000 } })
    peer.connection.event(1, { type: 'stream-interrupted', streamId: 's1', error: transient() })
    await settle()
    expect(session.connection.nextRetryAt).toBe(2000)
    await environment.clock.advance(1500)
    peer.connection.event(2, { type: 'stream-interrupted', streamId: 's1', error: transient() })
    await settle()
    expect(session.connection).toMatchObject({ phase: 'waiting', attempt: 1, nextRetryAt: 2000 })
  })

  it('is one whose bytes never complete anything: it ends with a typed timeout, however they drip', async () => {
    begin({ retry: backoff({ maxAttempts: 0 }) })
    peer.connection.say(1, 'A')
    await settle()
    for (let drop = 0; drop < 34; drop += 1) {
      peer.connection.drip()
      await environment.clock.advance(10_000)
    }
    expect(endings).toEqual([])
    await environment.clock.advance(10_000)
    expect(endings).toMatchObject([{ type: 'failed', error: { code: 'timeout', severity: 'TRANSIENT' } }])
    expect(peer.connection.aborted).toBe(true)
  })

  it('is none whose frame takes long and is whole in the end', async () => {
    begin()
    for (let frame = 1; frame <= 3; frame += 1) {
      for (let drop = 0; drop < 20; drop += 1) {
        peer.connection.drip()
        await environment.clock.advance(10_000)
      }
      peer.connection.say(frame, 'A')
      await settle()
    }
    expect(text()).toBe('AAA')
    expect(peer.connections).toHaveLength(1)
  })
})

describe('a silent connection', () => {
  it('is dropped after the timeout and resumed', async () => {
    begin()
    peer.connection.say(1, 'A')
    await environment.clock.advance(59_999)
    expect(session.connection.phase).toBe('streaming')
    const [first] = peer.connections
    await environment.clock.advance(1)
    expect(session.connection).toMatchObject({ phase: 'waiting', error: { code: 'timeout' } })
    expect(first?.aborted).toBe(true)
  })

  it('counts any sign of life, and silence before the first one', async () => {
    begin()
    await environment.clock.advance(59_000)
    peer.connection.alive()
    await environment.clock.advance(59_000)
    peer.connection.alive()
    await environment.clock.advance(59_000)
    expect(session.connection.phase).toBe('streaming')
    await environment.clock.advance(1000)
    expect(session.connection.phase).toBe('waiting')
  })
})

describe('a stream that reports errors', () => {
  it('continues after a WARNING', async () => {
    begin()
    peer.connection.event(1, { type: 'warning', streamId: 's1', error: failure({ severity: 'WARNING' }) })
    peer.connection.say(2, 'still here')
    peer.connection.close(3)
    await settle()
    expect(endings).toEqual([{ type: 'finished', response: undefined }])
    expect(text()).toBe('still here')
  })

  it('comes back after a TRANSIENT one, reading the old connection until then', async () => {
    begin()
    peer.connection.say(1, 'A')
    peer.connection.event(2, { type: 'stream-interrupted', streamId: 's1', error: transient(2000) })
    await settle()
    expect(session.connection).toMatchObject({ phase: 'waiting', attempt: 1, nextRetryAt: 2250 })
    peer.connection.say(3, 'B')
    await settle()
    expect(text()).toBe('AB')
    await environment.clock.advance(2250)
    expect(peer.connections).toHaveLength(2)
    expect(peer.connections[0]?.aborted).toBe(true)
    peer.connection.say(4, 'C')
    peer.connection.close(5)
    await settle()
    expect(text()).toBe('ABC')
    expect(endings).toEqual([{ type: 'finished', response: undefined }])
  })

  it('fails with the TRANSIENT error when the stream closes right after it', async () => {
    begin()
    peer.connection.say(1, 'A')
    peer.connection.event(2, { type: 'stream-interrupted', streamId: 's1', error: transient(2000) })
    peer.connection.close(3)
    await settle()
    expect(endings).toMatchObject([{ type: 'failed', error: { code: 'agent_error', severity: 'TRANSIENT' } }])
    expect(events.at(-1)).toMatchObject({ type: 'stream-failed' })
    expect(peer.connections).toHaveLength(1)
  })

  it('gives up when nothing but TRANSIENT errors come', async () => {
    begin()
    for (let seq = 1; seq <= 4; seq += 1) {
      peer.connection.event(seq, { type: 'stream-interrupted', streamId: 's1', error: transient() })
      await settle()
      await environment.clock.advance(10_000)
    }
    expect(peer.connections).toHaveLength(4)
    expect(endings).toMatchObject([{ type: 'failed', error: { code: 'agent_error' } }])
  })

  it('fails with the last TRANSIENT error when each replay ends right after it', async () => {
    const error = failure({ kind: 'runtime', code: 'agent_error', agentCode: 'overloaded', message: 'Try later.' })
    const replay = (): void => {
      peer.connection.say(1, 'A')
      peer.connection.event(2, { type: 'stream-interrupted', streamId: 's1', error })
      peer.connection.end()
    }
    begin()
    replay()
    await settle()
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      expect(session.connection).toMatchObject({ phase: 'waiting', attempt, error: { agentCode: 'overloaded' } })
      await environment.clock.advance(10_000)
      replay()
      await settle()
    }
    expect(peer.connections).toHaveLength(4)
    expect(endings).toMatchObject([{ type: 'failed', error: { agentCode: 'overloaded', message: 'Try later.' } }])
    expect(text()).toBe('A')
    // Resumed by the user, or on another page: it is the same run.
    session.resume()
    await settle()
    for (let attempt = 0; attempt <= 3; attempt += 1) {
      peer.connection.alive()
      peer.connection.end()
      await settle()
      await environment.clock.advance(10_000)
    }
    expect(endings).toMatchObject([{ type: 'failed' }, { type: 'failed', error: { agentCode: 'overloaded' } }])
  })

  it('fails with a TRANSIENT error that an earlier page received', async () => {
    const error = failure({ kind: 'runtime', code: 'agent_error', agentCode: 'overloaded' })
    const resumePoint = { ...createResumePoint(), attempts: 1, restored: true }
    resumePoint.streams.set('s1', { seq: 2, state: 'open', error })
    begin({ resumePoint, retry: backoff({ maxAttempts: 0 }) })
    peer.connection.alive()
    peer.connection.end()
    await settle()
    expect(endings).toMatchObject([{ type: 'failed', error: { agentCode: 'overloaded' } }])
  })

  it('fails as truncated when new content followed a TRANSIENT error, on any stream', async () => {
    begin({ retry: backoff({ maxAttempts: 1 }) })
    peer.connection.event(1, { type: 'stream-interrupted', streamId: 's1', error: transient() })
    await settle()
    await environment.clock.advance(10_000)
    peer.connection.say(1, 'New', 's2')
    peer.connection.end()
    await settle()
    await environment.clock.advance(10_000)
    peer.connection.alive()
    peer.connection.end()
    await settle()
    expect(endings).toMatchObject([{ type: 'failed', error: { code: 'truncated' } }])
  })

  it('fails with the network error when no connection opens after a TRANSIENT error', async () => {
    begin({ retry: backoff({ maxAttempts: 1 }) })
    peer.connection.event(1, { type: 'stream-interrupted', streamId: 's1', error: transient() })
    await settle()
    await environment.clock.advance(10_000)
    peer.connection.fail(failure({ kind: 'connection', code: 'network_error' }))
    await settle()
    expect(endings).toMatchObject([{ type: 'failed', error: { code: 'network_error' } }])
  })

  it('stays failed when a failed run is resumed and the connection ends without packets', async () => {
    begin()
    peer.connection.event(1, { type: 'stream-failed', streamId: 's1', error: failure({ severity: 'FATAL' }) })
    await settle()
    session.resume()
    await settle()
    peer.connection.alive()
    peer.connection.end()
    await settle()
    expect(endings.map(({ type }) => type)).toEqual(['failed', 'failed'])
  })

  it('fails immediately on a FATAL one, when no other stream is open', async () => {
    begin()
    peer.connection.event(1, {
      type: 'stream-failed',
      streamId: 's1',
      error: failure({ severity: 'FATAL', agentCode: 'auth_failed' }),
    })
    await settle()
    expect(endings).toMatchObject([{ type: 'failed', error: { agentCode: 'auth_failed' } }])
  })

  it('lets the other streams finish first', async () => {
    begin()
    peer.connection.say(1, 'B', 's2')
    peer.connection.event(1, { type: 'stream-failed', streamId: 's1', error: failure({ severity: 'FATAL' }) })
    await settle()
    expect(endings).toEqual([])
    peer.connection.close(2, 's2')
    await settle()
    expect(endings).toMatchObject([{ type: 'failed' }])
  })
})

describe('a server that lost or repeats', () => {
  it('marks a gap and continues', async () => {
    begin()
    peer.connection.say(1, 'A')
    peer.connection.say(4, 'D')
    peer.connection.close(5)
    await settle()
    expect(events.map((event) => event.type)).toEqual(['text', 'diagnostic', 'text', 'stream-closed'])
    expect(events[1]).toEqual({ type: 'diagnostic', diagnostic: { kind: 'gap', streamId: 's1', after: 1, before: 4 } })
  })

  it('says so when the server begins again under another stream id', async () => {
    begin()
    peer.connection.say(1, 'old')
    peer.connection.end()
    await environment.clock.advance(250)
    peer.connection.say(1, 'new', 's9')
    peer.connection.close(2, 's9')
    await settle()
    expect(events.map((event) => (event.type === 'diagnostic' ? event.diagnostic.kind : event.type))).toEqual([
      'text',
      'restarted',
      'text',
      'stream-closed',
    ])
    expect(endings).toEqual([{ type: 'finished', response: undefined }])
  })

  it('marks a gap before the first packet when its number is above 1', async () => {
    begin()
    peer.connection.say(2, 'B')
    peer.connection.close(3)
    await settle()
    expect(events[0]).toEqual({ type: 'diagnostic', diagnostic: { kind: 'gap', streamId: 's1', after: 0, before: 2 } })
  })

  it('cannot be found out about packet 0, for 1 is where most streams begin', async () => {
    begin()
    peer.connection.say(1, 'B')
    peer.connection.close(2)
    await settle()
    expect(events.map((event) => event.type)).toEqual(['text', 'stream-closed'])
    expect(endings).toEqual([{ type: 'finished', response: undefined }])
  })

  it('takes later new ids on a resumed connection as further streams', async () => {
    begin()
    peer.connection.say(1, 'A')
    peer.connection.end()
    await environment.clock.advance(250)
    peer.connection.batch(textDelivery(1, 'A'), textDelivery(1, 'B', 's2'))
    await settle()
    expect(events.filter((event) => event.type === 'diagnostic')).toEqual([])
    expect(text()).toBe('AB')
  })
})

describe('the network of the device', () => {
  it('makes no attempt while offline and one soon after coming back', async () => {
    begin()
    peer.connection.say(1, 'A')
    await settle()
    environment.goOffline()
    expect(session.connection.phase).toBe('streaming')
    peer.connection.fail(failure())
    await settle()
    expect(session.connection.phase).toBe('offline')
    await environment.clock.advance(600_000)
    expect(peer.connections).toHaveLength(1)
    environment.goOnline()
    expect(session.connection).toMatchObject({ phase: 'waiting', nextRetryAt: 600_500 })
    await environment.clock.advance(1000)
    expect(peer.connections).toHaveLength(2)
  })

  it('does not shorten a wait that the server asked for', async () => {
    begin()
    peer.connection.say(1, 'A')
    peer.connection.fail(failure({ kind: 'runtime', code: 'http_error', status: 503, retryAfterMs: 90_000 }))
    await settle()
    environment.goOffline()
    await environment.clock.advance(10_000)
    environment.goOnline()
    expect(session.connection).toMatchObject({ phase: 'waiting', nextRetryAt: 90_000 })
  })

  it('still tries once when the user asks for it', async () => {
    begin()
    environment.goOffline()
    peer.connection.fail(failure())
    await settle()
    session.retryNow()
    expect(peer.connections).toHaveLength(2)
  })
})

describe('the three actions', () => {
  it('stop ends the run, cancels at an agent that supports it, and lets nothing through afterwards', async () => {
    begin({}, createScriptedPeer({ canAct: true }))
    peer.connection.say(1, 'A')
    await settle()
    await session.stop()
    peer.connection.say(2, 'B')
    await settle()
    expect(text()).toBe('A')
    expect(endings).toEqual([{ type: 'stopped' }])
    expect(peer.commands).toEqual([expect.objectContaining({ type: 'cancel', requestId: 'r1' })])
    await session.stop()
    expect(endings).toHaveLength(1)
    expect(peer.commands).toHaveLength(1)
  })

  it('disconnect leaves the connection and resume continues exactly there', async () => {
    begin()
    peer.connection.say(1, 'A')
    await settle()
    session.disconnect()
    expect(peer.connection.aborted).toBe(true)
    await environment.clock.advance(600_000)
    expect(peer.connections).toHaveLength(1)
    session.resume()
    expect(peer.connections).toHaveLength(2)
    expect(peer.connection.opening.cursors).toEqual([{ streamId: 's1', seq: 1 }])
    peer.connection.say(1, 'A')
    peer.connection.say(2, 'B')
    peer.connection.close(3)
    await settle()
    expect(text()).toBe('AB')
    expect(endings).toEqual([{ type: 'finished', response: undefined }])
  })

  it('disconnect reads nothing more, even of a protocol that continues after its signal', async () => {
    let release = (): void => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const { protocol } = createScriptedPeer()
    begin({
      protocol: {
        ...protocol,
        async *open() {
          yield { deliveries: [textDelivery(1, 'A')] }
          await held
          yield { deliveries: [textDelivery(2, 'B')] }
        },
      },
    })
    await settle()
    session.disconnect()
    release()
    await settle()
    expect(text()).toBe('A')
  })

  it('disconnect holds before the start too, and resume makes the first attempt', async () => {
    begin()
    await session.stop()
    session = createSession({
      client: {
        protocol: peer.protocol,
        retry: backoff(),
        timeoutMs: 60_000,
        environment,
        createRequest: ({ text: asked }) => asked,
      },
      request: 'question',
      requestId: 'r2',
      onEvents: () => {},
      onEnded: (ending) => void endings.push(ending),
    })
    session.disconnect()
    session.start()
    expect(session.connection.phase).toBe('paused')
    expect(peer.connections).toHaveLength(1)
    session.resume()
    expect(peer.connection.opening).toMatchObject({ requestId: 'r2', attempt: 0 })
  })

  it('resume is paced like every other attempt: coming and going makes no storm', async () => {
    begin()
    for (let turn = 0; turn < 100; turn += 1) {
      await environment.clock.advance(100)
      session.disconnect()
      session.resume()
    }
    expect(peer.connections.length).toBeLessThanOrEqual(20)
    expect(session.connection).toMatchObject({ phase: 'waiting', attempt: 0, error: undefined })
    await environment.clock.advance(120_000)
    expect(session.connection.phase).toBe('connecting')
  })

  it('an observer that ends the run is called for one ending', async () => {
    const heard: string[] = []
    const own = createSession({
      client: {
        protocol: peer.protocol,
        retry: backoff(),
        timeoutMs: 60_000,
        environment,
        createRequest: ({ text: asked }) => asked,
      },
      request: 'question',
      requestId: 'r3',
      onEvents: () => {},
      onConnection({ phase }) {
        heard.push(phase)
        if (phase === 'connecting') void own.stop()
      },
      onEnded: ({ type }) => void heard.push(`ended ${type}`),
    })
    own.start()
    await settle()
    expect(heard).toEqual(['connecting', 'stopped', 'ended stopped'])
  })

  it('a protocol that throws immediately leaves no listener behind', async () => {
    const { protocol } = createScriptedPeer()
    begin({
      protocol: {
        ...protocol,
        open() {
          throw new Error('adapter broke')
        },
      },
    })
    expect(endings).toMatchObject([{ type: 'failed', error: { code: 'app_error' } }])
    expect(environment.listeners).toBe(0)
  })

  it('retryNow skips the wait', async () => {
    begin()
    peer.connection.say(1, 'A')
    peer.connection.fail(failure())
    await settle()
    session.retryNow()
    expect(peer.connections).toHaveLength(2)
  })

  it('resume continues a run that was abandoned', async () => {
    begin({ retry: backoff({ maxAttempts: 0 }) })
    peer.connection.say(1, 'A')
    peer.connection.fail(failure())
    await settle()
    expect(endings).toMatchObject([{ type: 'failed' }])
    session.resume()
    peer.connection.say(1, 'A')
    peer.connection.say(2, 'B')
    peer.connection.close(3)
    await settle()
    expect(text()).toBe('AB')
    expect(endings.map(({ type }) => type)).toEqual(['failed', 'finished'])
  })
})

describe('a page in trouble', () => {
  it('comes late with attempts that its budget does not cover, and earns with every success', async () => {
    const budget = createRetryBudget()
    while (budget.spend());
    begin({ budget })
    peer.connection.say(1, 'A')
    peer.connection.fail(failure())
    await settle()
    expect(session.connection.nextRetryAt).toBe(25_000)
    for (let success = 0; success < 10; success += 1) budget.earn()
    expect(budget.spend()).toBe(true)
  })

  it('earns once for an attempt that brought something, however much it brought', async () => {
    let earned = 0
    begin({ budget: { spend: () => true, earn: () => (earned += 1) } })
    for (let seq = 1; seq <= 100; seq += 1) peer.connection.say(seq, '.')
    await settle()
    expect(earned).toBe(1)
    peer.connection.fail(failure())
    await environment.clock.advance(5000)
    peer.connection.say(101, '.')
    await settle()
    expect(earned).toBe(2)
  })

  it('allows at most twenty attempts a minute', async () => {
    begin({ retry: backoff({ maxAttempts: 100 }) })
    for (let step = 0; step < 600; step += 1) {
      if (session.connection.phase === 'connecting') peer.connection.fail(failure())
      await environment.clock.advance(100)
      session.retryNow()
    }
    expect(peer.connections.length).toBeLessThanOrEqual(20)
    expect(peer.connections.length).toBeGreaterThan(10)
  })

  it('is spared by a server that says one word and cuts, again and again: fifteen attempts in the worst minute, then five', async () => {
    environment.chance = 0
    begin()
    const times: number[] = []
    let seq = 0
    while (environment.clock.now() < 300_000) {
      if (session.connection.phase === 'connecting') {
        times.push(environment.clock.now())
        peer.connection.say((seq += 1), '.')
        peer.connection.fail(failure())
      }
      await environment.clock.advance(1000)
    }
    const within = (from: number): number => times.filter((at) => at >= from && at < from + 60_000).length
    expect(Math.max(...times.map(within))).toBeLessThanOrEqual(15)
    expect(times.length).toBeGreaterThan(30)
    expect(within(240_000)).toBeLessThanOrEqual(5)
  })

  it('reconnects immediately after a sleep', async () => {
    begin()
    peer.connection.say(1, 'A')
    await settle()
    // No timer came for an hour.
    environment.clock.sleep(3_600_000)
    await environment.clock.advance(5000)
    expect(peer.connections).toHaveLength(2)
    expect(peer.connection.opening.cursors).toEqual([{ streamId: 's1', seq: 1 }])
  })
})

describe('a browser whose connections are all in use', () => {
  it('shows the run as queued, opens its connection when one is free, and gives it back', async () => {
    const locks = createFakeLocks()
    const slots = createLockSlots(locks, 1)
    const release = await slots.take('', new AbortController().signal)
    begin({ environment: { ...environment, slots } })
    await settle()
    expect(session.connection).toMatchObject({ phase: 'queued', connections: 1 })
    expect(peer.connections).toHaveLength(0)
    release()
    await settle()
    expect(session.connection).toMatchObject({ phase: 'connecting', connections: 1 })
    peer.connection.say(1, 'A')
    peer.connection.close(2)
    await settle()
    expect(endings).toEqual([{ type: 'finished', response: undefined }])
    expect(locks.held.size).toBe(1)
    peer.connection.end()
    await settle()
    expect(locks.held.size).toBe(0)
  })

  it('that is stopped while it waits for a slot sends no cancel: the agent has never seen it', async () => {
    const slots = createLockSlots(createFakeLocks(), 1)
    const release = await slots.take('', new AbortController().signal)
    begin({ environment: { ...environment, slots } }, createScriptedPeer({ canAct: true }))
    expect(await session.stop()).toBe('cancelled')
    expect(peer.commands).toEqual([])
    release()
  })

  it('lets a queued run be stopped immediately', async () => {
    const locks = createFakeLocks()
    const slots = createLockSlots(locks, 1)
    const release = await slots.take('', new AbortController().signal)
    begin({ environment: { ...environment, slots } })
    await settle()
    await session.stop()
    expect(endings).toEqual([{ type: 'stopped' }])
    release()
    await settle()
    expect(peer.connections).toHaveLength(0)
    expect(locks.held.size).toBe(0)
  })

  it('does not hold a connection while it waits for the next attempt', async () => {
    const locks = createFakeLocks()
    begin({ environment: { ...environment, slots: createLockSlots(locks, 1) } })
    await settle()
    peer.connection.say(1, 'A')
    peer.connection.fail(failure())
    await settle()
    expect(session.connection.phase).toBe('waiting')
    expect(locks.held.size).toBe(0)
    await environment.clock.advance(1000)
    expect(peer.connections).toHaveLength(2)
  })
})

describe('a consumer', () => {
  it('holds the connection back while it is busy, without the watchdog counting its time', async () => {
    let release = (): void => {}
    begin({
      onEvents: (batch) => {
        events.push(...batch.map(({ event }) => event))
        return new Promise<void>((resolve) => {
          release = resolve
        })
      },
    })
    peer.connection.say(1, 'A')
    peer.connection.say(2, 'B')
    await environment.clock.advance(120_000)
    expect(text()).toBe('A')
    expect(session.connection.phase).toBe('streaming')
    release()
    await settle()
    expect(text()).toBe('AB')
  })

  it('that throws ends the run with a typed error', async () => {
    begin({
      onEvents: () => {
        throw new Error('consumer broke')
      },
    })
    peer.connection.say(1, 'A')
    await settle()
    expect(endings).toMatchObject([{ type: 'failed', error: { code: 'app_error' } }])
  })
})
