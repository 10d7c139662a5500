/*
The state machine of this file. A test holds the diagram to the table.

stateDiagram-v2
    [*] --> joining
    state member {
        joining --> following: joined
        state named {
            following --> acquiring: elected
            acquiring --> leading: acquired
            acquiring --> following: overtaken
            leading --> following: overtaken
            leading --> acquiring: reset
        }
        named --> joining: opened
    }
    member --> left: leave
*/
import { transitionTable } from '../../base/transition-table.ts'
import type { TransitionTable } from '../../base/transition-table.ts'
import type { LeadingChat } from './leading-chat.ts'

/**
 * One tab's part in one conversation. `joining`: the database says which generation of data this is. `following`: waits for
 * the lock, shows what the leader tells and sends it the calls made here. `acquiring`: has the lock and takes the next term
 * on the disk, so that no earlier leader can write any more. `leading`: has the chat and its only connection. `left`: over.
 */
export type MembershipPhase = 'joining' | 'following' | 'acquiring' | 'leading' | 'left'

/** All that can happen to a membership. */
export type MembershipInput =
  /** The names of lock and channel are known. */
  | 'joined'
  /** The lock is held here. */
  | 'elected'
  /** The disk has given out a new term, and what it holds has been read. */
  | 'acquired'
  /** The lock was stolen, a higher term was heard, or the disk refused a write of this term. */
  | 'overtaken'
  /** The database, which could not be opened before, is open: other tabs have it. */
  | 'opened'
  /** The conversation was deleted or put back: what is known here counts no more. */
  | 'reset'
  /** Nothing shows the conversation here any more. */
  | 'leave'

/** State machine of a membership: every phase against every input, a dot where nothing changes. docs/internals/tabs.md explains it. */
// oxfmt-ignore
export const MEMBERSHIP_TRANSITIONS: TransitionTable<MembershipPhase, MembershipInput> = /* @__PURE__ */ transitionTable(
               ['joining',   'following', 'acquiring', 'leading',   'left'],
  {
    joined:    ['following', '.',         '.',         '.',         '.'],
    elected:   ['.',         'acquiring', '.',         '.',         '.'],
    acquired:  ['.',         '.',         'leading',   '.',         '.'],
    overtaken: ['.',         '.',         'following', 'following', '.'],
    opened:    ['.',         'joining',   'joining',   'joining',   '.'],
    reset:     ['.',         '.',         '.',         'acquiring', '.'],
    leave:     ['left',      'left',      'left',      'left',      '.'],
  },
)

/** A membership: a record per phase, with only what that phase has. A phase that is entered again is another record. */
export type Membership =
  | { readonly phase: 'joining' | 'following' | 'acquiring' | 'left' }
  | { readonly phase: 'leading'; /** The chat itself. */ readonly leading: LeadingChat }

/** An input with its data. */
export type MembershipAction =
  | { readonly type: Exclude<MembershipInput, 'acquired'> }
  | { readonly type: 'acquired'; readonly leading: LeadingChat }

/** Reducer of a membership. Pure; the same record where {@link MEMBERSHIP_TRANSITIONS} has a dot, except that `reset` enters the phase again. */
export function reduceMembership(membership: Membership, action: MembershipAction): Membership {
  const phase = MEMBERSHIP_TRANSITIONS[membership.phase][action.type]
  if (phase === 'leading') {
    const isElected = membership.phase !== phase && action.type === 'acquired'
    return isElected ? { phase, leading: action.leading } : membership
  }
  return phase === membership.phase && (action.type !== 'reset' || phase === 'left') ? membership : { phase }
}
