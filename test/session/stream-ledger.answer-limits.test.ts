import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../src/seam/agent-event.ts'
import type { Delivery } from '../../src/seam/protocol.ts'
import type { AnswerLimits } from '../../src/session/stream-ledger.ts'
import { backoff } from '../../src/base/backoff.ts'
import type { ResumePoint } from '../../src/session/resume-point.ts'
import type { Ending } from '../../src/session/connection.ts'
import type { Session } from '../../src/session/agent-client.ts'
import { createResumePoint } from '../../src/session/resume-point.ts'
import { createSession } from '../../src/session/session.ts'
import { settle } from '../support/manual-clock.ts'
import type { ManualEnvironment } from '../support/manual-environment.ts'
import { createManualEnvironment } from '../support/manual-environment.ts'
import type { ScriptedPeer } from '../support/scripted-peer.ts'
import { createScriptedPeer, delivery, failure, textDelivery } from '../support/scripted-peer.ts'

let environment: ManualEnvironment
let peer: ScriptedPeer
let events: AgentEvent[]
let endings: Ending[]
let session: Session

function begin(limits: AnswerLimits, resumePoint?: ResumePoint): void {
  peer = createScriptedPeer()
  session = createSession({
    client: {
      protocol: peer.protocol,
      retry: backoff({ maxAttempts: 3 }),
      timeoutMs: 60_000,
      environment,
      limits,
      createRequest: ({ text }) => text,
    },
    request: 'question',
    requestId: 'r1',
    resumePoint,
    onEvents: (batch) => void events.push(...batch.map(({ event }) => event)),
    onEnded: (ending) => void endings.push(ending),
  })
  session.start()
}

beforeEach(() => {
  environment = createManualEnvironment()
  events = []
  endings = []
})

afterEach(async () => {
  await session.stop()
  await settle()
  expect(environment.clock.pending, 'timers left').toBe(0)
})

const part = (seq: number, partId = `p${seq}`): Delivery =>
  delivery(seq, { type: 'part', streamId: 's1', partId, part: { type: 'thought', text: 'hm' } })
const warning = (seq: number): Delivery =>
  delivery(seq, { type: 'warning', streamId: 's1', error: failure({ severity: 'WARNING' }) })
const sized = (seq: number, bytes: number): Delivery => ({ ...textDelivery(seq, 'x'), bytes })
const texts = (): string => events.map((event) => (event.type === 'text' ? event.text : '')).join('')

/** The first packets reach a limit of 3, the next one goes beyond it. */
const BEYOND: Readonly<Record<keyof AnswerLimits, readonly [within: readonly Delivery[], beyond: Delivery]>> = {
  streams: [
    [textDelivery(1, 'a', 's1'), textDelivery(1, 'b', 's2'), textDelivery(1, 'c', 's3')],
    textDelivery(1, 'd', 's4'),
  ],
  parts: [[part(1), part(2), part(3)], part(4)],
  warnings: [[warning(1), warning(2), warning(3)], warning(4)],
  bytes: [[sized(1, 2), sized(2, 1)], sized(3, 1)],
}

describe.each(Object.entries(BEYOND))('a limit of %s', (limit, [within, beyond]) => {
  it('lets an answer reach it', async () => {
    begin({ [limit]: 3 })
    peer.connection.batch(...within)
    await settle()
    expect(events).toEqual(within.map(({ event }) => event))
    expect(endings).toEqual([])
  })

  it('ends the run beyond it with a typed error, keeps the earlier parts, closes the connection and makes no further attempt', async () => {
    begin({ [limit]: 3 })
    peer.connection.batch(...within, beyond, textDelivery(9, 'later'))
    await settle()
    expect(events).toEqual(within.map(({ event }) => event))
    expect(endings).toMatchObject([
      {
        type: 'failed',
        error: { kind: 'protocol', code: 'response_too_large', severity: 'FATAL', details: { limit, maximum: 3 } },
      },
    ])
    expect(peer.connection.aborted).toBe(true)
    await environment.clock.advance(600_000)
    expect(peer.connections).toHaveLength(1)
  })
})

describe('what counts', () => {
  it('a part that is replaced counts once, and a gap is a part', async () => {
    begin({ parts: 2 })
    peer.connection.batch(part(1, 'same'), part(2, 'same'), part(3, 'same'), part(5, 'same'))
    await settle()
    expect(endings).toEqual([])
    peer.connection.batch(part(7, 'same'))
    await settle()
    expect(endings).toMatchObject([{ type: 'failed', error: { details: { limit: 'parts' } } }])
  })

  it('what a server repeats after a reconnect is not counted again', async () => {
    begin({ parts: 2, bytes: 4, warnings: 1 })
    const first = [{ ...part(1), bytes: 2 }, warning(2)]
    peer.connection.batch(...first)
    await settle()
    peer.connection.fail(failure())
    await settle()
    await environment.clock.advance(5000)
    expect(peer.connections).toHaveLength(2)
    peer.connection.batch(...first, { ...part(3), bytes: 2 })
    await settle()
    expect(endings).toEqual([])
    peer.connection.batch(sized(4, 1))
    await settle()
    expect(endings).toMatchObject([{ type: 'failed', error: { details: { limit: 'bytes' } } }])
  })

  it('an answer that the agent begins again is counted again', async () => {
    begin({ streams: 1, parts: 1, warnings: 1, bytes: 4 })
    peer.connection.batch({ ...part(1), bytes: 4 }, warning(2))
    await settle()
    peer.connection.fail(failure())
    await settle()
    await environment.clock.advance(5000)
    peer.connection.batch({ ...textDelivery(1, 'new', 's9'), bytes: 4 })
    await settle()
    expect(texts()).toBe('new')
    expect(endings).toEqual([])
  })

  it('another session that resumes the run continues to count', async () => {
    const resumePoint = createResumePoint()
    begin({ bytes: 4 }, resumePoint)
    peer.connection.batch(sized(1, 3))
    await settle()
    session.disconnect()
    begin({ bytes: 4 }, { ...resumePoint })
    peer.connection.batch(sized(2, 2))
    await settle()
    expect(endings).toMatchObject([{ type: 'failed', error: { details: { limit: 'bytes' } } }])
  })

  it('holds the defaults where the client says nothing, and Infinity lifts one', async () => {
    begin({})
    peer.connection.batch(sized(1, 50_000_000), sized(2, 1))
    await settle()
    expect(endings).toMatchObject([{ type: 'failed', error: { details: { limit: 'bytes', maximum: 50_000_000 } } }])
    begin({ bytes: Number.POSITIVE_INFINITY })
    peer.connection.batch(sized(1, 50_000_000), sized(2, 1))
    await settle()
    expect(endings).toHaveLength(1)
  })
})
