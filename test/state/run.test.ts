import { describe, expect, it } from 'vitest'
import type { RunInput, RunPhase } from '../../src/state/run.ts'
import { createRun, isOver, isUnderWay, move, RUN_TRANSITIONS, whenEnded } from '../../src/state/run.ts'

// The keys of the table are exactly the phases and inputs.
const PHASES = Object.keys(RUN_TRANSITIONS) as RunPhase[]
const INPUTS = Object.keys(RUN_TRANSITIONS.created) as RunInput[]

const at = (phase: RunPhase) => Object.assign(createRun('r1', { text: 'Why?' }), { phase })

describe('the phases of a run', () => {
  it('are those of the table, and a move says whether there was a change', () => {
    for (const phase of PHASES) {
      for (const input of INPUTS) {
        const run = at(phase)
        expect(move(run, input), `${phase} × ${input}`).toBe(RUN_TRANSITIONS[phase][input] !== phase)
        expect(run.phase).toBe(RUN_TRANSITIONS[phase][input])
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

describe('a caller that waits for a run', () => {
  it('is woken immediately when it has ended already', async () => {
    const run = createRun('r1', { text: 'Why?' }, undefined, true)
    expect(isUnderWay(run)).toBe(false)
    await whenEnded(run)
    expect(run.waiters).toEqual([])
  })
})
