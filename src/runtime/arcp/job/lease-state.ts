/*
The state machine of this file. A test holds the diagram to the table.

stateDiagram-v2
    [*] --> active
    active --> revoked: revoke
    active --> expired: expire
*/
import { transitionTable } from '../../../base/transition-table.ts'
import type { TransitionTable } from '../../../base/transition-table.ts'

/** Where a lease is. */
export type LeaseState = 'active' | 'revoked' | 'expired'

/** What ends a lease. */
export type LeaseEnd = 'revoke' | 'expire'

/** State machine of a lease: what has ended stays so. */
// oxfmt-ignore
export const LEASE_STATES: TransitionTable<LeaseState, LeaseEnd> = /* @__PURE__ */ transitionTable(
             ['active',  'revoked', 'expired'],
  {
    revoke:  ['revoked', '.',       '.'],
    expire:  ['expired', '.',       '.'],
  },
)
