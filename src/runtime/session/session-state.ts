/*
The state machine of this file. A test holds the diagram to the table.

stateDiagram-v2
    [*] --> opening
    state asking {
        opening --> authenticating: open
        authenticating --> challenged: challenge
        challenged --> authenticating: answer
    }
    authenticating --> accepted: accept
    state open {
        accepted --> refreshing: refresh
        refreshing --> accepted: accept
    }
    asking --> rejected: reject
    open --> evicted: evict
    open --> closing: close
*/
import { transitionTable } from '../../base/transition-table.ts'
import type { TransitionTable } from '../../base/transition-table.ts'

/** Where the session of a connection is. The last three are ends. */
export type ConnectionPhase =
  | 'opening'
  | 'authenticating'
  | 'challenged'
  | 'accepted'
  | 'refreshing'
  | 'rejected'
  | 'evicted'
  | 'closing'

/** What moves it. */
export type ConnectionInput = 'open' | 'challenge' | 'answer' | 'accept' | 'reject' | 'refresh' | 'evict' | 'close'

/** State machine of the session of a connection. */
// oxfmt-ignore
export const CONNECTION_PHASES: TransitionTable<ConnectionPhase, ConnectionInput> = /* @__PURE__ */ transitionTable(
               ['opening',        'authenticating', 'challenged',     'accepted',   'refreshing', 'rejected', 'evicted', 'closing'],
  {
    open:      ['authenticating', '.',              '.',              '.',          '.',          '.',        '.',       '.'],
    challenge: ['.',              'challenged',     '.',              '.',          '.',          '.',        '.',       '.'],
    answer:    ['.',              '.',              'authenticating', '.',          '.',          '.',        '.',       '.'],
    accept:    ['.',              'accepted',       '.',              '.',          'accepted',   '.',        '.',       '.'],
    reject:    ['rejected',       'rejected',       'rejected',       '.',          '.',          '.',        '.',       '.'],
    refresh:   ['.',              '.',              '.',              'refreshing', '.',          '.',        '.',       '.'],
    evict:     ['.',              '.',              '.',              'evicted',    'evicted',    '.',        '.',       '.'],
    close:     ['.',              '.',              '.',              'closing',    'closing',    '.',        '.',       '.'],
  },
)
