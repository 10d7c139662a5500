import fc from 'fast-check'
import { expect, describe, it } from 'vitest'
import type { AgentEvent } from '../../src/seam/agent-event.ts'
import type { Delivery } from '../../src/seam/protocol.ts'
import { createResumePoint } from '../../src/session/resume-point.ts'
import { backoff } from '../../src/base/backoff.ts'
import type { Ending } from '../../src/session/connection.ts'
import { createSession } from '../../src/session/session.ts'
import { settle } from '../support/manual-clock.ts'
import { createManualEnvironment } from '../support/manual-environment.ts'
import { createScriptedPeer, delivery, failure, textDelivery } from '../support/scripted-peer.ts'

// The same values on every run.
fc.configureGlobal({ seed: 20_260_301 })

type Step = readonly [
  kind: 'text' | 'close' | 'fatal' | 'transient' | 'warning' | 'finish',
  streamId: string,
  retryAfterMs?: number | undefined,
]

/** Numbered as a server numbers them: one after the other in each stream. */
function deliveriesOf(steps: readonly Step[]): Delivery[] {
  const numbers = new Map<string, number>()
  return steps.map(([kind, streamId, retryAfterMs]) => {
    if (kind === 'finish') return { event: { type: 'run-finished' }, progress: true }
    const seq = (numbers.get(streamId) ?? 0) + 1
    numbers.set(streamId, seq)
    const error = failure({
      kind: 'runtime',
      code: 'agent_error',
      message: `${kind} ${seq} of ${streamId}`,
      retryAfterMs,
    })
    if (kind === 'text') return textDelivery(seq, `${streamId}${seq} `, streamId)
    if (kind === 'close') return delivery(seq, { type: 'stream-closed', streamId }, streamId)
    if (kind === 'warning') return delivery(seq, { type: 'warning', streamId, error }, streamId)
    return delivery(seq, { type: kind === 'fatal' ? 'stream-failed' : 'stream-interrupted', streamId, error }, streamId)
  })
}

/** What comes of a connection whose chunks hold so many packets each. */
async function outcomeOf(steps: readonly Step[], sizes: readonly number[], failedBefore = 0): Promise<unknown> {
  const environment = createManualEnvironment()
  environment.chance = 0.5
  const peer = createScriptedPeer()
  const events: AgentEvent[] = []
  const endings: Ending[] = []
  const resumePoint = createResumePoint()
  const session = createSession({
    client: {
      protocol: peer.protocol,
      retry: backoff({ maxAttempts: 3, baseMs: 500 }),
      timeoutMs: 60_000,
      environment,
      createRequest: ({ text }) => text,
    },
    request: 'question',
    requestId: 'r1',
    resumePoint,
    onEvents: (batch) => void events.push(...batch.map(({ event }) => event)),
    onEnded: (ending) => void endings.push(ending),
  })
  session.start()
  for (let attempt = 0; attempt < failedBefore; attempt++) {
    peer.connection.end()
    await environment.clock.advance(30_000)
  }
  const deliveries = deliveriesOf(steps)
  for (let at = 0, chunk = 0; at < deliveries.length; chunk++) {
    const size = sizes[chunk % sizes.length] ?? 1
    peer.connection.batch(...deliveries.slice(at, at + size))
    await settle()
    at += size
  }
  const outcome = structuredClone({
    events: events.map((event) => JSON.stringify(event)),
    endings: JSON.stringify(endings),
    connection: JSON.stringify(session.connection),
    streams: JSON.stringify([...resumePoint.streams]),
  })
  await session.stop()
  return outcome
}

const S = 's1'
const T = 's2'
const CASES: readonly (readonly [what: string, steps: readonly Step[], failedBefore: number])[] = [
  [
    'one stream closes and another begins',
    [
      ['text', S],
      ['close', S],
      ['text', T],
      ['close', T],
    ],
    0,
  ],
  [
    'the only stream fails and another begins',
    [
      ['text', S],
      ['fatal', S],
      ['text', T],
      ['close', T],
    ],
    0,
  ],
  [
    'all streams have ended, one of them by failing, and another begins',
    [
      ['text', S],
      ['text', T],
      ['fatal', S],
      ['close', T],
      ['text', 's3'],
    ],
    0,
  ],
  [
    'all streams have closed and another begins',
    [
      ['text', S],
      ['text', T],
      ['close', S],
      ['close', T],
      ['text', 's3'],
      ['close', 's3'],
    ],
    0,
  ],
  [
    'a stream is interrupted twice, the longer wait first',
    [
      ['text', S],
      ['transient', S, 60_000],
      ['transient', S],
    ],
    0,
  ],
  [
    'a stream is interrupted and continues, with no attempt left',
    [
      ['transient', S],
      ['text', S],
      ['close', S],
    ],
    3,
  ],
  [
    'a stream is interrupted and closes',
    [
      ['text', S],
      ['transient', S],
      ['close', S],
      ['text', T],
    ],
    0,
  ],
  [
    'the run has ended and more packets follow',
    [
      ['text', S],
      ['finish', S],
      ['text', S],
    ],
    0,
  ],
]

describe('what comes of packets', () => {
  it.each(CASES)('is the same in one chunk as in many, when %s', async (_what, steps, failedBefore) => {
    const apart = await outcomeOf(steps, [1], failedBefore)
    expect(await outcomeOf(steps, [steps.length], failedBefore)).toEqual(apart)
    expect(await outcomeOf(steps, [2], failedBefore)).toEqual(apart)
  })

  it('is the same however they are cut into chunks', async () => {
    const step = fc.tuple(
      fc.constantFrom<Step[0]>('text', 'text', 'close', 'fatal', 'transient', 'warning'),
      fc.constantFrom(S, T, 's3'),
      fc.constantFrom(undefined, 1000, 60_000),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 9 }),
        fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 0, max: 3 }),
        async (steps, sizes, failedBefore) => {
          expect(await outcomeOf(steps, sizes, failedBefore)).toEqual(await outcomeOf(steps, [1], failedBefore))
        },
      ),
      { numRuns: 300 },
    )
  })
})
