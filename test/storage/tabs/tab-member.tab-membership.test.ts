import { describe, expect, it } from 'vitest'
import type { LeadingChat } from '../../../src/storage/tabs/leading-chat.ts'
import {
  type Membership,
  type MembershipAction,
  type MembershipInput,
  type MembershipPhase,
  MEMBERSHIP_TRANSITIONS,
  reduceMembership,
} from '../../../src/storage/tabs/tab-member.ts'

// The keys of the table are exactly the phases and inputs.
const PHASES = Object.keys(MEMBERSHIP_TRANSITIONS) as MembershipPhase[]
const INPUTS = Object.keys(MEMBERSHIP_TRANSITIONS.joining) as MembershipInput[]

// The reducer passes the chat on and never calls it.
const [first, other] = [{ term: 1 } as LeadingChat, { term: 2 } as LeadingChat]

const stateIn = (phase: MembershipPhase): Membership => (phase === 'leading' ? { phase, leading: first } : { phase })
const actionOf = (type: MembershipInput): MembershipAction =>
  type === 'acquired' ? { type, leading: other } : { type }

describe('the reducer of a membership', () => {
  it.each(PHASES.flatMap((phase) => INPUTS.map((input) => [phase, input] as const)))(
    'leads from %s by %s to the phase in the table, and to the same record where it has a dot',
    (phase, input) => {
      const before = stateIn(phase)
      const after = reduceMembership(before, actionOf(input))
      expect(after.phase).toBe(MEMBERSHIP_TRANSITIONS[phase][input])
      if (after.phase === phase && input !== 'reset') expect(after).toBe(before)
    },
  )

  it('has a chat while it leads, the one that came with its term', () => {
    expect(reduceMembership(stateIn('acquiring'), actionOf('acquired'))).toEqual({ phase: 'leading', leading: other })
    expect(reduceMembership(stateIn('leading'), actionOf('acquired'))).toEqual({ phase: 'leading', leading: first })
    expect(reduceMembership(stateIn('leading'), actionOf('overtaken'))).toEqual({ phase: 'following' })
  })

  it('enters a phase again by a reset, so that what began before it is void, and never after it was left', () => {
    for (const phase of ['joining', 'following', 'acquiring'] as const) {
      const before = stateIn(phase)
      expect(reduceMembership(before, actionOf('reset'))).not.toBe(before)
    }
    const left = stateIn('left')
    expect(reduceMembership(left, actionOf('reset'))).toBe(left)
  })
})
