import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Input,
  hasEnded,
  idleConnection,
  next,
  CONNECTION_TRANSITIONS,
  type Connection,
  type Phase,
} from '../../src/session/connection.ts'
import { connectionAt } from '../../stories/support/messages.ts'
import { failure } from '../support/scripted-peer.ts'

const error = failure()
const inputs: Record<Input['type'], Input> = {
  started: { type: 'started' },
  held: { type: 'held' },
  admitted: { type: 'admitted' },
  opened: { type: 'opened' },
  progressed: { type: 'progressed' },
  interrupted: { type: 'interrupted', error, nextRetryAt: 700 },
  dropped: { type: 'dropped', error, nextRetryAt: 500 },
  due: { type: 'due' },
  retried: { type: 'retried' },
  'went-offline': { type: 'went-offline' },
  'came-online': { type: 'came-online', nextRetryAt: 900 },
  finished: { type: 'finished' },
  failed: { type: 'failed', error },
  stopped: { type: 'stopped' },
  disconnected: { type: 'disconnected' },
  resumed: { type: 'resumed' },
  deferred: { type: 'deferred', nextRetryAt: 1100 },
}
const phases = Object.keys(CONNECTION_TRANSITIONS) as Phase[] // the table's keys are exactly the phases
const at = (phase: Phase): Connection => connectionAt({ phase, nextRetryAt: 10_000, hasOpened: false })

describe('the connection machine', () => {
  it('leads from every phase by every input to the phase the table names', () => {
    for (const phase of phases) {
      for (const input of Object.values(inputs))
        expect(next(at(phase), input).phase, `${phase} × ${input.type}`).toBe(CONNECTION_TRANSITIONS[phase][input.type])
    }
  })

  it('gives back the very same value when nothing changed', () => {
    for (const phase of phases) {
      for (const input of Object.values(inputs)) {
        const before = at(phase)
        const after = next(before, input)
        if (JSON.stringify(after) === JSON.stringify(before)) expect(after, `${phase} × ${input.type}`).toBe(before)
      }
    }
  })

  it('does not go through its fields for content that changes nothing', () => {
    let reads = 0
    const streaming: Connection = {
      ...at('streaming'),
      phase: 'streaming',
      requests: 0,
      error: undefined,
      nextRetryAt: undefined,
      get hasOpened() {
        reads += 1
        return true
      },
    }
    expect(next(streaming, { type: 'progressed' })).toBe(streaming)
    expect(reads).toBe(0)
  })

  it('never leaves a finished or stopped run', () => {
    const history = fc.array(fc.constantFrom(...Object.values(inputs)), { maxLength: 40 })
    fc.assert(
      fc.property(history, (steps) => {
        let connection = idleConnection(3)
        let final: Phase | undefined
        for (const step of steps) {
          connection = next(connection, step)
          if (final !== undefined) expect(connection.phase).toBe(final)
          if (connection.phase === 'closed' || connection.phase === 'stopped') final = connection.phase
        }
      }),
      { seed: 7, numRuns: 2000 },
    )
  })

  it('has a deadline exactly while it waits, and an error whenever it failed', () => {
    const history = fc.array(fc.constantFrom(...Object.values(inputs)), { maxLength: 40 })
    fc.assert(
      fc.property(history, (steps) => {
        const connection = steps.reduce(next, idleConnection(3))
        expect(connection.nextRetryAt !== undefined).toBe(connection.phase === 'waiting')
        if (connection.phase === 'failed') expect(connection.error).toBeDefined()
        if (connection.phase === 'closed') expect(connection.error).toBeUndefined()
      }),
      { seed: 11, numRuns: 2000 },
    )
  })

  it('carries no field of another phase', () => {
    const history = fc.array(fc.constantFrom(...Object.values(inputs)), { maxLength: 40 })
    fc.assert(
      fc.property(history, (steps) => {
        const connection = steps.reduce(next, idleConnection(3))
        expect('nextRetryAt' in connection).toBe(connection.phase === 'waiting')
        expect('error' in connection).toBe(!['idle', 'closed', 'stopped'].includes(connection.phase))
      }),
      { seed: 13, numRuns: 2000 },
    )
  })

  it('counts a drop as one attempt and forgets all attempts with new content, not with a bare answer', () => {
    let connection = [inputs.started, inputs.opened, inputs.dropped, inputs.due].reduce(next, idleConnection(3))
    expect(connection).toMatchObject({ phase: 'connecting', attempt: 1, connections: 2 })
    connection = next(connection, inputs.opened)
    expect(connection).toMatchObject({ phase: 'streaming', attempt: 1 })
    connection = next(connection, inputs.progressed)
    expect(connection).toMatchObject({ phase: 'streaming', attempt: 0, error: undefined })
  })

  it('keeps the later deadline when the line ends during an interruption', () => {
    const waiting = [inputs.started, inputs.opened, inputs.interrupted].reduce(next, idleConnection(3))
    expect(next(waiting, inputs.dropped)).toBe(waiting)
    expect(next(waiting, { type: 'interrupted', error, nextRetryAt: 900 })).toMatchObject({
      nextRetryAt: 900,
      attempt: 1,
    })
  })

  it('knows which phases are endings', () => {
    expect(phases.filter(hasEnded)).toEqual(['failed', 'closed', 'stopped'])
  })
})
