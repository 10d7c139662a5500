import { describe, expect, it } from 'vitest'
import type { Session } from '../../src/session/agent-client.ts'
import type { SessionEvent } from '../../src/session/stream-ledger.ts'
import type { Run, RunInput, RunPhase, RunLifecycle } from '../../src/state/run.ts'
import {
  createRun,
  dispatch,
  isOver,
  isUnderWay,
  keepUnread,
  reduceRun,
  RUN_TRANSITIONS,
  whenEnded,
} from '../../src/state/run.ts'

// The keys of the table are exactly the phases and inputs.
const PHASES = Object.keys(RUN_TRANSITIONS) as RunPhase[]
const INPUTS = Object.keys(RUN_TRANSITIONS.created) as RunInput[]

// The reducer passes sessions on and never calls one.
const session = { connection: {} } as Session
const unread: readonly SessionEvent[] = [{ event: { type: 'text', streamId: 's', text: 'b' }, source: undefined }]

function stateIn(phase: RunPhase): RunLifecycle {
  if (phase === 'live' || phase === 'ending' || phase === 'ended') return { phase, session }
  return phase === 'left' ? { phase, session, unread } : { phase }
}

/** The session that an input brings. */
const broughtBy = (input: RunInput): Session | undefined => (input === 'made' ? session : undefined)

const at = (phase: RunPhase): Run => Object.assign(createRun('r1', { text: 'Why?' }), { state: stateIn(phase) })

describe('the phases of a run', () => {
  it('are those of the table, and a dispatch says whether there was a change', () => {
    for (const phase of PHASES) {
      for (const input of INPUTS) {
        const run = at(phase)
        expect(dispatch(run, input, broughtBy(input)), `${phase} × ${input}`).toBe(
          RUN_TRANSITIONS[phase][input] !== phase,
        )
        expect(run.state.phase).toBe(RUN_TRANSITIONS[phase][input])
      }
    }
  })

  it('can all be reached from the first one', () => {
    const reached = new Set<RunPhase>(['created'])
    for (const phase of reached) for (const input of INPUTS) reached.add(RUN_TRANSITIONS[phase][input])
    expect([...reached].toSorted()).toEqual([...PHASES].toSorted())
  })

  it('lead to an end by `ended` from everywhere, and back only on a request', () => {
    for (const phase of PHASES) expect(isOver(at(RUN_TRANSITIONS[phase].ended))).toBe(true)
    const back = PHASES.filter((phase) => isOver(at(phase))).flatMap((phase) =>
      INPUTS.filter((input) => !isOver(at(RUN_TRANSITIONS[phase][input]))),
    )
    expect(new Set(back)).toEqual(new Set(['asked', 'resumed']))
  })

  it('let a session work in one of them only, into which nothing leads but a request that is ready or a resume', () => {
    const ways = PHASES.flatMap((phase) =>
      INPUTS.filter((input) => phase !== 'live' && RUN_TRANSITIONS[phase][input] === 'live'),
    )
    expect(new Set(ways)).toEqual(new Set(['made', 'resumed']))
  })
})

describe('the reducer of a run', () => {
  it('gives each phase its own fields: a session from `made` on, and what was not read only while it is left', () => {
    for (const phase of PHASES) {
      for (const input of INPUTS) {
        const before = stateIn(phase)
        const after = reduceRun(before, input, broughtBy(input))
        if (after.phase === phase) expect(after, `${phase} × ${input}`).toBe(before)
        const hasSession = after.phase === 'live' || after.phase === 'left'
        if (hasSession) expect(after.session, `${phase} × ${input}`).toBe(session)
        if (before.session === undefined && input !== 'made') expect(after.session).toBeUndefined()
        if (after !== before) expect(after.unread, `${phase} × ${input}`).toBeUndefined()
      }
    }
  })

  it('keeps the rest of a batch for a run that was left, and for no other', () => {
    for (const phase of PHASES) {
      const run = Object.assign(at(phase), { state: phase === 'left' ? { phase, session } : stateIn(phase) })
      keepUnread(run, unread)
      expect(run.state.unread).toEqual(phase === 'left' ? unread : undefined)
      expect(run.state.phase).toBe(phase)
    }
  })
})

describe('a caller that waits for a run', () => {
  it('is woken immediately when it has ended already', async () => {
    const run = createRun('r1', { text: 'Why?' }, undefined, true)
    expect(isUnderWay(run)).toBe(false)
    await whenEnded(run)
    expect(run.waiters).toEqual([])
  })
})
