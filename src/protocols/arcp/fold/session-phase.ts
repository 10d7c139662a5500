/*
The state machine of this file. A test holds the diagram to the table.

stateDiagram-v2
    [*] --> idle
    idle --> opening: session.open
    state going {
        opening --> accepted: session.accepted
        opening --> challenged: session.challenge
        state answered {
            challenged --> authenticating: session.authenticate
            challenged --> accepted: session.accepted
            authenticating --> accepted: session.accepted
            accepted --> refreshing: session.refresh
            refreshing --> accepted: session.accepted, ack
        }
    }
    answered --> opening: session.open
    going --> rejected: session.rejected
    going --> evicted: session.evicted, session.unauthenticated
    going --> closing: session.close
    going --> idle: left
    closing --> idle: left
    closing --> opening: session.open
    evicted --> opening: session.open
    rejected --> opening: session.open
*/
import { transitionTable } from '../../../base/transition-table.ts'
import type { TransitionTable } from '../../../base/transition-table.ts'
import type { ArcpSessionPhase } from './arcp-state.ts'

/** What moves a session: messages by their type, and `left` when its socket is closed on purpose. */
export type SessionInput =
  | 'session.open'
  | 'session.challenge'
  | 'session.authenticate'
  | 'session.accepted'
  | 'session.rejected'
  | 'session.unauthenticated'
  | 'session.refresh'
  | 'session.evicted'
  | 'session.close'
  | 'ack'
  | 'left'

/** State machine of a session: every phase against every input, a dot where nothing changes. Each new socket opens a new session. */
// oxfmt-ignore
export const SESSION_PHASES: TransitionTable<ArcpSessionPhase, SessionInput> = /* @__PURE__ */ transitionTable(
                               ['idle',    'opening',    'challenged',     'authenticating', 'accepted',   'refreshing', 'closing', 'evicted', 'rejected'],
  {
    'session.open':            ['opening', 'opening',    'opening',        'opening',        'opening',    'opening',    'opening', 'opening', 'opening'],
    'session.challenge':       ['.',       'challenged', '.',              '.',              '.',          '.',          '.',       '.',       '.'],
    'session.authenticate':    ['.',       '.',          'authenticating', '.',              '.',          '.',          '.',       '.',       '.'],
    'session.accepted':        ['.',       'accepted',   'accepted',       'accepted',       '.',          'accepted',   '.',       '.',       '.'],
    'session.rejected':        ['.',       'rejected',   'rejected',       'rejected',       'rejected',   'rejected',   '.',       '.',       '.'],
    'session.unauthenticated': ['.',       'evicted',    'evicted',        'evicted',        'evicted',    'evicted',    '.',       '.',       '.'],
    'session.refresh':         ['.',       '.',          '.',              '.',              'refreshing', '.',          '.',       '.',       '.'],
    'session.evicted':         ['.',       'evicted',    'evicted',        'evicted',        'evicted',    'evicted',    '.',       '.',       '.'],
    'session.close':           ['.',       'closing',    'closing',        'closing',        'closing',    'closing',    '.',       '.',       '.'],
    ack:                       ['.',       '.',          '.',              '.',              '.',          'accepted',   '.',       '.',       '.'],
    left:                      ['.',       'idle',       'idle',           'idle',           'idle',       'idle',       'idle',    '.',       '.'],
  },
)
